// Work that waits, in one line a caller. Next is the first in the line of whoever has had least:
// however much somebody has waiting, the next one is another caller's.
import { Recent } from '../host/recent.ts'
import { MAX_NAMES } from './limits.ts'

interface Line<T> {
  /** Items in order of arrival, by who shares the line: each of them in turn. */
  readonly waiting: Map<unknown, T[]>
  length: number
}

/** The next of what waits, and whose it is. */
interface Next<T> {
  readonly caller: string
  readonly item: T
}

export class Lines<T> {
  readonly #lines = new Map<string, Line<T>>()
  /** The cost of each caller, on one clock: whoever comes begins at the level of the others. */
  readonly #had = new Recent<number>(MAX_NAMES)
  #level = 0

  /** Whether nobody waits. */
  get isEmpty(): boolean {
    return this.#lines.size === 0
  }

  /** The number of a caller's items that wait. */
  lengthOf(caller: string): number {
    return this.#lines.get(caller)?.length ?? 0
  }

  /** @param sharer who shares the caller's line, where several do */
  add(caller: string, item: T, sharer: unknown = caller): void {
    const line = this.#lines.get(caller) ?? this.#newLine(caller)
    line.length += 1
    const own = line.waiting.get(sharer)
    if (own === undefined) line.waiting.set(sharer, [item])
    else own.push(item)
  }

  /** Takes the next one out of its line, of those callers that are ready. */
  next(isReady: (caller: string) => boolean = () => true): Next<T> | undefined {
    let caller: string | undefined
    let least = Infinity
    for (const name of this.#lines.keys()) {
      const had = this.#had.get(name) ?? this.#level
      if (had >= least || !isReady(name)) continue
      caller = name
      least = had
    }
    if (caller === undefined) return undefined
    this.#level = Math.max(this.#level, least)
    const item = this.#shift(caller)
    return item === undefined ? undefined : { caller, item }
  }

  /** Notes that a caller has had so much. */
  charge(caller: string, cost: number): void {
    this.#had.set(caller, this.#hadOf(caller) + cost)
  }

  #hadOf(caller: string): number {
    return Math.max(this.#level, this.#had.get(caller) ?? 0)
  }

  #newLine(caller: string): Line<T> {
    const line: Line<T> = { waiting: new Map(), length: 0 }
    this.#lines.set(caller, line)
    this.#had.set(caller, this.#hadOf(caller))
    return line
  }

  /** The caller goes to the end of the lines, and who shares its line to the end of that. */
  #shift(caller: string): T | undefined {
    const line = this.#lines.get(caller)
    if (line === undefined) return undefined
    const [[sharer, own] = [undefined, []]] = line.waiting
    const item = own.shift()
    line.length -= 1
    line.waiting.delete(sharer)
    if (own.length > 0) line.waiting.set(sharer, own)
    this.#lines.delete(caller)
    if (line.length > 0) this.#lines.set(caller, line)
    return item
  }
}
