// A step of the machine's clock that nobody has confirmed, and how long it stays in doubt.
// docs/decisions/0050-the-ledgers-own-time.md

/** The machine's clock has stepped away from the ledger's time. */
export interface Doubt {
  /** Elapsed time since which it has been steady; microseconds. */
  readonly since: number
  /** Its lead at that time. */
  readonly lead: number
}

/** How fast small differences are taken over: ten times as fast as time services correct clocks. */
export const FOLLOWED = 0.005
/** A steady clock differs no more than this, besides what is followed. */
const STEADY_MICROS = 250_000
const MIN_MICROS = 60_000_000

/** Whether the clock, ahead by `lead` now, has gone on since. */
export function isSteady(doubt: Doubt, elapsed: number, lead: number): boolean {
  const tolerated = STEADY_MICROS + (elapsed - doubt.since) * FOLLOWED
  return Math.abs(lead - doubt.lead) <= tolerated
}

/**
 * The time from which a steady clock is believed: after as long as it has stepped, within bounds.
 */
export function endOf({ since, lead }: Doubt, maxMicros: bigint): number {
  return since + Math.min(Math.max(Math.abs(lead), MIN_MICROS), Number(maxMicros))
}
