// Dates, as days since 1970, and timestamps, as microseconds since then; both from the year 1 to
// the year 9999.
import { arithmeticError } from '../values/failure.ts'
import { integer, ordinal } from './arguments.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'

const DAY_MILLIS = 86_400_000
const FIRST_DAY = -719_162n
const LAST_DAY = 2_932_896n
const DAY_MICROS = 86_400_000_000n

export const timeFunctions = {
  DATE_TO_UNIX_DAYS: (_: Meter, date: Value) => BigInt(ordinal(date)),
  UNIX_DAYS_TO_DATE: (_: Meter, days: Value) => {
    const value = integer(days)
    if (!isDate(value)) throw arithmeticError('UNIX_DAYS_TO_DATE', [String(value)])
    return Number(value)
  },
  DATE_TO_TEXT: (_: Meter, date: Value) =>
    new Date(ordinal(date) * DAY_MILLIS).toISOString().slice(0, 10),
  TIMESTAMP_TO_UNIX_MICROSECONDS: (_: Meter, time: Value) => integer(time),
  UNIX_MICROSECONDS_TO_TIMESTAMP: (_: Meter, micros: Value) => {
    const value = integer(micros)
    if (isTimestamp(value)) return value
    throw arithmeticError('UNIX_MICROSECONDS_TO_TIMESTAMP', [String(value)])
  },
  TIMESTAMP_TO_TEXT: (_: Meter, time: Value) => formatTimestamp(integer(time)),
}

/** Whether there is a date so many days after 1970-01-01. */
function isDate(days: bigint): boolean {
  return days >= FIRST_DAY && days <= LAST_DAY
}

/** Whether there is a timestamp so many microseconds after 1970. */
function isTimestamp(micros: bigint): boolean {
  return micros >= FIRST_DAY * DAY_MICROS && micros < (LAST_DAY + 1n) * DAY_MICROS
}

/** ISO 8601 with no, three or six digits of the second's fraction. */
function formatTimestamp(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19)
  if (fraction === 0n) return `${seconds}Z`
  return `${seconds}.${String(fraction).padStart(6, '0').replace(/000$/, '')}Z`
}
