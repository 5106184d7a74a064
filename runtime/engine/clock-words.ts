// Times and differences of clocks in lines for people.
import { DAY_MICROS, HOUR_MICROS } from './durations.ts'

const UNITS = [
  ['days', DAY_MICROS],
  ['hours', HOUR_MICROS],
  ['minutes', 60_000_000n],
  ['seconds', 1_000_000n],
] as const

/** `25.0 hours ahead of`, or `behind`. */
export function aheadText(lead: bigint): string {
  return lead > 0n ? `${spanOf(lead)} ahead of` : `${spanOf(-lead)} behind`
}

/** The span in the largest unit of which there are two, with one digit behind the point. */
export function spanOf(micros: bigint): string {
  const [unit, length] = UNITS.find(([, each]) => micros >= 2n * each) ?? UNITS[3]
  return `${(Number(micros) / Number(length)).toFixed(1)} ${unit}`
}

export function timeText(micros: bigint): string {
  return new Date(Number(micros / 1_000n)).toISOString()
}
