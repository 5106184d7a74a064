// Which lines of the history a person wants to see.
import { wireAmount } from './amount.ts'
import type { HistoryLine } from './history-line.ts'
import type { Group } from './history-words.ts'
import { nameOf } from './party.ts'

type Direction = 'any' | 'in' | 'out' | 'none'

export interface HistoryFilter {
  readonly group: Group | 'any'
  readonly direction: Direction
  readonly text: string
  /** Days of this machine's calendar, `2026-11-21`; empty for no limit. Both days are in. */
  readonly from: string
  readonly to: string
}

export const EVERYTHING: HistoryFilter = {
  group: 'any',
  direction: 'any',
  text: '',
  from: '',
  to: '',
}

/** True where nothing is left out. */
export function isEverything({ group, direction, text, from, to }: HistoryFilter): boolean {
  return group === 'any' && direction === 'any' && text.trim() === '' && from === '' && to === ''
}

/** The lines that are wanted, in their order. */
export function filtered(
  lines: readonly HistoryLine[],
  filter: HistoryFilter,
): readonly HistoryLine[] {
  if (isEverything(filter)) return lines
  const text = filter.text.trim().toLowerCase()
  const [from, to] = [firstMillis(filter), lastMillis(filter)]
  return lines.filter((line) => {
    if (filter.group !== 'any' && line.group !== filter.group) return false
    if (filter.direction !== 'any' && directionOf(line) !== filter.direction) return false
    if (text !== '' && !searchedIn(line).includes(text)) return false
    const at = Date.parse(line.at)
    return at >= from && at < to
  })
}

/** True where nothing older than this line can be wanted: lines come newest first. */
export function isBefore(filter: HistoryFilter, line: HistoryLine | undefined): boolean {
  return line !== undefined && filter.from !== '' && Date.parse(line.at) < firstMillis(filter)
}

/**
 * What a search looks through, in small letters: words, names, ids, and amounts as the wire has
 * them.
 */
function searchedIn(line: HistoryLine): string {
  const { title, description, note, others, id, choice } = line
  return [title, description, note, ...others, ...others.map(nameOf), id, choice, amountsOf(line)]
    .join('\n')
    .toLowerCase()
}

function amountsOf({ amount, entry }: HistoryLine): string {
  if (entry?.transaction_type === 'transfer')
    return [entry.sender, ...entry.receivers].map((one) => one.amount).join(' ')
  return amount === undefined || entry === undefined ? '' : wireAmount(amount)
}

function directionOf({ amount = 0n }: Pick<HistoryLine, 'amount'>): Direction {
  return amount > 0n ? 'in' : amount < 0n ? 'out' : 'none'
}

function firstMillis({ from }: HistoryFilter): number {
  return from === '' ? -Infinity : Date.parse(`${from}T00:00:00`)
}

/** The beginning of the day after, which need not be 24 hours later. */
function lastMillis({ to }: HistoryFilter): number {
  if (to === '') return Infinity
  const day = new Date(`${to}T00:00:00`)
  day.setDate(day.getDate() + 1)
  return day.getTime()
}
