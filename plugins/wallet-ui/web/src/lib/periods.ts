// Periods that people and tax offices ask for, in days of this machine's calendar.
import type { HistoryFilter } from './history-filter.ts'
import { t } from './language.ts'

type Days = Pick<HistoryFilter, 'from' | 'to'>

interface Period {
  readonly value: string
  readonly label: string
  /** First and last day; '' for no limit. */
  readonly days: () => Days
}

export const PERIODS: readonly Period[] = [
  { value: 'all', label: t('All time'), days: () => ({ from: '', to: '' }) },
  { value: 'month', label: t('This month'), days: () => monthsFrom(0, 1) },
  { value: 'last-month', label: t('Last month'), days: () => monthsFrom(-1, 1) },
  { value: 'year', label: t('This year'), days: () => yearFrom(0) },
  { value: 'last-year', label: t('Last year'), days: () => yearFrom(-1) },
]

/** The period that these are the days of; null for days of the person's own. */
export function periodOf({ from, to }: Days): string | null {
  const found = PERIODS.find(({ days }) => days().from === from && days().to === to)
  return found?.value ?? null
}

function monthsFrom(offset: number, months: number): Days {
  const now = new Date()
  const [year, month] = [now.getFullYear(), now.getMonth() + offset]
  return { from: dayText(new Date(year, month, 1)), to: dayText(new Date(year, month + months, 0)) }
}

function yearFrom(offset: number): Days {
  const year = new Date().getFullYear() + offset
  return { from: `${year}-01-01`, to: `${year}-12-31` }
}

function dayText(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((one) =>
    String(one).padStart(2, '0'),
  )
  return `${date.getFullYear()}-${month}-${day}`
}
