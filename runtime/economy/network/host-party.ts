// What follows when every node has agreed to host a party: the entry at each of them, and the facts
// that say who hosts it by which topology. These decide, in one commit of the ledger, also between
// servers; what is done before and after may be done again. docs/decisions/0032-nodes.md,
// docs/decisions/0047-topology-is-dated.md
import { isDeepStrictEqual } from 'node:util'
import type { Engine } from '../../engine/index.ts'
import type { Consented } from '../../participant/identity/cohosting.ts'
import {
  changedHosting,
  hostingAmong,
  hostingFacts,
  readHosting,
  rehosted,
} from '../../participant/hosting-record.ts'
import type { AgreedGrant, HostingRecord } from '../../participant/hosting-record.ts'
import {
  changedNamespaces,
  namespaceFacts,
  namespacesAmong,
} from '../../participant/namespace-record.ts'
import type { NodeIdentity } from '../../participant/node.ts'
import { successionOf } from '../../participant/succession.ts'
import type { Succession } from '../../participant/succession.ts'
import type { DatedTopology } from '../../participant/topology/dated.ts'
import { nodeStore } from '../../store/node-store.ts'
import { actAsRight } from '../../store/rules.ts'
import type { PartyGrant, PartyRecord, PartyStore, Store } from '../../store/store.ts'

/** A node that hosts the party, and as what it keeps it. */
interface Host {
  /** The node's key. */
  readonly key: string
  readonly participantUid: string
  readonly identityProviderId: string
  readonly grantTo: PartyGrant | undefined
}

/** An agreement of nodes on the hosting of a party. */
export interface Agreement {
  readonly party: Omit<PartyRecord, 'resourceVersion'>
  readonly dated: DatedTopology
  /** Spaces of all future hosts of the party, by `nodeSpace`. */
  readonly spaces: readonly string[]
  /** This node, whose caller is told what came of it. */
  readonly own: Host
  readonly others: readonly Host[]
  /** The party's hosting until then. */
  readonly before: HostingRecord | undefined
}

interface LedgerInput {
  /** The store of all nodes. */
  readonly store: Store
  readonly engine: Pick<Engine, 'recordFacts'>
  readonly node: Pick<NodeIdentity, 'serialBase'>
}

const NOBODY: HostingRecord = { serial: 0, topology: '', keys: { apart: false }, hosts: new Map() }

/**
 * A party that is to be: the ledger knows whose it is before any node has it, so that no other
 * takes it meanwhile. It stays free where this node cannot have it as its caller asked; its
 * namespace keeps what was signed of it.
 */
export async function hostFirst(input: LedgerInput, agreement: Agreement): Promise<Consented> {
  const { store } = input
  const { party, own, others } = agreement
  const decided = await decide(input, agreement)
  if (decided !== 'next' && decided !== 'same') return decided
  const { key, identityProviderId, grantTo } = own
  const kept = { ...party, identityProviderId }
  const outcome = await nodeStore(store, key).parties.allocate(kept, grantTo)
  if (outcome !== 'created' && outcome !== 'exists') {
    if (decided === 'next') await release(input, agreement)
    return outcome
  }
  for (const other of others) await allocateAt(store, other, party)
  return outcome
}

/**
 * A party that is there: who is to host it has it before it is hosted there, and people get rights
 * on it only afterwards, and only at a node that never had it. Else whoever hands in what the party
 * has signed could give itself rights where it lives already. Who gets them is decided with the
 * hosting: the same again gives what a process that died has not.
 */
export async function hostAgain(input: LedgerInput, agreement: Agreement): Promise<Consented> {
  const { store } = input
  const { party, own, others } = agreement
  if (await isStranger(store, own)) return 'unknown-user'
  const kept = { ...party, identityProviderId: own.identityProviderId }
  const outcome = await nodeStore(store, own.key).parties.allocate(kept, undefined)
  if (outcome !== 'created' && outcome !== 'exists') return outcome
  for (const other of others) await allocateAt(store, { ...other, grantTo: undefined }, party)
  const decided = await decide(input, agreement)
  if (decided !== 'next' && decided !== 'same') return decided
  return giveRights(input, agreement)
}

