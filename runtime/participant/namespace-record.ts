// What is in force of a namespace: who owns it and how many of them speak for it, or the key that
// is its root. One fact for each namespace, whichever node hosts its parties.
// docs/decisions/0047-topology-is-dated.md
import { z } from 'zod'
import type { ContractStore, FactName, FactRecord } from '../store/contract-store.ts'
import type { Dated, DatedTopology, NamespaceOwners } from './topology/dated.ts'

const KIND = 'namespace'

const written = z.object({
  definition: z
    .object({
      serial: z.int(),
      threshold: z.int(),
      owners: z.array(z.string()),
    })
    .optional(),
  root: z.object({ serial: z.int(), content: z.string() }).optional(),
})

/** A namespace of several owners has a definition, that of one key a root. */
export interface NamespaceRecord {
  readonly definition?: NamespaceOwners | undefined
  readonly root?: Dated | undefined
}

export type Namespaces = ReadonlyMap<string, NamespaceRecord>

/** Facts of all namespaces that a topology is about. */
export function namespaceFacts({
  namespace,
  definition,
  delegations,
}: DatedTopology): readonly FactName[] {
  const keys = new Set([...(definition === undefined ? [] : [namespace]), ...delegations.keys()])
  return [...keys].map((key) => ({ kind: KIND, key }))
}

/** The definitions and delegations in force of the namespaces that a topology is about. */
export async function readNamespaces(
  contracts: Pick<ContractStore, 'fact'>,
  topology: DatedTopology,
): Promise<Namespaces> {
  const facts = await Promise.all(
    namespaceFacts(topology).map(({ kind, key }) => contracts.fact(kind, key)),
  )
  return new Map(
    facts.flatMap((fact) => (fact === undefined ? [] : [[fact.key, parsed(fact.body)]])),
  )
}

/** The same as `readNamespaces`, of the facts that a commit has read. */
export function namespacesAmong(
  facts: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Namespaces {
  return new Map([...(facts.get(KIND) ?? [])].map(([key, body]) => [key, parsed(body)]))
}

/** The facts that put a topology in force: nothing of what stays as it is. */
export function changedNamespaces(
  { namespace, definition, delegations }: DatedTopology,
  inForce: Namespaces,
): readonly FactRecord[] {
  const changed: (readonly [string, NamespaceRecord])[] = []
  const known = inForce.get(namespace)?.definition
  if (definition !== undefined && definition.serial !== known?.serial) {
    const { serial, threshold, owners } = definition
    changed.push([namespace, { definition: { serial, threshold, owners } }])
  }
  for (const [key, root] of delegations)
    if (inForce.get(key)?.root?.serial !== root.serial) changed.push([key, { root }])
  return changed.map(([key, record]) => ({ kind: KIND, key, body: JSON.stringify(record) }))
}

function parsed(body: string): NamespaceRecord {
  return written.parse(JSON.parse(body))
}
