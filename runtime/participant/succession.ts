// Which topology may follow the one in force: the next serial of everything that it changes, signed
// by those who are in force until then. docs/decisions/0047-topology-is-dated.md
import { fill } from '../errors/catalogue.ts'
import type { HostingRecord } from './hosting-record.ts'
import type { Namespaces } from './namespace-record.ts'
import type { Dated, DatedTopology, NamespaceOwners } from './topology/dated.ts'
import { hasSameSigners } from './topology/party-topology.ts'
import { texts } from './topology/texts.ts'

/** What holds until then. */
export interface InForce {
  readonly hosting: HostingRecord | undefined
  readonly namespaces: Namespaces
}

/** What is to hold from then on; `topology` as in `PartyRecord`. */
export interface Successor {
  readonly topology: string
  readonly dated: DatedTopology
}

/** Why a topology does not follow. */
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
}

/** How a topology stands to the one in force. All its signatures have been verified. */
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
  if (dated.serial !== (hosting?.serial ?? 0) + 1)
    return dated.serial === 1 ? 'exists' : { refused: serialText(hostingPart(hosting, dated)) }
  const problem =
    firstOf(parts, nextProblem) ??
    definitionProblem(inForce, dated) ??
    keysProblem(hosting, successor) ??
    firstDatedProblem(inForce, dated)
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
  return keys !== undefined && keys.apart !== (keyMapping !== undefined)
}

function partsOf({ hosting, namespaces }: InForce, dated: DatedTopology): readonly Part[] {
  const { definition, keyMapping, namespace, delegations } = dated
  const known = namespaces.get(namespace)?.definition
  const roots = [...delegations].map(([key, brought]) => ({
    name: `NamespaceDelegation of ${key}`,
    brought,
    inForce: namespaces.get(key)?.root,
  }))
  const owners = definition && {
    name: `DecentralizedNamespaceDefinition of ${namespace}`,
    brought: datedOwners(definition),
    inForce: known && datedOwners(known),
  }
  const keys = keyMapping && {
    name: 'PartyToKeyMapping',
    brought: keyMapping,
    inForce: hosting?.keys?.mapping,
  }
  return [...roots, owners, keys].filter((part) => part !== undefined)
}

function hostingPart(hosting: HostingRecord | undefined, { serial }: DatedTopology): Part {
  const inForce = hosting && { serial: hosting.serial, content: hosting.topology }
  return { name: 'PartyToParticipant', brought: { serial, content: '' }, inForce }
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

/** What was in force is no problem again, and nothing changes without the next hosting. */
function repeatedProblem(part: Part): string | undefined {
  const { brought, inForce } = part
  if (inForce !== undefined && brought.serial === inForce.serial + 1)
    return fill(texts.withoutHosting, { name: part.name, serial: String(brought.serial) })
  return nextProblem(part)
}

function nextProblem(part: Part): string | undefined {
  const { name, brought, inForce } = part
  if (brought.serial === inForce?.serial)
    return brought.content === inForce.content
      ? undefined
      : fill(texts.otherContent, { name, serial: String(brought.serial) })
  return brought.serial === (inForce?.serial ?? 0) + 1 ? undefined : serialText(part)
}

function serialText({ name, brought, inForce }: Part): string {
  const serial = String(brought.serial)
  return inForce === undefined
    ? fill(texts.notFirstSerial, { name, serial })
    : fill(texts.notNextSerial, { name, serial, inForce: String(inForce.serial) })
}

/** Those who own the namespace speak for their successors; who is new to it speaks for itself. */
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
  const { apart = false, mapping } = hosting.keys ?? {}
  if (apart && keyMapping.serial !== mapping?.serial) return undefined
  return hasSameSigners(hosting.topology, topology)
    ? undefined
    : fill(texts.otherKeys, { serial: String(keyMapping.serial) })
}

/**
 * A party from before topology was dated: nobody knows which definition its owners had in force, so
 * all that the namespace is named after speak for it, once.
 */
function firstDatedProblem(
  { hosting, namespaces }: InForce,
  { namespace, definition, signers }: DatedTopology,
): string | undefined {
  if (hosting === undefined || hosting.keys !== undefined || definition === undefined)
    return undefined
  const owners = namespaces.get(namespace)?.definition?.founders ?? definition.owners
  return tooFew('PartyToParticipant', signers, { owners, threshold: owners.length })
}
