// One line of the history, and all that is known of it once it is opened. Plain elements: dozens
// are drawn while one scrolls.
import { memo } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type {
  BalanceChangeEntry,
  PartyAndAmount,
  TransferEntry,
} from '../../../../../generated/validator/types.gen.ts'
import { asDollars, shownAmount, shownDollars } from '../lib/amount.ts'
import type { Amount } from '../lib/amount.ts'
import { t } from '../lib/language.ts'
import { rewardsOf } from '../lib/history-line.ts'
import type { HistoryLine } from '../lib/history-line.ts'
import { Facts } from './facts.tsx'
import type { NamedFact } from './facts.tsx'
import { makeHead } from './history-head.ts'
import type { HeadValues } from './history-head.ts'
import classes from './history-row.module.css'
import { Icon } from './icons.tsx'
import type { IconName } from './icons.tsx'
import { Identicon } from './identicon.tsx'
import { Identifier } from './identifier.tsx'
import { Coin } from './money.tsx'
import { usePlain } from './plain.ts'
import { When } from './when.tsx'

interface Props {
  readonly line: HistoryLine
  readonly coin: string
  /** Dollars for a coin, now: for lines whose price at the time is not known. */
  readonly rate: Amount | undefined
  readonly isOpen: boolean
  /** Stands above the first line of a day. */
  readonly day?: string | undefined
  /** The list has the days as headings. */
  readonly isByDay?: boolean
  onToggle(id: string): void
}

export const HistoryRow = memo(
  ({ line, coin, rate, isOpen, day, isByDay = false, onToggle }: Props): ReactNode => {
    const head = usePlain<HTMLSpanElement, HeadValues>(makeHead, line, coin, rate, isOpen, isByDay)
    return (
      <>
        {day === undefined ? null : <div className={classes['day']}>{day}</div>}
        <div className={classes['line']}>
          <button
            type="button"
            className={classes['head']}
            aria-expanded={isOpen}
            onClick={() => onToggle(line.id)}
          >
            <span className={classes['picture']}>
              <Picture of={line.others[0]} group={line.group} isOut={(line.amount ?? 0n) < 0n} />
            </span>
            <span ref={head} className={classes['words']} />
          </button>
          {isOpen ? (
            <div className={classes['details']}>
              <Details line={line} coin={coin} />
              <Link className={classes['receipt'] ?? ''} href={receiptOf(line)}>
                {t('Receipt to print')}
              </Link>
            </div>
          ) : null}
        </div>
      </>
    )
  },
)

/** The other side, or the kind of thing. Many lines in succession have the same. */
const Picture = memo(
  ({
    of,
    group,
    isOut,
  }: Pick<HistoryLine, 'group'> & {
    readonly of: string | undefined
    readonly isOut: boolean
  }): ReactNode =>
    of === undefined ? (
      <span className={classes['symbol']}>
        <Icon of={SYMBOLS[group] ?? (isOut ? 'send' : 'receive')} size="18px" />
      </span>
    ) : (
      <Identicon of={of} size={34} />
    ),
)

const SYMBOLS: Partial<Record<HistoryLine['group'], IconName>> = {
  made: 'plus',
  automation: 'gift',
  traffic: 'traffic',
  preapproval: 'preapproval',
  lock: 'lock',
  notice: 'warning',
}

/** The address of the page of one line. */
function receiptOf({ id }: HistoryLine): string {
  return `/receipt?id=${encodeURIComponent(id)}`
}

