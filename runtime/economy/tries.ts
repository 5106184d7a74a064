// Work that an automation could not do, and when to retry it: after each failure, twice as many
// looks pass, and after some failures it is dropped. Counted in looks, so that no clock matters.
// docs/decisions/0011-floods.md
import type { AutomationRun } from '../host/plugin.ts'
import { Recent } from '../host/recent.ts'
import { MAX_NAMES } from '../work/limits.ts'
import { SubmissionRejected } from './network/commands.ts'

/** Failures after which nothing is tried again, unless it is said otherwise. */
const MAX_FAILURES = 10

/** Looks that go by between two tries at most, where nothing is given up. */
const MAX_WAITS = 64

interface Entry {
  readonly failures: number
  /** Looks that go by before the next try. */
  waits: number
  /** The means that there were. */
  readonly means: bigint
  /** It was too little: more of it wakes the automation. */
  readonly isShort: boolean
}

/** Something that is tried for a party. */
interface Attempt {
  readonly id: string
  /** The party that made it necessary. */
  readonly party: string
  /** The sentence for people, where it is given up: `the contract cannot be ended`. */
  readonly what: string
  /** The means, as in `isDue`. */
  readonly means?: bigint
}

/** Remembers what failed, when it is tried again, and what is given up. */
export class Tries {
  readonly #most: number
  /** Parties of whom a run was told that something failed. */
  readonly #told = new Recent<true>(MAX_NAMES)
  readonly #entries = new Recent<Entry>(MAX_NAMES)

  /** @param most failures after which a thing is left alone; Infinity: nothing is ever given up */
  constructor(most = MAX_FAILURES) {
    this.#most = most
  }

  /**
   * Whether a thing is to be tried now; to be asked once a look. One that failed is due at once
   * where there are more means than then, whatever it was that failed before.
   */
  isDue(id: string, means = 0n): boolean {
    const entry = this.#entries.get(id)
    if (entry === undefined || means > entry.means) return true
    if (entry.failures >= this.#most) return false
    entry.waits -= 1
    return entry.waits < 0
  }

  /** Notes a failure; answers whether it was the last one: then somebody should be told. */
  failed(id: string, means = 0n, isShort = false): boolean {
    const failures = (this.#entries.get(id)?.failures ?? 0) + 1
    this.#entries.set(id, { failures, waits: this.#waitsAfter(failures), means, isShort })
    return failures === this.#most
  }

  /** It was done, or there is nothing left to do. */
  done(id: string): void {
    this.#entries.delete(id)
  }

  /** Leaves it alone from now on. */
  giveUp(id: string): void {
    this.#entries.set(id, { failures: this.#most, waits: 0, means: 0n, isShort: false })
  }

  /** Whether it is tried again by time alone, not given up or short of means. */
  isWaiting(id: string): boolean {
    const entry = this.#entries.get(id)
    return entry !== undefined && entry.failures < this.#most && !entry.isShort
  }

  /**
   * Does `work` where it is due, and asks for another run where it is refused and not given up;
   * false says that there is too little to do it with. What the ledger refuses is counted, and
   * thrown only where it is the first of its party, so that the run tells of it: a run that fails
   * is held back, and what one party planted must not hold back the others. All else is thrown.
   */
  async attempt(
    { id, party, what, means = 0n }: Attempt,
    { log, again }: Pick<AutomationRun, 'again' | 'log'>,
    work: () => Promise<boolean>,
  ): Promise<void> {
    const isDue = this.isDue(id, means)
    const rejection = isDue
      ? await work().then((isDone) => (isDone ? undefined : ''), rejectionIn)
      : ''
    if (rejection === undefined) return this.done(id)
    const reason = rejection === '' ? {} : { reason: rejection.message }
    if (isDue && this.failed(id, means, rejection === ''))
      log.warn({ party, id, ...reason }, `${what}; it is not tried again`)
    if (this.isWaiting(id)) again.soon()
    if (rejection !== '' && this.#isNew(party)) throw rejection
  }

  #isNew(party: string): boolean {
    const isNew = this.#told.get(party) === undefined
    this.#told.set(party, true)
    return isNew
  }

  #waitsAfter(failures: number): number {
    const waits = 2 ** (failures - 1)
    return this.#most === Infinity ? Math.min(waits, MAX_WAITS) : waits
  }
}

function rejectionIn(error: unknown): SubmissionRejected {
  if (error instanceof SubmissionRejected) return error
  throw error
}
