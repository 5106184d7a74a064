// Fresh nodes with the people of an episode, of the same names at each: two providers with an admin
// each, wallets, and users that the test observes with.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { member } from '../../../runtime/host/member.ts'
import type { By } from '../model/rules.ts'
import { actAs, afterOther, newFacts, newWorld, partiesOfNode } from '../model/state.ts'
import type { LedgerFacts, Right, User, World } from '../model/state.ts'
import { tokenOf } from '../model/rules.ts'
import type { Client, Reply } from './client.ts'
import { createClient } from './client.ts'
import { Feed } from './feed.ts'
import type { Keys } from './keys.ts'
import { PARTY_KEYS, homeKeyOf } from './keys.ts'
import type { Service } from './node.ts'
import {
  HOME_ISSUER,
  MAX_RIGHTS,
  MAX_SELF_ALLOCATED,
  TASKS,
  issuerAuth,
  startNodes,
} from './node.ts'
import { VALIDATOR, rightToWire } from './wire.ts'
import type { Names } from './wire.ts'

/**
 * Observes users: a participant admin, a reader of everything, and an admin in each provider that
 * stays.
 */
export const ROOT = 'root'
const AUDITOR = 'auditor'
export const PROVIDERS = ['idp-one', 'idp-two'] as const
const FIRST = 'participant_admin'

/** One node. */
export interface Stage {
  /** Replaced where a race leaves two worlds to choose from, and after steps at other nodes. */
  world: World
  /** The feed of all nodes. */
  readonly feed: Feed
  readonly keys: Keys
  readonly names: Names
  readonly participant: string
  readonly synchronizer: string
  ask(by: By, line: string, body?: unknown): Promise<Reply>
  /** Asks as the participant admin that observes. */
  root(line: string, body?: unknown): Promise<Reply>
}

/** The nodes of a ledger, the first one first. */
export interface Stages {
  readonly all: readonly Stage[]
  /** The service ends and starts again on the same data; an Error where it does not. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface StageOptions {
  readonly keys: Keys
  /** A section `storage` on fresh data. */
  readonly storage: object
  /** The number of nodes. */
  readonly nodes: number
}

/** A person to begin with. */
interface Person {
  readonly id: string
  readonly provider: string
  readonly rights: readonly Right[]
  readonly isWatcher?: boolean
}

const PEOPLE: readonly Person[] = [
  { id: ROOT, provider: '', rights: ['ParticipantAdmin'], isWatcher: true },
  { id: AUDITOR, provider: '', rights: ['CanReadAsAnyParty'], isWatcher: true },
  { id: 'watch-one', provider: 'idp-one', rights: ['IdentityProviderAdmin'], isWatcher: true },
  { id: 'watch-two', provider: 'idp-two', rights: ['IdentityProviderAdmin'], isWatcher: true },
  { id: 'one-admin', provider: 'idp-one', rights: ['IdentityProviderAdmin'] },
  { id: 'two-admin', provider: 'idp-two', rights: ['IdentityProviderAdmin'] },
]

/** Users with a wallet, coin and a preapproval at the beginning. */
const WALLETS = ['ann', 'bob'] as const

