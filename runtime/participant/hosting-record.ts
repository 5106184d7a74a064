// Which nodes of a ledger host a party with keys of its own, and since which offset: one fact for
// each such party, the only word on it where there is one. docs/decisions/0032-nodes.md
import { z } from 'zod'
import { nodeSpace } from './node.ts'
import { storedForm, whole } from '../store/stored-form.ts'
import type { ContractStore, FactName, FactRecord } from '../store/contract-store.ts'

const KIND = 'party-hosting'

/** Changes with every hosting, so that a reader knows whether what it remembers still holds. */
const CHANGES = { kind: 'party-hosting-changes', key: '' }

const agreedGrant = z.object({
  uid: z.string(),
  key: z.string(),
  userId: z.string(),
  inProvider: z.string(),
  maxRights: z.int(),
})

const keysInForce = z.object({
  apart: z.boolean(),
  mapping: z.object({ serial: z.int(), content: z.string() }).optional(),
})

/** A span from the ledger's state after `from` until that after `to`; absent: for good. */
export interface HostingSpan {
  readonly from: bigint
  readonly to?: bigint
}

const span = z.codec(z.tuple([whole, whole.nullable()]), z.custom<HostingSpan>(), {
  decode: ([from, to]) => ({ from, ...(to !== null && { to }) }),
  encode: ({ from, to = null }): [bigint, bigint | null] => [from, to],
})

const form = z.object({
  /** The serial of the topology that holds; 0 where none does. */
  serial: z.int(),
  /** The same as in `PartyRecord`. */
  topology: z.string(),
  /** Spans by `nodeSpace` of each node that is or was a host, the oldest span first. */
  hosts: z.codec(
    z.record(z.string(), z.array(span)),
    z.custom<ReadonlyMap<string, readonly HostingSpan[]>>(),
    {
      decode: (all) => new Map(Object.entries(all).map(([uid, spans]) => [nodeSpace(uid), spans])),
      encode: (all) => Object.fromEntries([...all].map(([space, spans]) => [space, [...spans]])),
    },
  ),
  /** Decided with the hosting, and not given yet: a process may die in between. */
  grants: z.array(agreedGrant).readonly().optional(),
  keys: keysInForce,
})

const stored = storedForm(form)

/** A party's hosting, present and past. */
export type HostingRecord = Readonly<z.output<typeof form>>

/** A grant of acting for a party at a new host: `uid` and `key` are the node's. */
export type AgreedGrant = Readonly<z.output<typeof agreedGrant>>

/**
 * Where the keys in force are from: a transaction of their own (`apart`), or the hosting. `mapping`
 * is the last such transaction, in force or not.
 */
export type KeysInForce = Readonly<z.output<typeof keysInForce>>

/** The span of a party that is nowhere else, and never was. */
export const ALWAYS: readonly HostingSpan[] = [{ from: 0n }]

/** Facts that a change of a party's hosting reads and writes. */
export function hostingFacts(party: string): readonly FactName[] {
  return [{ kind: KIND, key: party }, CHANGES]
}

/** Undefined for a party whose hosting was never written down. */
export async function readHosting(
  contracts: Pick<ContractStore, 'fact'>,
  party: string,
): Promise<HostingRecord | undefined> {
  return parsed((await contracts.fact(KIND, party))?.body)
}

/** Parties that are asked for one by one. */
const FEW = 3

/**
 * As `readHosting`, of many: those of a page stand together, so they are read together, with those
 * of other nodes between them. Where these are more than a page, the rest is read one by one.
 */
export async function readHostings(
  contracts: Pick<ContractStore, 'fact' | 'facts'>,
  parties: readonly string[],
): Promise<ReadonlyMap<string, HostingRecord>> {
  // Ids are ASCII: this is the order of their bytes.
  const asked = parties.toSorted()
  const [first, ...others] = asked
  const single = (party: string) => contracts.fact(KIND, party)
  if (first === undefined || asked.length <= FEW)
    return recordsOf(await Promise.all(asked.map(single)))
  const limit = 2 * others.length
  const [head, page] = await Promise.all([single(first), contracts.facts(KIND, first, limit)])
  const end = page.length < limit ? undefined : page.at(-1)?.key
  const rest = end === undefined ? [] : others.filter((party) => party > end)
  return recordsOf([head, ...page, ...(await Promise.all(rest.map(single)))])
}

