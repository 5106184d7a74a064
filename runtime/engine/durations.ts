// Lengths of time, and the last time, in microseconds: the unit of every time on the ledger.

/** A second, in microseconds. */
export const SECOND_MICROS = 1_000_000n
/** An hour, in microseconds. */
export const HOUR_MICROS = 3_600n * SECOND_MICROS
/** A day of 24 hours, in microseconds. */
export const DAY_MICROS = 24n * HOUR_MICROS
/** A century: the longest term that a setting takes. */
export const LONGEST_TERM_MICROS = 36_500n * DAY_MICROS
/** The last microsecond of the year 9999: no later time can be written. */
export const LAST_MICROS = 253_402_300_799_999_999n