export async function openStages({ keys, storage, nodes }: StageOptions): Promise<Stages> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ledgerwright-'))
  const homes = Array.from({ length: nodes }, (_, index) => homeKeyOf(index))
  const start = (): Promise<Service> =>
    startNodes({ storage, dataDir, auths: homes.map((home) => [issuerAuth(keys.urlOf(home))]) })
  let service = await start()
  let clients = service.ports.map(createClient)
  const [opened, facts] = [new Array<OpenNode>(), newFacts()]
  for (const [index, home] of homes.entries()) {
    const clientNow = (): Client => found(clients[index])
    opened.push(await openNode({ keys, home, clientNow, facts, isFirst: index === 0 }))
  }
  const feed = new Feed(opened.map(({ audit }) => audit))
  await feed.next()
  const all = stagesOf(opened, feed, keys)
  return {
    all,
    restart: async () => {
      for (const client of clients) client.close()
      await service.stop()
      service = await start()
      clients = service.ports.map(createClient)
    },
    close: async () => {
      for (const client of clients) client.close()
      await service.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the service does not serve all nodes')
  return value
}

/** Applies the ledger's part of a node's change to the other nodes. */
export function spread(stages: readonly Stage[], { world: changed }: Stage): void {
  for (const stage of stages) {
    const others = stages.filter((other) => other !== stage)
    stage.world = afterOther(stage.world, changed, partiesAt(others))
  }
}

/** Parties of these nodes, each with the party of its node's operator. */
function partiesAt(stages: readonly Stage[]): World['elsewhere'] {
  return new Map(
    stages.flatMap(({ world }) =>
      partiesOfNode(world).map((party) => [party, world.setting.operatorParty] as const),
    ),
  )
}

/** A node with its people. */
interface OpenNode extends Pick<Stage, 'world' | 'participant' | 'synchronizer' | 'ask' | 'root'> {
  readonly audit: Stage['root']
}

interface NodeParts {
  readonly keys: Keys
  /** Name of the default provider's key. */
  readonly home: string
  /** Another one after a restart. */
  readonly clientNow: () => Client
  readonly facts: LedgerFacts
  readonly isFirst: boolean
}

async function openNode({ keys, home, clientNow, facts, isFirst }: NodeParts): Promise<OpenNode> {
  let audience: readonly string[] = []
  const ask: Stage['ask'] = (by, line, body) =>
    clientNow().ask(line, keys.tokenOf(by, audience), body)
  const as = (id: string): By => ({
    kind: 'issued',
    issuer: HOME_ISSUER,
    key: home,
    sub: id,
    audience: '',
  })
  const done: Done = async (by, line, body) => {
    const { status, text, json } = await ask(by, line, body)
    if (status !== 200) throw new Error(`${line}: ${status} ${text}`)
    return json
  }
  const participant = String(
    member(await done(as(FIRST), 'GET /v2/parties/participant-id'), 'participantId'),
  )
  const connected = await done(as(FIRST), 'GET /v2/state/connected-synchronizers')
  const {
    connectedSynchronizers: [first],
  } = Object(connected)
  const synchronizer = String(member(first, 'synchronizerId'))
  audience = [participant, synchronizer]
  const info = await done(as(FIRST), `GET ${VALIDATOR}/validator-user`)
  const setting = {
    namespace: participant.split('::')[1] ?? '',
    operator: String(member(info, 'user_name')),
    operatorParty: String(member(info, 'party_id')),
    network: await networkOf(done, as(FIRST)),
    isFirst,
    issuer: HOME_ISSUER,
    key: home,
    maxRights: MAX_RIGHTS,
    maxSelfAllocated: MAX_SELF_ALLOCATED,
    fingerprints: Object.fromEntries(
      PARTY_KEYS.map((name) => [name, keys.holderOf(name).fingerprint]),
    ),
  }
  const world = newWorld(setting, facts)
  await people(world, done, { as, keys })
  return {
    world,
    participant,
    synchronizer,
    ask,
    root: (line, body) => ask(as(ROOT), line, body),
    audit: (line, body) => ask(as(AUDITOR), line, body),
  }
}

function stagesOf(opened: readonly OpenNode[], feed: Feed, keys: Keys): readonly Stage[] {
  let count = 0
  const rules = [...feed.active.values()].find(({ entity }) => entity === 'CoinRules')?.id ?? ''
  const stages = opened.map(({ audit: _, ...node }): Stage => ({
    ...node,
    feed,
    keys,
    names: {
      dso: node.world.setting.network[0] ?? '',
      operatorParty: node.world.setting.operatorParty,
      rules,
      fresh: () => `id-${(count += 1)}`,
      urlOf: keys.urlOf,
    },
  }))
  spread(stages, found(stages[0]))
  return stages
}

type Done = (by: By, line: string, body?: unknown) => Promise<unknown>

async function networkOf(done: Done, by: By): Promise<readonly string[]> {
  const dso = String(member(await done(by, 'GET /api/scan/v0/dso-party-id'), 'dso_party_id'))
  const info = await done(by, 'GET /api/scan/v0/dso')
  return [dso, String(member(info, 'sv_party_id'))]
}

/** The beginning of the world, done and written down. */
async function people(
  world: World,
  done: Done,
  { as, keys }: { readonly as: (id: string) => By; readonly keys: Keys },
): Promise<void> {
  const { operator, operatorParty } = world.setting
  for (const [index, id] of PROVIDERS.entries()) {
    const provider = {
      id,
      issuer: `https://${id}.example/`,
      key: index === 0 ? 'one' : 'two',
      isDeactivated: false,
      audience: '',
    }
    const identityProviderConfig = {
      identityProviderId: id,
      issuer: provider.issuer,
      jwksUrl: keys.urlOf(provider.key),
    }
    await done(as(FIRST), 'POST /v2/idps', { identityProviderConfig })
    world.providers.set(id, provider)
  }
  world.parties.set(operatorParty, { id: operatorParty, provider: '', keys: [] })
  addUser(world, { id: FIRST, provider: '', rights: ['ParticipantAdmin'] })
  Object.assign(
    addUser(world, {
      id: operator,
      provider: '',
      rights: ['ParticipantAdmin', actAs(operatorParty)],
    }),
    {
      primaryParty: operatorParty,
      wallet: operatorParty,
    },
  )
  for (const person of PEOPLE) {
    const { id, provider, rights } = person
    await done(as(FIRST), 'POST /v2/users', {
      user: { id, identityProviderId: provider },
      rights: rights.map(rightToWire),
    })
    addUser(world, person)
    if (person.isWatcher === true) world.watchers.add(id)
  }
  await pauseTasks(done, as(operator))
  await wallets(world, done, as(operator))
}

function addUser(world: World, { id, provider, rights }: Person): User {
  const user: User = {
    id,
    provider,
    primaryParty: '',
    isDeactivated: false,
    partyLogin: false,
    rights: new Set(rights),
    wallet: undefined,
  }
  world.users.set(id, user)
  return user
}

/** Pauses tasks, which new contracts would wake; an episode runs them when they are drawn. */
async function pauseTasks(done: Done, operator: By): Promise<void> {
  for (const task of TASKS)
    await done(operator, `POST ${VALIDATOR}/admin/automations/${task}/pause`)
}

/** Both register themselves. */
async function wallets(world: World, done: Done, operator: By): Promise<void> {
  await done(operator, `POST ${VALIDATOR}/wallet/tap`, { amount: '1000.0' })
  for (const id of WALLETS) {
    const by = tokenOf(world, { id, provider: '' })
    const party = String(member(await done(by, `POST ${VALIDATOR}/register`, {}), 'party_id'))
    await done(by, `POST ${VALIDATOR}/wallet/tap`, { amount: '100.0' })
    await done(by, `POST ${VALIDATOR}/wallet/transfer-preapproval`)
    world.parties.set(party, { id: party, provider: '', keys: [] })
    Object.assign(addUser(world, { id, provider: '', rights: [actAs(party)] }), {
      wallet: party,
      primaryParty: party,
    })
    world.preapproved.add(party)
  }
}