/** All that is known of a line; without its parties where the page has them already. */
export function Details({
  line,
  coin,
  isBelowParties = false,
}: {
  readonly line: HistoryLine
  readonly coin: string
  readonly isBelowParties?: boolean
}): ReactNode {
  const { entry, description } = line
  const isNotice = entry?.transaction_type === 'notification'
  const facts: readonly NamedFact[] = [
    [t('Time'), <When at={line.at} isExact />],
    [isNotice ? t('What happened') : t('Description'), description],
    ...(isBelowParties && !isShared(entry) ? [] : partyFacts(line)),
    ...(entry?.transaction_type === 'transfer' ? transferFacts(entry) : []),
    ...(entry?.transaction_type === 'balance_change' ? changeFacts(entry) : []),
    ...priceFacts(line, coin),
    [t('On the ledger'), ledgerText(line)],
    [t('Event id'), idOf(t('event id'), entry === undefined ? undefined : line.id)],
    [t('Update id'), idOf(t('update id'), line.updateId)],
  ]
  return (
    <Facts
      label={t('Details of {0}', line.title)}
      of={facts.filter(([, fact]) => fact !== undefined && fact !== '')}
    />
  )
}

function ledgerText({ entry, choice }: HistoryLine): string {
  if (entry === undefined) return choice
  const {
    template_id: template,
    interface_id: token,
    coin_operation: operation,
  } = entry.transaction_subtype
  return `${choice}${operation === undefined ? '' : `, ${operation}`} (${unpackaged(token ?? template)})`
}

/** Paid to several: each has an amount of its own. */
function isShared(entry: HistoryLine['entry']): boolean {
  return entry?.transaction_type === 'transfer' && entry.receivers.length > 1
}

function partyFacts(line: HistoryLine): readonly NamedFact[] {
  const { entry } = line
  if (entry?.transaction_type === 'transfer') return sidesOf(entry)
  const owners =
    entry?.transaction_type === 'balance_change'
      ? [[t('Owner'), partiesOf(t('owner'), entry.receivers)] as const]
      : []
  return [...othersOf(line), ...owners]
}

function othersOf({ others, isSender }: HistoryLine): readonly NamedFact[] {
  return others.map((party) => [
    isSender ? t('Receiver') : t('Sender'),
    idOf(isSender ? t('receiver') : t('sender'), party),
  ])
}

function priceFacts({ amount, rate, round }: HistoryLine, coin: string): readonly NamedFact[] {
  const worth = amount === undefined || amount === 0n ? undefined : shownDollars(amount, rate)
  return [
    [t('Round'), round === undefined ? undefined : String(round)],
    [
      t('Price at that time'),
      rate === undefined ? undefined : `${asDollars(shownAmount(rate))} / ${coin}`,
    ],
    [t('Value at that time'), worth],
  ]
}

function sidesOf({ sender, receivers }: TransferEntry): readonly NamedFact[] {
  return [
    [t('Sender'), partiesOf(t('sender'), [sender])],
    [receivers.length > 1 ? t('Receivers') : t('Receiver'), partiesOf(t('receiver'), receivers)],
  ]
}

function transferFacts(entry: TransferEntry): readonly NamedFact[] {
  const { transfer_instruction_amount: offered } = entry
  return [
    [t('Offered to'), idOf(t('receiver'), entry.transfer_instruction_receiver)],
    [t('Amount offered'), offered === undefined ? undefined : <Coin of={offered} size="sm" />],
    [t('Transfer'), idOf(t('transfer id'), entry.transfer_instruction_cid)],
    ...rewardsOf(entry).map(({ name, amount }) => [name, <Coin of={amount} size="sm" />] as const),
    [t('Holding fees'), <Coin of={entry.holding_fees} size="sm" />],
  ]
}

function changeFacts({
  transfer_instruction_cid: transfer,
}: BalanceChangeEntry): readonly NamedFact[] {
  return [[t('Transfer'), idOf(t('transfer id'), transfer)]]
}

function partiesOf(label: string, parties: readonly PartyAndAmount[]): ReactNode {
  if (parties.length === 0) return undefined
  return parties.map(({ party, amount }) => (
    <div key={party}>
      <Identifier of={party} label={label} /> <Coin of={amount} size="sm" signed />
    </div>
  ))
}

function idOf(label: string, id: string | undefined): ReactNode {
  return id === undefined ? undefined : <Identifier of={id} label={label} />
}

/** The template without the id of its package, which says nothing to people. */
function unpackaged(template: string): string {
  return template.split(':').slice(1).join(':')
}
