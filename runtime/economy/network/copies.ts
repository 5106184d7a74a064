// What makes the data of a ledger a ledger of its own, wherever it comes from: another synchronizer
// and other participants, so that what is signed for the origin is not valid there, nor the other
// way round. docs/decisions/0048-copies.md
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { broughtTraffic, NO_WRITES, TRAFFIC, TRAFFIC_LIMIT } from '../../engine/index.ts'
import { namespaceOf, nodeSpace } from '../../participant/node.ts'
import type { NodeIdentity } from '../../participant/node.ts'
import { SERIALS_OF_A_COPY } from '../../participant/succession.ts'
import { MAX_NAME_LENGTH, uniqueIdentifier } from '../../participant/topology/unique-identifier.ts'
import { bodyIn } from '../../store/rules.ts'
import type { FactName, FactRecord, Store } from '../../store/store.ts'
import { knownNodes, MAX_NODES, nodeFact } from './nodes.ts'
import type { KnownNode } from './nodes.ts'

/** Kind of the facts that say which ids a ledger has. */
export const IDS = 'ids'
export const COPY: FactName = { kind: IDS, key: 'copy' }
/** The beginning of every fingerprint. */
const FINGERPRINT_PREFIX = '1220'
const SUFFIX_BYTES = 8

/** `suffix`: what names of nodes are to end in; absent where they do, or keep their names. */
const written = z.object({ namespace: z.string(), suffix: z.string().optional() })

/** `drawn`: the node's name in the origin of all copies. */
export const nodeIds = z.object({ participantUid: z.string(), drawn: z.string().optional() })

/** The fact that holds the id of a node. */
export function ownName(key: string): FactName {
  return { kind: IDS, key: `node/${key}` }
}

/** The fact that makes data a copy; written before a server opens it. */
export function copyFact(): FactRecord {
  const suffix = randomBytes(SUFFIX_BYTES).toString('hex')
  return copied({ namespace: namespaceOf(randomBytes(32)), suffix })
}

/** A copy has the synchronizer's name in common with its origin, and not the namespace. */
export function asCopy<T extends Pick<NodeIdentity, 'synchronizerId'>>(
  ids: T,
  copy: string | undefined,
): T & Pick<NodeIdentity, 'serialBase'> {
  if (copy === undefined) return { ...ids, serialBase: 0 }
  const { namespace } = written.parse(JSON.parse(copy))
  const [name = ''] = ids.synchronizerId.split('::')
  const synchronizerId = uniqueIdentifier(name, namespace)
  return { ...ids, synchronizerId, serialBase: serialBaseOf(namespace) }
}

/** One of half a million, below 2^31 with all that a copy adds to it. */
function serialBaseOf(namespace: string): number {
  const drawn = Number.parseInt(namespace.slice(FINGERPRINT_PREFIX.length, 12), 16)
  return ((drawn % (2 ** 19 - 1)) + 1) * SERIALS_OF_A_COPY
}

interface CopiedNode {
  readonly key: string
  readonly before: string
  readonly ids: z.output<typeof nodeIds> & { readonly drawn: string }
  /** Absent for the one node of a ledger. */
  readonly known: KnownNode | undefined
}

/**
 * Gives all nodes their names in a copy, once, before any of them serves. Each keeps its namespace,
 * in which ids of parties end, and takes its traffic along.
 */
export async function openCopy({ contracts }: Pick<Store, 'contracts'>): Promise<void> {
  const copy = (await contracts.fact(COPY.kind, COPY.key))?.body
  const { suffix, ...opened } = written.parse(JSON.parse(copy ?? '{"namespace":""}'))
  if (suffix === undefined) return
  const nodes = await nodesIn({ contracts }, suffix)
  const facts = [COPY, ...nodes.flatMap(({ before }) => trafficNames(before))]
  await contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts },
    decide: (found) => {
      const renamed = nodes.flatMap(({ key, before, ids, known }) => [
        { ...ownName(key), body: JSON.stringify(ids) },
        ...(known ? [nodeFact({ ...known, participantUid: ids.participantUid })] : []),
        ...broughtTraffic(
          memberOf(ids.participantUid),
          trafficNames(before).map((name) => bodyIn(found, name)),
        ),
      ])
      const writes = bodyIn(found, COPY) === copy ? [copied(opened), ...renamed] : []
      return { writes: { ...NO_WRITES, facts: writes }, result: undefined }
    },
  })
}

/** All of the ledger, also those that no server has started since. */
async function nodesIn(
  store: Pick<Store, 'contracts'>,
  suffix: string,
): Promise<readonly CopiedNode[]> {
  const [known, named] = await Promise.all([
    knownNodes(store),
    store.contracts.facts(IDS, ownName('').key, MAX_NODES),
  ])
  const later = named.map(({ key }) => key.slice(ownName('').key.length))
  const keys = new Set(['', ...known.map(({ key }) => key), ...later])
  const nodes = Array.from(keys, async (key): Promise<CopiedNode[]> => {
    const own = await store.contracts.fact(IDS, ownName(key).key)
    const node = known.find((each) => each.key === key)
    const ids = own ? nodeIds.parse(JSON.parse(own.body)) : node
    return ids === undefined ? [] : [{ key, known: node, ...renamed(ids, suffix) }]
  })
  return (await Promise.all(nodes)).flat()
}

function renamed(
  { participantUid: before, drawn: known }: z.output<typeof nodeIds>,
  suffix: string,
): Pick<CopiedNode, 'before' | 'ids'> {
  const space = nodeSpace(before)
  const drawn = known ?? before.slice(0, -`::${space}`.length)
  const name = `${drawn.slice(0, MAX_NAME_LENGTH - suffix.length - 1)}-${suffix}`
  return { before, ids: { participantUid: uniqueIdentifier(name, space), drawn } }
}

function copied(copy: z.output<typeof written>): FactRecord {
  return { ...COPY, body: JSON.stringify(copy) }
}

function trafficNames(participantUid: string): readonly FactName[] {
  return [TRAFFIC, TRAFFIC_LIMIT].map((kind) => ({ kind, key: memberOf(participantUid) }))
}

function memberOf(participantUid: string): string {
  return `PAR::${participantUid}`
}