function recordsOf(facts: readonly (FactRecord | undefined)[]): ReadonlyMap<string, HostingRecord> {
  const found = new Map<string, HostingRecord>()
  for (const fact of facts) {
    const hosting = parsed(fact?.body)
    if (fact !== undefined && hosting !== undefined) found.set(fact.key, hosting)
  }
  return found
}

/** The same as `readHosting`, of the facts that a commit has read. */
export function hostingAmong(
  facts: ReadonlyMap<string, ReadonlyMap<string, string>>,
  party: string,
): HostingRecord | undefined {
  return parsed(facts.get(KIND)?.get(party))
}

/** The facts that a commit writes; `offset` is the end of the ledger that it has read. */
export function changedHosting(
  party: string,
  { grants = [], ...hosting }: HostingRecord,
  offset: bigint,
): readonly FactRecord[] {
  const body = stored.write({ ...hosting, ...(grants.length > 0 && { grants }) })
  const changed = JSON.stringify({ party, serial: hosting.serial, offset: String(offset) })
  return [
    { kind: KIND, key: party, body },
    { ...CHANGES, body: changed },
  ]
}

/** Another text after each change of any party's hosting. */
export async function hostingVersion(contracts: Pick<ContractStore, 'fact'>): Promise<string> {
  return (await contracts.fact(CHANGES.kind, CHANGES.key))?.body ?? ''
}

/** Spaces of the nodes that host the party now, by `nodeSpace`. */
export function hostsNow({ hosts }: Pick<HostingRecord, 'hosts'>): readonly string[] {
  return [...hosts].filter(([, spans]) => isOpen(spans)).map(([space]) => space)
}

/** Whether the last span goes on. */
export function isOpen(spans: readonly HostingSpan[] | undefined): boolean {
  const last = spans?.at(-1)
  return last !== undefined && last.to === undefined
}

interface NextHosting {
  readonly serial: number
  readonly topology: string
  readonly keys: KeysInForce
  /** Spaces by `nodeSpace`. */
  readonly spaces: readonly string[]
  /** Grants; those that count are of nodes that never had the party. */
  readonly grants: readonly AgreedGrant[]
}

/** The next hosting: who comes is a host from the offset on, and who is left out until then. */
export function rehosted(
  { hosts, grants = [] }: Pick<HostingRecord, 'grants' | 'hosts'>,
  next: NextHosting,
  offset: bigint,
): HostingRecord {
  const all = new Map(hosts)
  for (const [space, spans] of hosts)
    if (isOpen(spans) && !next.spaces.includes(space))
      all.set(
        space,
        spans.map((span) => ({ to: offset, ...span })),
      )
  for (const space of next.spaces) {
    const spans = all.get(space) ?? []
    if (!isOpen(spans)) all.set(space, begun(spans, offset))
  }
  const left = grants.filter(({ uid }) => next.spaces.includes(nodeSpace(uid)))
  const given = next.grants.filter(({ uid }) => !hosts.has(nodeSpace(uid)))
  const { serial, topology, keys } = next
  return { serial, topology, keys, hosts: all, grants: [...left, ...given] }
}

/** Spans with a new one. Who comes back before anything happened missed nothing. */
function begun(spans: readonly HostingSpan[], offset: bigint): readonly HostingSpan[] {
  const last = spans.at(-1)
  return last?.to === offset
    ? [...spans.slice(0, -1), { from: last.from }]
    : [...spans, { from: offset }]
}

function parsed(body: string | undefined): HostingRecord | undefined {
  const hosting = body === undefined ? undefined : stored.read(body)
  return hosting?.serial === 0 ? undefined : hosting
}
