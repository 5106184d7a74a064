// Three nodes on one ledger, in a process of their own, each reached with tokens that it alone
// accepts.
import assert from 'node:assert/strict'
import { member } from '../../runtime/host/member.ts'
import { hs256, makeToken } from '../../runtime/testing/auth/tokens.ts'
import type { Asked } from '../external/kit.ts'
import { list, path } from '../interfaces/ledger-kit.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { StorageUnderTest } from '../support/storages.ts'

export const NAMES = ['sv', 'provider', 'user'] as const
export type NodeName = (typeof NAMES)[number]

/** A node, as its clients see it. */
export interface NodeClient {
  readonly name: string
  /** Bytes are sent as they are, anything else as JSON. */
  ask(user: string, line: string, body?: unknown): Promise<Answer>
  /** Asks like `ask`; answers the JSON of a 200. */
  done(user: string, line: string, body?: unknown): Promise<unknown>
}

export interface TestNode extends NodeClient {
  readonly url: string
  token(user: string): string
  /** Opens a wallet; the party. */
  register(user: string): Promise<string>
  /** Unlocked coin of a user's wallet, without its fraction. */
  balance(user: string): Promise<string>
}

export interface TestNodes extends Readonly<Record<NodeName, TestNode>> {
  readonly banner: string
  stop(): Promise<void>
}

export const WALLET = '/api/validator/v0/wallet'
export const ADMIN = '/api/validator/v0/admin'

/** The configuration of all, with the operators `operator`, `app-provider` and `app-user`. */
export function nodesConfig(storage: object): object {
  const operators = { sv: 'operator', provider: 'app-provider', user: 'app-user' }
  const nodes = NAMES.map((name) => [
    name,
    {
      auth: [{ use: 'jwt', unsafeHmac: { secret: `secret of ${name}` } }],
      validator: { validatorWalletUser: operators[name] },
    },
  ])
  return { storage, log: { level: 'fatal' }, nodes: Object.fromEntries(nodes) }
}

/** All in one process, as `nodesConfig` says. */
export async function startNodes(
  storage: Pick<StorageUnderTest, 'section'>,
  more: object = {},
  dataDir?: string,
): Promise<TestNodes> {
  const section = await storage.section()
  const service = await startService({
    config: { ...nodesConfig(section), ...more },
    ...(dataDir === undefined ? {} : { dataDir }),
  })
  const nodeAt = (name: NodeName): TestNode => {
    const url = new RegExp(`node ${name}\\n +ledger +(\\S+)`).exec(service.banner)?.[1]
    assert.ok(url !== undefined, service.banner)
    return testNode(name, url)
  }
  return {
    sv: nodeAt('sv'),
    provider: nodeAt('provider'),
    user: nodeAt('user'),
    banner: service.banner,
    stop: async () => void (await service.stop()),
  }
}

/** Asks with the token that a user has. */
export function nodeClient(name: string, url: string, token: (user: string) => string): NodeClient {
  const ask: NodeClient['ask'] = (user, line, body) => {
    const headers = { 'content-type': 'application/octet-stream' }
    const sent = body instanceof Uint8Array ? { raw: new Uint8Array(body), headers } : { body }
    return call(url, line, { token: token(user), ...(body === undefined ? {} : sent) })
  }
  const done: NodeClient['done'] = async (user, line, body) => {
    const { status, text, json } = await ask(user, line, body)
    assert.equal(status, 200, `${name}, ${user}: ${line}: ${text}`)
    return json
  }
  return { name, ask, done }
}

/** A server of a node. */
export function testNode(name: NodeName, url: string): TestNode {
  const token = (sub: string): string =>
    makeToken({ alg: 'HS256', typ: 'JWT' }, { sub, exp: 4_000_000_000 }, hs256(`secret of ${name}`))
  const client = nodeClient(name, url, token)
  const { done } = client
  return {
    ...client,
    url,
    token,
    register: async (user) =>
      String(member(await done(user, 'POST /api/validator/v0/register', {}), 'party_id')),
    balance: async (user) => {
      const balance = await done(user, `GET ${WALLET}/balance`)
      return String(member(balance, 'effective_unlocked_qty')).replace(/\..*/, '')
    },
  }
}

/** The id of a node's participant. */
export async function participantOf({ done }: NodeClient): Promise<string> {
  const answer = await done('participant_admin', 'GET /v2/parties/participant-id')
  return String(member(answer, 'participantId'))
}

export async function synchronizerOf({ done }: NodeClient): Promise<string> {
  const answer = await done('participant_admin', 'GET /v2/state/connected-synchronizers')
  const [first] = list(path(answer, 'connectedSynchronizers'))
  return String(path(first, 'synchronizerId'))
}

/** The node's operator, as the helpers of external parties ask. */
export function byOperator({ done }: NodeClient, operator = 'operator'): Asked {
  return { done: (_who, line, body) => done(operator, line.replace(' ', ' /api/validator'), body) }
}
