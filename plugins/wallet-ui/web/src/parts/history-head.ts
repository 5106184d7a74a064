// What a closed line of the history says: dozens of them come into sight in one frame, so it is
// written into elements that are there already.
import { shownAmount, shownDollars, wireAmount } from '../lib/amount.ts'
import type { Amount } from '../lib/amount.ts'
import type { HistoryLine } from '../lib/history-line.ts'
import { quoted, t } from '../lib/language.ts'
import { nameOf } from '../lib/party.ts'
import classes from './history-row.module.css'
import { hint, plainElement, write } from './plain.ts'
import type { Plain } from './plain.ts'
import { isoText, timeText } from './when.tsx'

export type HeadValues = readonly [
  line: HistoryLine,
  coin: string,
  /** Dollars for a coin, now: for lines whose price at the time is not known. */
  rate: Amount | undefined,
  isOpen: boolean,
  /** The list has the days as headings. */
  isByDay: boolean,
]

export function makeHead(): Plain<HeadValues> {
  const [title, who, when, amount, arrow] = [
    plainElement('span', classes['title']),
    plainElement('span', classes['who']),
    plainElement('span', classes['when']),
    plainElement('span', classes['amount']),
    plainElement('span', classes['arrow']),
  ]
  const time = document.createElement('time')
  when.append(time)
  arrow.setAttribute('aria-hidden', 'true')
  const showChange = changeIn(amount)
  return {
    nodes: [title, who, when, amount, arrow],
    show: (line, coin, rate, isOpen, isByDay) => {
      write(title, line.title)
      write(who, subtitle(line))
      write(time, timeText(line.at, isByDay ? 'time' : 'medium'))
      const iso = isoText(line.at)
      time.dateTime = iso
      hint(time, iso)
      showChange(line, coin, rate)
      write(arrow, isOpen ? '▴' : '▾')
    },
  }
}

function changeIn(
  place: HTMLElement,
): (...values: [HistoryLine, string, Amount | undefined]) => void {
  const [change, worth] = [plainElement('span'), plainElement('span', classes['worth'])]
  place.append(change, worth)
  return ({ amount, rate: then }, coin, now) => {
    change.hidden = amount === undefined
    worth.hidden = amount === undefined || amount === 0n
    if (amount === undefined) return
    change.className = classes[amount > 0n ? 'in' : amount < 0n ? 'out' : 'none'] ?? ''
    write(change, `${amount > 0n ? '+' : ''}${shownAmount(amount)} ${coin}`)
    hint(change, `${wireAmount(amount)} ${coin}`)
    write(worth, shownDollars(amount, then ?? now) ?? '')
    hint(worth, then === undefined ? t('At the current price') : t('At the price at that time'))
  }
}

function subtitle({ others, isSender, description, note }: HistoryLine): string {
  const [first] = others
  const more = others.length > 1 ? ` ${t('and {0} more', others.length - 1)}` : ''
  const who =
    first === undefined
      ? ''
      : `${isSender ? t('to {0}', nameOf(first)) : t('from {0}', nameOf(first))}${more}`
  return [who, description === '' ? '' : quoted(description), note]
    .filter((part) => part !== '')
    .join(' · ')
}
