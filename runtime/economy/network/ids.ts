// The ids of a ledger and of its nodes: drawn before the network begins and written down in one
// commit, so that servers that start at once agree, and no two ledgers have one in common.
// docs/decisions/0046-ids-of-a-ledger.md
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { NO_WRITES } from '../../engine/index.ts'
import type { Ids, NodeIdentity } from '../../participant/node.ts'
import { namespaceOf, nodeSpace } from '../../participant/node.ts'
import { uniqueIdentifier } from '../../participant/topology/unique-identifier.ts'
import { bodyIn } from '../../store/rules.ts'
import type { CommitFacts, FactName, FactRecord, Store } from '../../store/store.ts'
import { partyHint } from '../wallets/party-hint.ts'
import { asCopy, COPY, IDS, nodeIds, openCopy, ownName } from './copies.ts'
import { resolveNetworkSettings } from './settings.ts'
import type { NetworkSettings } from './settings.ts'

const LEDGER: FactName = { kind: IDS, key: 'ledger' }
const sharedIds = z.object({ synchronizerId: z.string(), dso: z.string(), sv: z.string() })
const allIds = sharedIds.extend({ participantUid: z.string() })

interface IdsInput {
  /** The store of all nodes. */
  readonly store: Pick<Store, 'contracts'>
  /** The same as in `NodeIdentity`; the first node when absent. */
  readonly key?: string
  readonly settings: {
    readonly participantId: string
    readonly synchronizerAlias: string
    readonly synchronizerId: string
    readonly network: NetworkSettings
  }
  readonly profile: 'dev' | 'production'
  /** Answers as many bytes as asked for that nobody can guess. Absent: the system's. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined
}

/**
 * The ids that the ledger has, drawn now where it is new or the node is. Throws an Error with one
 * line for people, and writes nothing, when the configuration names others.
 */
export async function settleIds(input: IdsInput): Promise<Ids> {
  const { store, key = '', settings } = input
  const known = (await storedIds(store, key)) ?? (await drawIds(input, key))
  assertMeant(known, settings)
  await openCopy(store)
  const { participantUid, dso, sv, ...shared } = (await storedIds(store, key)) ?? known
  const { participantId, synchronizerAlias } = settings
  const namespace = nodeSpace(participantUid)
  const node = { key, participantId, participantUid, namespace, synchronizerAlias, ...shared }
  return { node, dso, sv }
}

type AllIds = z.output<typeof allIds> & Pick<NodeIdentity, 'serialBase'>

async function storedIds(
  { contracts }: Pick<Store, 'contracts'>,
  nodeKey: string,
): Promise<AllIds | undefined> {
  const [ledger, own, copy] = await Promise.all(
    [LEDGER, ownName(nodeKey), COPY].map(({ kind, key }) => contracts.fact(kind, key)),
  )
  if (ledger === undefined || own === undefined) return undefined
  const ids = {
    ...sharedIds.parse(JSON.parse(ledger.body)),
    participantUid: nodeIds.parse(JSON.parse(own.body)).participantUid,
  }
  return asCopy(ids, copy?.body)
}

/** Writes what is missing; what another server has written meanwhile holds. */
async function drawIds(input: IdsInput, key: string): Promise<AllIds> {
  const { store, random = randomBytes } = input
  const drawn = idsOf(input, (name, hint = name) => uniqueIdentifier(hint, namespaceOf(random(32))))
  const own = ownName(key)
  return store.contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts: [LEDGER, COPY, own] },
    decide: (found) => {
      const ids = allIds.parse({
        ...drawn,
        ...writtenIn(found, LEDGER),
        ...writtenIn(found, own),
      })
      const result = asCopy(ids, bodyIn(found, COPY))
      assertMeant(result, input.settings)
      const { participantUid, ...shared } = ids
      const facts: readonly FactRecord[] = [
        { ...LEDGER, body: JSON.stringify(shared) },
        { ...own, body: JSON.stringify({ participantUid }) },
      ]
      return { writes: { ...NO_WRITES, facts }, result }
    },
  })
}

/** The id of the ledger's synchronizer; undefined before a server has drawn or written it. */
export async function synchronizerOf({
  contracts,
}: Pick<Store, 'contracts'>): Promise<string | undefined> {
  const [ledger, copy] = await Promise.all(
    [LEDGER, COPY].map(({ kind, key }) => contracts.fact(kind, key)),
  )
  return ledger && asCopy(sharedIds.parse(JSON.parse(ledger.body)), copy?.body).synchronizerId
}

function writtenIn(found: CommitFacts, name: FactName): object {
  return z.looseObject({}).parse(JSON.parse(bodyIn(found, name) ?? '{}'))
}

/** Asks for ids in an order that stays the same, so that runs can be alike. */
function idsOf(
  { settings, profile }: Pick<IdsInput, 'profile' | 'settings'>,
  idFor: (name: string, hint?: string) => string,
): z.output<typeof allIds> {
  const { svName, networkName } = resolveNetworkSettings(settings.network, profile)
  return {
    synchronizerId: idFor(nameOf(settings.synchronizerId)),
    dso: idFor(networkName, 'DSO'),
    sv: idFor(svName, partyHint(svName, '')),
    participantUid: idFor(nameOf(settings.participantId)),
  }
}

/** The name without the namespace that a configuration may hold beside it. */
function nameOf(id: string): string {
  return id.split('::')[0] ?? id
}

/** A full id in the configuration names the ledger that it is meant for; it makes none. */
function assertMeant(
  { synchronizerId, participantUid }: AllIds,
  meant: Pick<IdsInput['settings'], 'participantId' | 'synchronizerId'>,
): void {
  const own = { synchronizerId, participantId: participantUid }
  // A node's name is another one in a copy, and its namespace is not.
  const isOwn = {
    synchronizerId: meant.synchronizerId === synchronizerId,
    participantId: nodeSpace(meant.participantId) === nodeSpace(participantUid),
  }
  for (const name of ['synchronizerId', 'participantId'] as const)
    if (meant[name].includes('::') && !isOwn[name])
      throw new Error(
        `ledger.${name} is "${meant[name]}", but this ledger's is "${own[name]}"; a new ledger draws its own: leave out what is after the name`,
      )
}
