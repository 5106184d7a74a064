// Conditions that must always hold, checked in production as in tests. A violation is counted,
// logged and makes the server unready, in a line with its name: a server that may be wrong must not
// answer.
import type { Logger } from '../host/log.ts'

/** Each is described in docs/operations.md. */
const INVARIANTS = [
  /** Record time stays within a bound of the store's clock. */
  'record-time',
  /** Nobody who waits for a contract is forgotten. */
  'overlay',
  /** No submission is under way for longer than a minute. */
  'submission-age',
  /** Offsets and record times follow on the ledger's end, of which there is one. */
  'ledger-end',
  /** Commits that this server has seen stay. */
  'history',
  /** Totals are what contracts add up to. */
  'totals',
] as const

export type Invariant = (typeof INVARIANTS)[number]

export class Invariants {
  readonly #log: Logger | undefined
  /** Counts from 0 on: a first breach is only seen as a rise if there was a value before. */
  readonly #counts = new Map<Invariant, number>(INVARIANTS.map((name) => [name, 0]))
  readonly #standing = new Map<Invariant, string>()

  constructor(log?: Logger) {
    this.#log = log
  }

  /** How often each did not hold, since the start. */
  get counts(): ReadonlyMap<Invariant, number> {
    return this.#counts
  }

  /** Broken invariants, one line; undefined if all hold. */
  get line(): string | undefined {
    const lines = Array.from(this.#standing, ([name, line]) => `${name}: ${line}`)
    return lines.length === 0 ? undefined : lines.join('; ')
  }

  /**
   * It does not hold, from now on until `holds` says otherwise; where that is never said, until the
   * process ends.
   */
  breached(name: Invariant, line: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    if (!this.#standing.has(name))
      this.#log?.error({ invariant: name }, `an invariant does not hold: ${line}`)
    this.#standing.set(name, line)
  }

  /** It holds again. */
  holds(name: Invariant): void {
    if (this.#standing.delete(name))
      this.#log?.info({ invariant: name }, 'the invariant holds again')
  }
}
