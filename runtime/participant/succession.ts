// Which topology may follow the one in force: the next serial of everything that it changes, signed
// by those who are in force until then. docs/decisions/0047-topology-is-dated.md
import { fill } from '../errors/catalogue.ts'
import type { HostingRecord } from './hosting-record.ts'
import type { Namespaces } from './namespace-record.ts'
import type { Dated, DatedTopology, NamespaceOwners } from './topology/dated.ts'
import { hasSameSigners } from './topology/party-topology.ts'
import { texts } from './topology/texts.ts'

/** Serials of one topology that a copy has, the first of which it does not use. */
export const SERIALS_OF_A_COPY = 4_096

/** The state that holds until then. */
export interface InForce {
  readonly hosting: HostingRecord | undefined
  readonly namespaces: Namespaces
  /** The same as in `NodeIdentity`. */
  readonly serialBase: number
}

/** The state that is to hold from then on; `topology` as in `PartyRecord`. */
export interface Successor {
  readonly topology: string
  readonly dated: DatedTopology
}

/** The reason why a topology does not follow. */
export interface TopologyRefusal {
  readonly refused: string
}

/** `same`: it is in force. `exists`: the party is there, and this would make it anew. */
export type Succession = 'exists' | 'next' | 'same' | TopologyRefusal

/** A mapping beside the hosting, and the last one of its kind. */
interface Part {
  readonly name: string
  readonly brought: Dated
  readonly inForce: Dated | undefined
  /** The serial that follows the one in force; undefined after a copy's last one. */
  readonly next: number | undefined
}

/**
 * The serial that follows one in force. A copy of a ledger goes on from its own base: what is
 * signed for the one is not the next on the other. Nothing follows a copy's last one: it has used
 * all others. docs/decisions/0048-copies.md
 */
export function nextSerial(serial: number, base: number): number | undefined {
  if (base === 0) return serial + 1
  const last = base + SERIALS_OF_A_COPY - 1
  if (serial === last) return undefined
  return (serial >= base && serial < last ? serial : base) + 1
}

/** The relation of a topology to the one in force. All its signatures have been verified. */
export function successionOf(inForce: InForce, successor: Successor): Succession {
  const { hosting } = inForce
  // A party that a node signs for stays with it.
  if (hosting?.topology === '') return 'exists'
  const { dated } = successor
  const parts = partsOf(inForce, dated)
  if (hosting !== undefined && hosting.serial === dated.serial) {
    const isSame = hosting.topology === successor.topology && !changesPlace(hosting, dated)
    if (isSame) return refusalOf(firstOf(parts, repeatedProblem)) ?? 'same'
  }
  const whole = hostingPart(inForce, dated)
  if (dated.serial !== whole.next)
    return dated.serial === 1 ? 'exists' : { refused: serialText(whole) }
  const problem =
    firstOf(parts, nextProblem) ??
    definitionProblem(inForce, dated) ??
    keysProblem(hosting, successor)
  if (problem !== undefined) return { refused: problem }
  return hosting === undefined || changes(hosting, parts, successor) ? 'next' : 'exists'
}

function refusalOf(problem: string | undefined): TopologyRefusal | undefined {
  return problem === undefined ? undefined : { refused: problem }
}

function changes(hosting: HostingRecord, parts: readonly Part[], next: Successor): boolean {
  return (
    hosting.topology !== next.topology ||
    changesPlace(hosting, next.dated) ||
    parts.some(({ brought, inForce }) => brought.serial !== inForce?.serial)
  )
}

/** The keys were in the hosting and are in a transaction of their own now, or the reverse. */
function changesPlace({ keys }: HostingRecord, { keyMapping }: DatedTopology): boolean {
  return keys.apart !== (keyMapping !== undefined)
}

function partsOf(
  { hosting, namespaces, serialBase }: InForce,
  dated: DatedTopology,
): readonly Part[] {
  const { definition, keyMapping, namespace, delegations } = dated
  const known = namespaces.get(namespace)?.definition
  // A key speaks for itself wherever it is.
  const roots = [...delegations].map(([key, brought]) =>
    partOf(`NamespaceDelegation of ${key}`, brought, namespaces.get(key)?.root),
  )
  const owners =
    definition &&
    partOf(
      `DecentralizedNamespaceDefinition of ${namespace}`,
      datedOwners(definition),
      known && datedOwners(known),
      serialBase,
    )
  const keys =
    keyMapping && partOf('PartyToKeyMapping', keyMapping, hosting?.keys.mapping, serialBase)
  return [...roots, owners, keys].filter((part) => part !== undefined)
}

