// The rules of docs/external-parties.md on what a signed topology may change, small enough to be
// read beside that page. Holders, nodes and parties are names; whatever is said to be signed is.

/** Owners of the namespace of all parties here, and how many of them speak for it. */
export interface Definition {
  readonly serial: number
  readonly threshold: number
  readonly owners: readonly string[]
  readonly by: readonly string[]
}

/** Hosts of a party; `keys` are absent if they are in a transaction of their own. */
export interface Hosting {
  readonly party: string
  readonly serial: number
  readonly hosts: readonly string[]
  readonly keys?: readonly string[]
  readonly by: readonly string[]
}

/** Keys in a transaction of their own; any one of them signs for the party. */
export interface KeyMapping {
  readonly party: string
  readonly serial: number
  readonly keys: readonly string[]
  readonly by: readonly string[]
}

/** Topology that somebody submits at a node. */
export interface Handed {
  readonly at: string
  readonly definition: Definition
  readonly hosting: Hosting
  readonly mapping?: KeyMapping | undefined
  /** Owners that bring the root of their own namespace, and so its key. */
  readonly roots: readonly string[]
}

export interface PartyInForce {
  readonly serial: number
  readonly hosts: readonly string[]
  readonly keys: readonly string[]
  readonly apart: boolean
  readonly mapping: { readonly serial: number; readonly keys: readonly string[] } | undefined
}

/** `kept`: nothing changes, and nobody is told of a problem that would matter. */
export type Outcome = 'kept' | 'refused' | 'taken'

export class TopologyModel {
  readonly #founders: readonly string[]
  readonly parties = new Map<string, PartyInForce>()
  definition: Definition | undefined
  readonly #agreed = new Set<string>()

  constructor(founders: readonly string[]) {
    this.#founders = founders
  }

  hand(handed: Handed): Outcome {
    const { at, definition, hosting, mapping } = handed
    const keys = hosting.keys ?? mapping?.keys
    if (keys === undefined || (hosting.keys !== undefined && mapping !== undefined))
      return 'refused'
    if (!hosting.hosts.includes(at) || !this.#isSigned(handed)) return 'refused'
    const before = this.parties.get(hosting.party)
    const last = before?.mapping
    const follows = [
      isNext(this.definition, definition, ownersOf),
      ...(mapping === undefined ? [] : [isNext(last, mapping, keysOf)]),
    ]
    if (before !== undefined && hosting.serial === before.serial) {
      const isSame =
        same(hosting.hosts, before.hosts) &&
        same(keys, before.keys) &&
        before.apart === (mapping !== undefined)
      return isSame && follows.every((each) => each === 'same') ? 'kept' : 'refused'
    }
    if (hosting.serial !== (before?.serial ?? 0) + 1 || follows.includes('no')) return 'refused'
    const changes =
      before === undefined ||
      follows.includes('next') ||
      before.apart !== (mapping !== undefined) ||
      !same(hosting.hosts, before.hosts) ||
      !same(keys, before.keys)
    if (!changes) return 'refused'
    if (mapping !== undefined && before !== undefined) {
      const mayChange = before.apart && mapping.serial !== last?.serial
      if (!mayChange && !same(keys, before.keys)) return 'refused'
    }
    const others = hosting.hosts.filter((host) => host !== at)
    const consent = (host: string) =>
      JSON.stringify([host, hosting.party, hosting.serial, hosting.hosts, keys])
    this.#agreed.add(consent(at))
    const waits = others.some(
      (host) => before?.hosts.includes(host) !== true && !this.#agreed.has(consent(host)),
    )
    if (waits) return 'kept'
    this.definition = definition
    this.parties.set(hosting.party, {
      serial: hosting.serial,
      hosts: hosting.hosts,
      keys,
      apart: mapping !== undefined,
      mapping: mapping ?? last,
    })
    return 'taken'
  }

  /** Whether all signed who have to, whatever is in force except for the definition. */
  #isSigned({ definition, hosting, mapping, roots }: Handed): boolean {
    const { owners, threshold, by } = definition
    const known = this.definition
    const welcome = [...owners, ...(definition.serial > 1 ? (known?.owners ?? []) : [])]
    const named = [...roots, ...(hosting.keys ?? mapping?.keys ?? [])]
    const signers = [...by, ...hosting.by, ...(mapping?.by ?? [])]
    if (count(roots, welcome) < roots.length || count(signers, named) < signers.length) return false
    const speaks = (signers: readonly string[]) => count(owners, signers) >= threshold
    const isFounding = same(owners, this.#founders) && count(owners, by) === owners.length
    const isInherited =
      known !== undefined &&
      count(known.owners, by) >= known.threshold &&
      owners.every((owner) => known.owners.includes(owner) || by.includes(owner))
    const isDefined =
      definition.serial === 1 ? isFounding : known?.serial === definition.serial || isInherited
    return (
      isDefined &&
      by.length > 0 &&
      speaks(hosting.by) &&
      count(hosting.keys ?? [], hosting.by) === (hosting.keys?.length ?? 0) &&
      (mapping === undefined ||
        (speaks(mapping.by) && count(mapping.keys, mapping.by) === mapping.keys.length))
    )
  }
}

function isNext<T extends { readonly serial: number }>(
  inForce: T | undefined,
  brought: T,
  contentOf: (one: T) => string,
): 'next' | 'no' | 'same' {
  if (brought.serial === (inForce?.serial ?? 0) + 1) return 'next'
  if (inForce === undefined || brought.serial !== inForce.serial) return 'no'
  return contentOf(inForce) === contentOf(brought) ? 'same' : 'no'
}

function ownersOf({ threshold, owners }: Definition): string {
  return JSON.stringify([threshold, owners.toSorted()])
}

function keysOf({ keys }: { readonly keys: readonly string[] }): string {
  return JSON.stringify(keys.toSorted())
}

function count(names: readonly string[], signers: readonly string[]): number {
  return names.filter((name) => signers.includes(name)).length
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted())
}
