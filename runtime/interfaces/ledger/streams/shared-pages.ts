// Pages of updates that several readers share: a commit wakes all streams at the end of the ledger,
// and each would read and decode the same updates. What is stored of an update never changes; a
// page that could have grown since is continued by its reader.
import type { SeenQuery, SeenUpdates, Store, UpdateRecord } from '../../../store/store.ts'

/**
 * Bodies of a page, bytes; pages become shorter where updates are long. Each stream that is behind
 * holds one, decoded several times as large.
 */
export const FEED_PAGE_BYTES = 131_072
const MAX_PAGES = 4
/** Then nobody holds them any more, milliseconds. */
const KEPT_MS = 1_000

export class SharedPages {
  readonly #store: Store
  /** Pages read last, oldest first. */
  readonly #pages = new Map<string, Promise<readonly UpdateRecord[]>>()
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /**
   * The first updates after an offset that one of the parties sees, and how far that goes: read for
   * this reader alone, who is far from the end. Others may be among them, and later ones.
   */
  async seenBy(query: Omit<SeenQuery, 'maxBytes'>): Promise<SeenUpdates> {
    return this.#store.contracts.updatesSeenBy({ ...query, maxBytes: FEED_PAGE_BYTES })
  }

  /**
   * The first updates after an offset, as they were a second ago at most; empty only where there
   * are none now.
   */
  after(offset: bigint, size: number): Promise<readonly UpdateRecord[]> {
    const name = `${offset} ${size}`
    return this.#pages.get(name) ?? this.#keep(name, this.#read(name, offset, size))
  }

  /** A page that is empty, or could not be read, is read again by the next one. */
  async #read(name: string, offset: bigint, size: number): Promise<readonly UpdateRecord[]> {
    let count = 0
    try {
      const page = await this.#store.contracts.updatesAfter(offset, size, FEED_PAGE_BYTES)
      count = page.length
      // What is decoded of them must not live as long as a store in memory.
      return page.map((record) => ({ ...record }))
    } finally {
      if (count === 0) this.#pages.delete(name)
    }
  }

  #keep(name: string, page: Promise<readonly UpdateRecord[]>): Promise<readonly UpdateRecord[]> {
    this.#pages.set(name, page)
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref()
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest)
    return page
  }

  #forget(): void {
    this.#timer = undefined
    this.#pages.clear()
  }
}
