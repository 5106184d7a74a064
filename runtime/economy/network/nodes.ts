// The nodes of a ledger, as its facts name them: each is written down when it comes, and stays.
// docs/decisions/0032-nodes.md
import { z } from 'zod'
import type { FactName, FactRecord, Store } from '../../store/store.ts'
import { nodeStore } from '../../store/node-store.ts'
import { ALWAYS, hostsNow, readHosting, readHostings } from '../../participant/hosting-record.ts'
import type { HostingRecord } from '../../participant/hosting-record.ts'
import { nodeSpace } from '../../participant/node.ts'

const KIND = 'node'

/** More than anybody has in one deployment. */
export const MAX_NODES = 1_000

const written = z.object({
  name: z.string(),
  participantUid: z.string(),
  operator: z.string(),
  operatorUser: z.string(),
})

/** A node that never had others is not written down. */
const ALONE = { key: '', participantUid: '' }

/** A node that is known on the ledger. */
export interface KnownNode extends z.output<typeof written> {
  /** The key of what is the node's own in the store; '' for the first node. */
  readonly key: string
}

type Keyed = Pick<KnownNode, 'key' | 'participantUid'>

/** All nodes, the first one first; none where the ledger never had more than one. */
export async function knownNodes({
  contracts,
}: Pick<Store, 'contracts'>): Promise<readonly KnownNode[]> {
  // A page begins after a key, and the first node's is the empty one.
  const [first, others] = await Promise.all([
    contracts.fact(KIND, ''),
    contracts.facts(KIND, '', MAX_NODES),
  ])
  return [...(first === undefined ? [] : [first]), ...others].map(({ key, body }) => ({
    key,
    ...written.parse(JSON.parse(body)),
  }))
}

/** The fact that notes the coming of a node. */
export function nodeName(key: string): FactName {
  return { kind: KIND, key }
}

/** The note of a node's coming. */
export function nodeFact({ key, ...node }: KnownNode): FactRecord {
  return { ...nodeName(key), body: JSON.stringify(node) }
}

/**
 * `PAR::name::fingerprint` of each node that hosts a party, each once, on the whole ledger.
 *
 * @param store of all nodes
 */
export async function hostsAnywhere(store: Store, party: string): Promise<readonly string[]> {
  const hosts = await hostsAmong(store, await knownNodes(store), [party])
  return hosts.get(party) ?? []
}

/**
 * The same as `hostsAnywhere`, by party, of the nodes of the ledger.
 *
 * @param store of all nodes
 */
export async function hostsAmong(
  store: Store,
  nodes: readonly Keyed[],
  parties: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const written = await readHostings(store.contracts, parties)
  const others = parties.filter((party) => !written.has(party))
  const hostings = new Map([...written, ...(await firstHostings(store, nodes, others))])
  return new Map(
    Array.from(hostings, ([party, hosting]) => {
      const spaces = new Set(hostsNow(hosting))
      const hosts = nodes.filter(({ participantUid }) => spaces.has(nodeSpace(participantUid)))
      return [party, hosts.map(({ participantUid }) => `PAR::${participantUid}`)]
    }),
  )
}

/**
 * How a party is hosted; undefined where no node has it. No hosting is written down of a party that
 * its node signs for.
 *
 * @param store of all nodes
 */
export async function hostingOnLedger(
  store: Store,
  party: string,
): Promise<HostingRecord | undefined> {
  const hosting = await readHosting(store.contracts, party)
  if (hosting !== undefined) return hosting
  return (await firstHostings(store, await knownNodes(store), [party])).get(party)
}

/** Hostings of parties that their nodes sign for, by party: none is written down of them. */
async function firstHostings(
  store: Store,
  nodes: readonly Keyed[],
  parties: readonly string[],
): Promise<ReadonlyMap<string, HostingRecord>> {
  const found = new Map<string, HostingRecord>()
  for (const { key, participantUid } of nodes.length === 0 ? [ALONE] : nodes) {
    const rest = parties.filter((party) => !found.has(party))
    if (rest.length === 0) break
    const hosts = new Map([[nodeSpace(participantUid), ALWAYS]])
    for (const { party, topology } of await nodeStore(store, key).parties.get(rest))
      found.set(party, { serial: 1, topology, keys: { apart: false }, hosts })
  }
  return found
}