function hostingPart({ hosting, serialBase }: InForce, { serial }: DatedTopology): Part {
  const inForce = hosting && { serial: hosting.serial, content: hosting.topology }
  return partOf('PartyToParticipant', { serial, content: '' }, inForce, serialBase)
}

function partOf(name: string, brought: Dated, inForce: Dated | undefined, base = 0): Part {
  const next = inForce === undefined ? 1 : nextSerial(inForce.serial, base)
  return { name, brought, inForce, next }
}

function datedOwners({ serial, threshold, owners }: NamespaceOwners): Dated {
  return { serial, content: [String(threshold), ...owners].join(' ') }
}

function firstOf(
  parts: readonly Part[],
  problemOf: (part: Part) => string | undefined,
): string | undefined {
  return parts.map(problemOf).find((problem) => problem !== undefined)
}

/** The problem of what was in force before; nothing changes without the next hosting. */
function repeatedProblem(part: Part): string | undefined {
  const { brought, inForce, next } = part
  if (inForce !== undefined && brought.serial === next)
    return fill(texts.withoutHosting, { name: part.name, serial: String(brought.serial) })
  return nextProblem(part)
}

function nextProblem(part: Part): string | undefined {
  const { name, brought, inForce, next } = part
  if (brought.serial === inForce?.serial)
    return brought.content === inForce.content
      ? undefined
      : fill(texts.otherContent, { name, serial: String(brought.serial) })
  return brought.serial === next ? undefined : serialText(part)
}

function serialText({ name, brought, inForce, next }: Part): string {
  const serial = String(brought.serial)
  if (inForce === undefined) return fill(texts.notFirstSerial, { name, serial })
  const facts = { name, serial, inForce: String(inForce.serial) }
  return next === undefined
    ? fill(texts.noNextSerial, facts)
    : fill(texts.notNextSerial, { ...facts, next: String(next) })
}

/**
 * The problem of a definition: owners of the namespace speak for successors, newcomers for
 * themselves.
 */
function definitionProblem(
  { namespaces }: InForce,
  { namespace, definition, delegations }: DatedTopology,
): string | undefined {
  if (definition === undefined) return undefined
  const known = namespaces.get(namespace)?.definition
  const owners = new Set([...definition.owners, ...(known?.owners ?? [])])
  const stranger = [...delegations.keys()].find((key) => !owners.has(key))
  if (stranger !== undefined) return fill(texts.notOfOwner, { namespace: stranger })
  if (known === undefined || known.serial === definition.serial) return undefined
  const kind = 'DecentralizedNamespaceDefinition'
  const added = definition.owners.filter((owner) => !known.owners.includes(owner))
  const silent = added.find((owner) => !definition.signers.has(owner))
  return (
    tooFew(kind, definition.signers, known) ??
    (silent && fill(texts.signatureMissing, { kind, key: silent }))
  )
}

function tooFew(
  kind: string,
  signers: ReadonlySet<string>,
  { owners, threshold }: Pick<NamespaceOwners, 'owners' | 'threshold'>,
): string | undefined {
  const count = owners.filter((owner) => signers.has(owner)).length
  const facts = { kind, count: String(count), threshold: String(threshold) }
  return count < threshold ? fill(texts.tooFewOwners, facts) : undefined
}

/**
 * Keys in a transaction of their own have a serial of their own, which says nothing of when the
 * hosting got others: they change the keys in force only where these are apart as well.
 */
function keysProblem(
  hosting: HostingRecord | undefined,
  { topology, dated: { keyMapping } }: Successor,
): string | undefined {
  if (hosting === undefined || keyMapping === undefined) return undefined
  const { apart, mapping } = hosting.keys
  if (apart && keyMapping.serial !== mapping?.serial) return undefined
  return hasSameSigners(hosting.topology, topology)
    ? undefined
    : fill(texts.otherKeys, { serial: String(keyMapping.serial) })
}
