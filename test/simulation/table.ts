// A simulated run as lines of text.
import { ONE } from '../properties/model/arithmetic.ts'
import type { DayReport, Report } from './simulation.ts'

interface Column {
  readonly name: string
  readonly width: number
  value(day: DayReport): string
}

const of =
  (...keys: readonly string[]) =>
  ({ ends }: DayReport): string =>
    keys.map((key) => ends.get(key) ?? 0).join('/')

const COLUMNS: readonly Column[] = [
  { name: 'day', width: 3, value: ({ day }) => `${day}` },
  { name: 'supply', width: 11, value: ({ samples }) => `${(samples.at(-1)?.supply ?? 0n) / ONE}` },
  {
    name: 'offers c/r/w/x/u',
    width: 17,
    value: of(
      'offer completed',
      'offer rejected',
      'offer withdrawn',
      'offer expired',
      'offer unpaid',
    ),
  },
  {
    name: 'two-step a/r/w/x',
    width: 16,
    value: of('two-step accepted', 'two-step rejected', 'two-step withdrawn', 'two-step expired'),
  },
  { name: 'one-step', width: 8, value: of('one-step completed') },
  { name: 'orders s/x', width: 10, value: of('order sent', 'order expired') },
  { name: 'traffic b/r', width: 11, value: of('traffic bought', 'traffic refused') },
  { name: 'taps', width: 4, value: of('tap') },
  { name: 'coupons c/x', width: 11, value: of('coupon collected', 'coupon expired') },
  { name: 'merges', width: 6, value: of('merge') },
  { name: 'utxos', width: 6, value: ({ samples }) => `${samples.at(-1)?.holdings ?? 0}` },
  {
    name: 'most',
    width: 4,
    value: ({ samples }) => `${Math.max(...samples.map(({ mostHoldings }) => mostHoldings))}`,
  },
  {
    name: 'least MB',
    width: 8,
    value: ({ samples }) => (Math.min(...samples.map(({ traffic }) => traffic)) / 1e6).toFixed(2),
  },
  { name: 'updates', width: 7, value: ({ updates }) => `${updates}` },
  {
    name: 'ms/round',
    width: 8,
    value: ({ samples }) =>
      (samples.reduce((sum, { ms }) => sum + ms, 0) / samples.length).toFixed(1),
  },
]

export function headLine(): string {
  return COLUMNS.map(({ name, width }) => name.padStart(width)).join('  ')
}

export function dayLine(day: DayReport): string {
  return COLUMNS.map(({ value, width }) => value(day).padStart(width)).join('  ')
}

/** Lines for the end. */
export function summary({ days, answers, findings, fingerprint, ms }: Report): readonly string[] {
  const ends = new Map<string, number>()
  const { user, system } = process.cpuUsage()
  const cpu = (user + system) / 1e6
  for (const day of days)
    for (const [key, count] of day.ends) ends.set(key, (ends.get(key) ?? 0) + count)
  return [
    `ends: ${listed(ends)}`,
    `answers: ${listed(answers)}`,
    `${findings.length} findings in ${(ms / 1_000).toFixed(1)} s, of which the processor took ${cpu.toFixed(1)} s; ` +
      `${Math.round(process.memoryUsage().rss / 2 ** 20)} MB; ${fingerprint}`,
  ]
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]) => `${key} ${count}`)
    .join(', ')
}
