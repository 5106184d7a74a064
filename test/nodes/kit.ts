// Three nodes on one ledger, in a process of their own, each reached with tokens that it alone
// accepts.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { StorageUnderTest } from '../support/storages.ts'

export const NAMES = ['sv', 'provider', 'user'] as const
export type NodeName = (typeof NAMES)[number]

/** One node, as its clients see it. */
export interface TestNode {
  readonly name: NodeName
  readonly url: string
  token(user: string): string
  ask(user: string, line: string, body?: unknown): Promise<Answer>
  /** As `ask`; the JSON of a 200. */
  done(user: string, line: string, body?: unknown): Promise<unknown>
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

/** With the operators `operator`, `app-provider` and `app-user`. */
export async function startNodes(storage: StorageUnderTest, more: object = {}): Promise<TestNodes> {
  const operators = { sv: 'operator', provider: 'app-provider', user: 'app-user' }
  const nodes = NAMES.map((name) => [
    name,
    {
      auth: [{ use: 'jwt', unsafeHmac: { secret: `secret of ${name}` } }],
      validator: { validatorWalletUser: operators[name] },
    },
  ])
  const service = await startService({
    config: {
      storage: await storage.section(),
      log: { level: 'fatal' },
      nodes: Object.fromEntries(nodes),
      ...more,
    },
  })
  const nodeAt = (name: NodeName): TestNode => {
    const url = new RegExp(`node ${name}\\n +ledger +(\\S+)`).exec(service.banner)?.[1]
    assert.ok(url !== undefined, service.banner)
    return clientOf(name, url)
  }
  return {
    sv: nodeAt('sv'),
    provider: nodeAt('provider'),
    user: nodeAt('user'),
    banner: service.banner,
    stop: async () => void (await service.stop()),
  }
}

function clientOf(name: NodeName, url: string): TestNode {
  const token = (user: string): string => hmacToken(user, `secret of ${name}`)
  const ask = (user: string, line: string, body?: unknown): Promise<Answer> =>
    call(url, line, { token: token(user), ...(body === undefined ? {} : { body }) })
  const done = async (user: string, line: string, body?: unknown): Promise<unknown> => {
    const { status, text, json } = await ask(user, line, body)
    assert.equal(status, 200, `${name}, ${user}: ${line}: ${text}`)
    return json
  }
  return {
    name,
    url,
    token,
    ask,
    done,
    register: async (user) =>
      String(member(await done(user, 'POST /api/validator/v0/register', {}), 'party_id')),
    balance: async (user) => {
      const balance = await done(user, `GET ${WALLET}/balance`)
      return String(member(balance, 'effective_unlocked_qty')).replace(/\..*/, '')
    },
  }
}

/** A token that the shared secret signs. */
export function hmacToken(sub: string, secret: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub, exp: 4_000_000_000 })}`
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`
}
