// One line of the history, and all that is known of it once it is opened. Plain elements: dozens
// are drawn while one scrolls.
import { memo } from 'react'
import type { ReactNode } from 'react'
import type {
  BalanceChangeEntry,
  PartyAndAmount,
  TransferEntry,
} from '../../../../../generated/validator/types.gen.ts'
import { shownAmount, shownDollars, wireAmount } from '../lib/amount.ts'
import type { Amount } from '../lib/amount.ts'
import { rewardsOf } from '../lib/history-line.ts'
import type { HistoryLine } from '../lib/history-line.ts'
import { hintOf } from '../lib/party.ts'
import { Facts } from './facts.tsx'
import type { NamedFact } from './facts.tsx'
import classes from './history-row.module.css'
import { Identifier } from './identifier.tsx'
import { Coin } from './money.tsx'
import { When } from './when.tsx'

interface Props {
  readonly line: HistoryLine
  readonly coin: string
  /** Dollars for a coin, now: entries do not say what it was then. */
  readonly rate: Amount | undefined
  readonly isOpen: boolean
  onToggle(id: string): void
}

export const HistoryRow = memo(({ line, coin, rate, isOpen, onToggle }: Props): ReactNode => (
  <div className={classes['line']}>
    <button
      type="button"
      className={classes['head']}
      aria-expanded={isOpen}
      onClick={() => onToggle(line.id)}
    >
      <span className={classes['what']}>
        <span className={classes['title']}>{line.title}</span>
        <span className={classes['who']}>{subtitle(line)}</span>
      </span>
      <span className={classes['when']}>
        <When at={line.at} />
      </span>
      <Change line={line} coin={coin} rate={rate} />
      <span className={classes['arrow']} aria-hidden="true">
        {isOpen ? '▴' : '▾'}
      </span>
    </button>
    {isOpen ? (
      <div className={classes['details']}>
        <Details line={line} />
      </div>
    ) : null}
  </div>
))

function Change({
  line: { amount },
  coin,
  rate,
}: Pick<Props, 'line' | 'coin' | 'rate'>): ReactNode {
  if (amount === undefined) return <span className={classes['amount']} />
  const sign = amount > 0n ? 'in' : amount < 0n ? 'out' : 'none'
  return (
    <span className={classes['amount']}>
      <span
        className={classes[sign]}
        title={`${wireAmount(amount)} ${coin}`}
      >{`${amount > 0n ? '+' : ''}${shownAmount(amount)} ${coin}`}</span>
      {amount === 0n ? null : (
        <span className={classes['worth']} title="At the price of now">
          {shownDollars(amount, rate)}
        </span>
      )}
    </span>
  )
}

function subtitle({ others, isSender, description, note }: HistoryLine): string {
  const [first] = others
  const more = others.length > 1 ? ` and ${others.length - 1} more` : ''
  const who = first === undefined ? '' : `${isSender ? 'to' : 'from'} ${hintOf(first)}${more}`
  return [who, description === '' ? '' : `“${description}”`, note]
    .filter((part) => part !== '')
    .join(' · ')
}

function Details({ line }: { readonly line: HistoryLine }): ReactNode {
  const { entry, description } = line
  const {
    choice,
    template_id: template,
    interface_id: token,
    coin_operation: operation,
  } = entry.transaction_subtype
  const facts: readonly NamedFact[] = [
    ['Time', line.at],
    [entry.transaction_type === 'notification' ? 'What happened' : 'Description', description],
    ...(entry.transaction_type === 'transfer' ? transferFacts(entry) : []),
    ...(entry.transaction_type === 'balance_change' ? changeFacts(entry) : []),
    [
      'On the ledger',
      `${choice}${operation === undefined ? '' : `, ${operation}`} (${unpackaged(token ?? template)})`,
    ],
    ['Event id', idOf('event id', line.id)],
    ['Update id', idOf('update id', line.updateId)],
  ]
  return (
    <Facts
      label={`Details of ${line.title}`}
      of={facts.filter(([, fact]) => fact !== undefined && fact !== '')}
    />
  )
}

function transferFacts(entry: TransferEntry): readonly NamedFact[] {
  const { transfer_instruction_amount: offered } = entry
  return [
    ['Sender', partiesOf('sender', [entry.sender])],
    [entry.receivers.length > 1 ? 'Receivers' : 'Receiver', partiesOf('receiver', entry.receivers)],
    ['Offered to', idOf('receiver', entry.transfer_instruction_receiver)],
    ['Amount offered', offered === undefined ? undefined : <Coin of={offered} size="sm" />],
    ['Transfer', idOf('transfer id', entry.transfer_instruction_cid)],
    ...rewardsOf(entry).map(({ name, amount }) => [name, <Coin of={amount} size="sm" />] as const),
    ['Holding fees', <Coin of={entry.holding_fees} size="sm" />],
  ]
}

function changeFacts({
  receivers,
  transfer_instruction_cid: transfer,
}: BalanceChangeEntry): readonly NamedFact[] {
  return [
    ['Owner', partiesOf('owner', receivers)],
    ['Transfer', idOf('transfer id', transfer)],
  ]
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

/** Without the id of the package, which says nothing to people. */
function unpackaged(template: string): string {
  return template.split(':').slice(1).join(':')
}
