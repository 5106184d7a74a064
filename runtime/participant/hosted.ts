// Which parties live on this node, and when, where it is one of several on a ledger: nothing else
// may be read through it. docs/decisions/0032-nodes.md
import type { PartyRecord, Store } from '../store/store.ts'
import { ALWAYS, hostingVersion, isOpen, readHostings } from './hosting-record.ts'
import type { HostingSpan } from './hosting-record.ts'

/** Whether the reader's node may be informed of what a party sees. */
export type Sees = (party: string) => boolean

/** The offsets between which a contract was active; 0 for the end of one that still is. */
interface Life {
  readonly createdOffset: bigint
  readonly archivedOffset: bigint
}

interface HostedInput {
  /** Tells nodes apart where what was made for one reader may serve another. */
  readonly node: string
  /** The node's `nodeSpace`. */
  readonly space: string
  /** The store with the parties that the node knows, whether it hosts them or not. */
  readonly store: Pick<Store, 'contracts' | 'parties' | 'updates'>
  /** Parties that live here and are in no store: the network's own. */
  readonly also?: readonly string[]
}

type Spans = ReadonlyMap<string, readonly HostingSpan[]>

const PAGE = 500
/** Parties that are remembered, of each of the two sorts. */
const MAX_KNOWN = 50_000

/**
 * The parties of one node. That a party lives here for which the node signs is remembered, since it
 * never moves. How one with keys of its own is hosted is remembered for what happened until then,
 * and asked again for later updates; that a party does not live here is always asked again.
 */
export class HostedParties {
  readonly node: string
  readonly #input: HostedInput
  readonly #own: ReadonlySet<string>
  readonly #staying = new Set<string>()
  readonly #moving = new Map<string, readonly HostingSpan[]>()
  /** The offset up to which `#moving` holds. */
  #upTo = -1n
  #version: string | undefined

  constructor(input: HostedInput) {
    this.node = input.node
    this.#input = input
    this.#own = new Set(input.also)
  }

  /** The parties that lived here when the update at an offset came, and saw it here. */
  async seersOf(parties: Iterable<string>, offset: bigint): Promise<Sees> {
    const spans = await this.#spansOf(parties, offset)
    return within(spans, ({ from, to }) => from < offset && (to === undefined || offset <= to))
  }

  /** The parties that live here right after an offset. */
  async hostedAt(parties: Iterable<string>, offset: bigint): Promise<Sees> {
    const spans = await this.#spansOf(parties)
    return within(spans, ({ from, to }) => from <= offset && (to === undefined || offset <= to))
  }

  /** The parties that lived here while a contract was active. */
  async hostedDuring(
    parties: Iterable<string>,
    { createdOffset, archivedOffset }: Life,
  ): Promise<Sees> {
    const spans = await this.#spansOf(parties)
    return within(
      spans,
      ({ from, to }) =>
        (archivedOffset === 0n || from < archivedOffset) &&
        (to === undefined || createdOffset <= to),
    )
  }

  /** The parties that live here now, in their order. */
  async only(parties: readonly string[]): Promise<readonly string[]> {
    const spans = await this.#spansOf(parties)
    return parties.filter((party) => isOpen(spans.get(party)))
  }

  /** @param offset of an update that is there already; absent: as of now */
  async #spansOf(parties: Iterable<string>, offset?: bigint): Promise<Spans> {
    const found = new Map<string, readonly HostingSpan[]>()
    const rest = new Set<string>()
    for (const party of parties)
      if (this.#own.has(party) || this.#staying.has(party)) found.set(party, ALWAYS)
      else rest.add(party)
    if (rest.size === 0) return found
    if (this.#moving.size > 0) await this.#require(offset)
    for (const party of rest) {
      const spans = this.#moving.get(party)
      if (spans === undefined) continue
      found.set(party, spans)
      rest.delete(party)
    }
    for (const [party, spans] of await this.#read([...rest])) found.set(party, spans)
    return found
  }

  /** Forgets what may have changed before an update at this offset, or until now. */
  async #require(offset: bigint | undefined): Promise<void> {
    if (offset !== undefined && offset <= this.#upTo) return
    const { updates, contracts } = this.#input.store
    // In this order: what changes after the version was read concerns later updates only.
    const end = await updates.ledgerEnd()
    const version = await hostingVersion(contracts)
    if (version !== this.#version) this.#moving.clear()
    this.#version = version
    this.#upTo = end
  }

  async #read(parties: readonly string[]): Promise<[string, readonly HostingSpan[]][]> {
    const { store } = this.#input
    const found: [string, readonly HostingSpan[]][] = []
    for (let from = 0; from < parties.length; from += PAGE)
      found.push(...(await this.#taken(await store.parties.get(parties.slice(from, from + PAGE)))))
    return found
  }

  async #taken(known: readonly PartyRecord[]): Promise<[string, readonly HostingSpan[]][]> {
    const moving = known.filter(({ topology }) => topology !== '')
    const staying = known.filter(({ topology, isLocal }) => topology === '' && isLocal)
    return [
      ...staying.map(({ party }): [string, readonly HostingSpan[]] => [party, this.#stays(party)]),
      ...(moving.length === 0 ? [] : await this.#moves(moving)),
    ]
  }

  #stays(party: string): readonly HostingSpan[] {
    const oldest = this.#staying.values().next()
    if (this.#staying.size >= MAX_KNOWN && !oldest.done) this.#staying.delete(oldest.value)
    this.#staying.add(party)
    return ALWAYS
  }

  async #moves(known: readonly PartyRecord[]): Promise<[string, readonly HostingSpan[]][]> {
    if (this.#version === undefined) await this.#require(undefined)
    const version = this.#version
    const { space, store } = this.#input
    const parties = known.map(({ party }) => party)
    const hostings = await readHostings(store.contracts, parties)
    const found = known.map(({ party, isLocal }): [string, readonly HostingSpan[]] => {
      const hosting = hostings.get(party)
      return [party, hosting?.hosts.get(space) ?? (hosting || !isLocal ? [] : ALWAYS)]
    })
    // What was read while another reader found a change may be older than that.
    if (version !== this.#version) return found
    for (const [party, spans] of found) {
      if (this.#moving.size >= MAX_KNOWN) this.#moving.clear()
      this.#moving.set(party, spans)
    }
    return found
  }
}

function within(spans: Spans, fits: (span: HostingSpan) => boolean): Sees {
  return (party) => spans.get(party)?.some(fits) === true
}
