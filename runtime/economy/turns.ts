// How automations read contracts that anyone can create in any number: party by party, a page of
// each, from where the last look stopped. A party delays only itself, and the cost of a look does
// not grow with the number of contracts. docs/decisions/0011-floods.md
import type { AutomationRun } from '../host/plugin.ts'
import type { ActivePage, Contract, Reader, TemplateKey } from '../engine/index.ts'
import type { ActivePosition } from '../store/store.ts'
import { Recent } from '../host/recent.ts'
import { MAX_NAMES } from '../work/limits.ts'
import { Tries } from './tries.ts'

/** Limits of one look. */
export interface TurnLimits {
  /** Parties that get a turn. */
  readonly parties: number
  /** Contracts of one party. */
  readonly each: number
  /** Contracts of all: once there are as many, the next look goes on. */
  readonly contracts: number
}

/** Few enough for an automation that looks once a second. */
export const TURN_LIMITS: TurnLimits = { parties: 200, each: 20, contracts: 2_000 }

/** Filter and order of a party's contracts. */
export type TurnFilter = Pick<ActivePage, 'order' | 'maxRank'>

/** A party's turn. */
export interface Turn<T> {
  /** The party under the key by which turns are taken. */
  readonly party: string
  readonly contracts: readonly Contract<T>[]
  /**
   * Says that nothing came of it: a party that has more than one look reads is then passed over for
   * a while.
   */
  fruitless(): void
}

/** Whose look it is; it asks for another one where this one does not read everything. */
export interface Looking {
  readonly economy: { readonly reader: Reader }
  readonly again: Pick<AutomationRun['again'], 'soon'>
}

/** Bytes of payloads that a page has, as far as the page before it tells. */
const PAGE_BYTES = 1_048_576

/**
 * Pages of single parties, each from where the one before ended; after the last one from the start.
 */
export class Pages<T> {
  readonly #key: TemplateKey<T>
  readonly #each: number
  /** Places in parties that have more than one page. */
  #places = new Recent<ActivePosition>(MAX_NAMES)
  /** Limits of parties whose contracts are large. */
  readonly #limits = new Recent<number>(MAX_NAMES)
  /** Parties whose pages came to nothing. */
  #tries = new Tries(Infinity)

  /** `key` says whose a contract is. */
  constructor(key: TemplateKey<T>, each = TURN_LIMITS.each) {
    this.#key = key
    this.#each = each
  }

  /** The party's next contracts; undefined where it is passed over. */
  async next(
    reader: Reader,
    party: string,
    filter: TurnFilter = {},
  ): Promise<readonly Contract<T>[] | undefined> {
    if (!this.#tries.isDue(party)) return undefined
    const after = this.#places.get(party)
    const limit = this.#limits.get(party) ?? this.#each
    const page = await reader.under(this.#key, party, {
      ...filter,
      limit,
      ...(after === undefined ? {} : { after }),
    })
    this.#remember(party, page, limit)
    return page
  }

  /**
   * Nothing came of the party's page: where there is more than that, it is passed over, twice as
   * often each time.
   */
  fruitless(party: string): void {
    if (this.hasMoreOf(party)) this.#tries.failed(party)
  }

  /** Some parties have more than the pages that were read last. */
  get hasMore(): boolean {
    return this.#places.size > 0
  }

  /** The party has more than the page that was read last. */
  hasMoreOf(party: string): boolean {
    return this.#places.get(party) !== undefined
  }

  /** Nobody has more: everybody is read from the start, and nobody passed over. */
  restart(): void {
    this.#places = new Recent(MAX_NAMES)
    this.#tries = new Tries(Infinity)
  }

  /** Something of the party is new: it is not passed over. */
  wake(party: string): void {
    this.#tries.done(party)
  }

  #remember(party: string, page: readonly Contract<T>[], limit: number): void {
    const next = fittingLimit(page, this.#each)
    const last = page.length < limit ? undefined : page.at(-1)
    if (next === this.#each) this.#limits.delete(party)
    else this.#limits.set(party, next)
    if (last === undefined) {
      this.#places.delete(party)
      this.#tries.done(party)
    } else this.#places.set(party, { rank: last.record.rank, sequence: last.sequence })
  }
}

/** All parties that have contracts of a template, in turn. One for each automation and template. */
export class Turns<T> {
  readonly #key: TemplateKey<T>
  readonly #limits: TurnLimits
  readonly #pages: Pages<T>
  /** The last party that had its turn; '' is the start. */
  #after = ''
  /** Whether a party that had its turn since the start has more. */
  #isMore = false
  /** Limit of the page that shows whether there are few contracts altogether. */
  #headLimit: number

  /** `key` says whose a contract is. */
  constructor(key: TemplateKey<T>, limits: Partial<TurnLimits> = {}) {
    this.#key = key
    this.#limits = { ...TURN_LIMITS, ...limits }
    this.#pages = new Pages(key, this.#limits.each)
    this.#headLimit = this.#limits.each
  }

  /** Wakes a party, as in `Pages`. */
  wake(party: string): void {
    this.#pages.wake(party)
  }

  /**
   * The turns of this look. Whoever ends early ends the look there: the next one goes on with the
   * next party.
   */
  async *look(
    { economy: { reader }, again }: Looking,
    filter: TurnFilter = {},
  ): AsyncGenerator<Turn<T>, void> {
    try {
      if (this.#after === '') this.#isMore = false
      const few = this.#after === '' ? await this.#few(reader, filter) : undefined
      yield* few ?? this.#inTurn(reader, filter)
    } finally {
      if (this.#after !== '' || this.#isMore) again.soon()
    }
  }

  /** The contracts of all turns of this look. */
  async contracts(looking: Looking, filter: TurnFilter = {}): Promise<readonly Contract<T>[]> {
    const turns = await Array.fromAsync(this.look(looking, filter), ({ contracts }) => contracts)
    return turns.flat()
  }

  /** All there is, where it is less than a page: then one read is enough. */
  async #few(reader: Reader, filter: TurnFilter): Promise<readonly Turn<T>[] | undefined> {
    const limit = this.#headLimit
    const head = await reader.active(this.#key.template, {}, { ...filter, limit })
    this.#headLimit = fittingLimit(head, this.#limits.each)
    if (head.length >= limit) return undefined
    this.#pages.restart()
    return Array.from(
      Map.groupBy(head, ({ record }) => this.#key.of(record)),
      ([party, contracts]) => this.#turn(party, contracts),
    )
  }

  async *#inTurn(reader: Reader, filter: TurnFilter): AsyncGenerator<Turn<T>, void> {
    const { parties, contracts } = this.#limits
    let read = 0
    const next = await reader.keys(this.#key, this.#after, parties)
    for (const party of next) {
      if (read >= contracts) return
      this.#after = party
      const page = await this.#pages.next(reader, party, filter)
      this.#isMore ||= this.#pages.hasMoreOf(party)
      read += page?.length ?? 0
      if (page !== undefined && page.length > 0) yield this.#turn(party, page)
    }
    if (next.length < parties) this.#after = ''
  }

  #turn(party: string, contracts: readonly Contract<T>[]): Turn<T> {
    return { party, contracts, fruitless: () => this.#pages.fruitless(party) }
  }
}

/** The number of contracts like these that a page may have. */
function fittingLimit(page: readonly Contract<unknown>[], most: number): number {
  const bytes = page.reduce((sum, { record }) => sum + record.payload.length, 0)
  return bytes === 0
    ? most
    : Math.min(most, Math.max(1, Math.floor((page.length * PAGE_BYTES) / bytes)))
}