/** Gives the agreed rights; answers the outcome of this node's own. */
async function giveRights(
  { store, engine }: LedgerInput,
  { party: { party }, own }: Agreement,
): Promise<Consented> {
  const { grants = [] } = (await readHosting(store.contracts, party)) ?? NOBODY
  if (grants.length === 0) return 'created'
  let outcome: Consented = 'created'
  for (const agreed of grants) {
    const given = await grant(store, agreed, party)
    if (agreed.key === own.key) outcome = given
  }
  await engine.recordFacts(hostingFacts(party), ({ facts, end }) => {
    const known = hostingAmong(facts, party)
    const left = known?.grants?.filter(
      (one) => !grants.some((given) => isDeepStrictEqual(one, given)),
    )
    return known && left ? changedHosting(party, { ...known, grants: left }, end.offset) : []
  })
  return outcome
}

/** Decides between several nodes that want different things at the same moment. */
async function decide({ engine, node }: LedgerInput, agreement: Agreement): Promise<Succession> {
  const { dated, spaces, before, own, others } = agreement
  const { party, topology } = agreement.party
  let decided: Succession = 'exists'
  const names = [...hostingFacts(party), ...namespaceFacts(dated)]
  await engine.recordFacts(names, ({ facts, end }) => {
    const hosting = hostingAmong(facts, party) ?? before
    const namespaces = namespacesAmong(facts)
    const { serialBase } = node
    decided = successionOf({ hosting, namespaces, serialBase }, { topology, dated })
    if (decided !== 'next') return []
    const { serial, keyMapping } = dated
    const offset = serial === 1 ? 0n : end.offset
    const grants = serial === 1 ? [] : grantsOf([own, ...others])
    const mapping = keyMapping ?? hosting?.keys.mapping
    const keys = { apart: keyMapping !== undefined, ...(mapping === undefined ? {} : { mapping }) }
    const next = { serial, topology, keys, spaces, grants }
    return [
      ...changedHosting(party, rehosted(hosting ?? NOBODY, next, offset), end.offset),
      ...changedNamespaces(dated, namespaces),
    ]
  })
  return decided
}

async function release(
  { engine }: LedgerInput,
  { party: { party, topology } }: Agreement,
): Promise<void> {
  await engine.recordFacts(hostingFacts(party), ({ facts, end }) => {
    const known = hostingAmong(facts, party)
    const isOurs = known?.serial === 1 && known.topology === topology
    return isOurs ? changedHosting(party, NOBODY, end.offset) : []
  })
}

async function isStranger(store: Store, { key, grantTo }: Host): Promise<boolean> {
  if (grantTo === undefined) return false
  const user = await nodeStore(store, key).users.get(grantTo.userId)
  return user === undefined || user.identityProviderId !== (grantTo.inProvider ?? '')
}

function grantsOf(hosts: readonly Host[]): readonly AgreedGrant[] {
  return hosts.flatMap(({ key, participantUid: uid, grantTo }) =>
    grantTo === undefined ? [] : [{ uid, key, inProvider: '', ...grantTo }],
  )
}

async function grant(
  store: Store,
  { key, userId, maxRights, inProvider }: AgreedGrant,
  party: string,
): Promise<'created' | 'unknown-user' | 'too-many'> {
  const { users } = nodeStore(store, key)
  const granted = await users.grant(userId, [actAsRight(party)], maxRights, inProvider)
  if (typeof granted !== 'string') return 'created'
  return granted === 'missing' ? 'unknown-user' : 'too-many'
}

/**
 * At another node. Who was to have rights may be gone since: the party comes about without them, as
 * a node that has agreed hosts it.
 */
async function allocateAt(
  store: Store,
  { key, identityProviderId, grantTo }: Host,
  party: Omit<PartyRecord, 'resourceVersion'>,
): ReturnType<PartyStore['allocate']> {
  const { parties } = nodeStore(store, key)
  const outcome = await parties.allocate({ ...party, identityProviderId }, grantTo)
  if (outcome === 'created' || outcome === 'exists') return outcome
  return parties.allocate({ ...party, identityProviderId: '' }, undefined)
}
