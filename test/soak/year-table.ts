// What a simulated year took, as a table, and whether it still grew when it should not.
import type { Month } from './year.ts'

/** Growth of a month over the first one after the kept span. */
const GROWTH = 1.1
/**
 * What a round leaves for good: its total, its fees, its snapshot and a coupon of the development
 * fund that nobody claims.
 */
const ROUND_BYTES = 4_096
/** Bytes that a payment leaves in indexes of PostgreSQL, whose pages stay while a row is left. */
const PAYMENT_BYTES = 350

/** A header, and a line for each month, sizes in MB. */
export function tableOf(lived: readonly Month[]): readonly string[] {
  const lines = lived.map(({ month, payments, updates, bytes, storedBytes, sizes }) => [
    ...[month, payments, updates].map(String),
    ...[bytes, storedBytes].map(megabytes),
    ...NAMES.map((name) => megabytes(bytesOf(sizes, name))),
  ])
  return [HEAD, ...lines].map((cells) => cells.map((cell) => cell.padStart(10)).join(' '))
}

const NAMES = ['contracts', 'stakes', 'updates', 'logs', 'facts', 'commands']
const HEAD = ['month', 'payments', 'updates', 'data', 'stored', ...NAMES]

function bytesOf({ tables }: Month['sizes'], wanted: string): number {
  return tables.find(({ name }) => name === wanted)?.bytes ?? 0
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(2)
}

/** Undefined where the data takes no more than it did one month after the kept ones. */
export function growthAfter(lived: readonly Month[], keepMonths: number): string | undefined {
  const [first, last] = [lived[keepMonths], lived.at(-1)]
  if (first === undefined || last === undefined) return 'the year is too short'
  const forRounds = (last.rounds - first.rounds) * ROUND_BYTES
  const forPayments = (last.payments - first.payments) * PAYMENT_BYTES
  if (last.bytes <= first.bytes * GROWTH + forRounds + forPayments) return undefined
  return `month ${first.month} took ${megabytes(first.bytes)} MB, month ${last.month} takes ${megabytes(last.bytes)}`
}
