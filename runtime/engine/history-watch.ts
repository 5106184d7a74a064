// Detects a database that went back in time, or has another history than this server saw. An
// update's id is random and is written with everything before it, so a database with the same id at
// the same offset has the same history. docs/decisions/0025-one-history.md
import { CommitRejected } from '../store/rules.ts'
import type { ContractStore, History, LedgerEnd } from '../store/store.ts'
import type { Invariants } from './invariants.ts'

/** An update that was seen committed. */
export interface Link extends LedgerEnd {
  readonly updateId: string
}

export const NO_LINK: Link = { offset: 0n, recordTime: 0n, updateId: '' }

type ReadHistory = ContractStore['history']

/** More of them are thinned out, the older ones first: they are there to say what is missing. */
const MAX_LINKS = 512

export class HistoryWatch {
  readonly #invariants: Invariants
  /** Links by offset; the last one is the end as far as this server has seen it. */
  #links: readonly Link[]
  #problem: string | undefined
  #onBroken: () => void = () => {}
  readonly #lookers = new Set<(end: bigint) => void>()

  /** `links`, by offset, is what this server remembers of earlier. */
  constructor(invariants: Invariants, links: readonly Link[] = []) {
    this.#invariants = invariants
    this.#links = links
  }

  /** The last update that was seen. */
  get last(): Link {
    return this.#links.at(-1) ?? NO_LINK
  }

  get links(): readonly Link[] {
    return this.#links
  }

  /**
   * Why nothing may be read or written any more, one line: undefined where all is well. Stays until
   * the process ends, since what it holds in memory is of a history that is gone.
   */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Called once, when it is found that the history is another one. */
  onBroken(listener: () => void): void {
    this.#onBroken = listener
  }

  /** Called after each look at the store, with the offset at which the ledger ended. */
  onLook(listener: (end: bigint) => void): void {
    this.#lookers.add(listener)
  }

  /** An update was committed, or read as the last one. */
  extend({ offset, recordTime, updateId }: Link): void {
    if (offset > this.last.offset)
      this.#links = thinned([...this.#links, { offset, recordTime, updateId }])
  }

  /** Throws a CommitRejected where the history was found to be another one. */
  require(): void {
    if (this.#problem !== undefined) throw new CommitRejected('history', this.#problem)
  }

  /**
   * To be called with what a commit reads under its lock, and with what was the last link when it
   * was asked. Throws a CommitRejected.
   */
  judge(asked: Link, end: LedgerEnd, seen: string | undefined, read: ReadHistory): void {
    this.require()
    if (follows(asked, end, seen)) return
    this.#break(lossOf(asked, undefined, end))
    void this.#explain(read)
    this.require()
  }

  /**
   * Asks the store, and remembers its end. Rejects with a CommitRejected, or as the store does.
   */
  async check(read: ReadHistory): Promise<History> {
    this.require()
    const asked = this.last
    const history = await read(asked.offset)
    const { end, last, seen } = history
    this.require()
    if (!follows(asked, end, seen)) {
      this.#break(lossOf(asked, undefined, end))
      await this.#explain(read)
    }
    this.require()
    if (last !== undefined) this.extend({ ...end, updateId: last })
    for (const listener of this.#lookers) listener(end.offset)
    return history
  }

  #break(line: string): void {
    if (this.#problem !== undefined) return
    this.#problem = line
    this.#onBroken()
  }

  /** Says how much is missing, as far as the store still answers. */
  async #explain(read: ReadHistory): Promise<void> {
    const loss = await lossIn(this.#links, read).catch(() => undefined)
    this.#problem = loss ?? this.#problem
    if (this.#problem !== undefined) this.#invariants.breached('history', this.#problem)
  }
}

/** Whether the update is where it was, as far as the store still knows. */
function follows(asked: Link, end: LedgerEnd, seen: string | undefined): boolean {
  const isLater = end.offset >= asked.offset && end.recordTime >= asked.recordTime
  return isLater && (seen === undefined || seen === asked.updateId)
}

/**
 * One line that says what of `links`, which are by offset, the store does not have; undefined where
 * it has the last one.
 */
export async function lossIn(
  links: readonly Link[],
  read: ReadHistory,
): Promise<string | undefined> {
  const last = links.at(-1) ?? NO_LINK
  const isThere = async (link: Link): Promise<boolean> => {
    const { end, seen } = await read(link.offset)
    return follows(link, end, seen)
  }
  if (await isThere(last)) return undefined
  // Those before the fork are all there, those after it are not.
  let [low, high] = [0, links.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const link = links[middle]
    if (link !== undefined && (await isThere(link))) low = middle + 1
    else high = middle
  }
  return lossOf(last, links[low - 1], (await read(0n)).end)
}

/** `kept` is the last link that is still there. */
function lossOf(last: Link, kept: Link | undefined, end: LedgerEnd): string {
  const from = (kept?.offset ?? 0n) + 1n
  const missing =
    kept === undefined
      ? `updates up to offset ${last.offset}, recorded until ${timeOf(last)},`
      : `up to ${last.offset - kept.offset} updates, offsets ${from} to ${last.offset}, recorded after ${timeOf(kept)},`
  return `the database has another history than this server has seen: ${missing} are missing or replaced by others; it ends at offset ${end.offset}, ${timeOf(end)}`
}

function timeOf({ recordTime }: LedgerEnd): string {
  return new Date(Number(recordTime / 1_000n)).toISOString()
}

function thinned(links: readonly Link[]): readonly Link[] {
  if (links.length <= MAX_LINKS) return links
  const half = MAX_LINKS / 2
  return links.filter((_, index) => index >= half || index % 2 === 0)
}
