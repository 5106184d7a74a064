// One entry of the history as the person sees it: what happened, what it brought or cost, and who
// else was in it.
import type {
  BalanceChangeEntry,
  NotificationEntry,
  TransactionHistoryEntry,
  TransferEntry,
} from '../../../../../generated/validator/types.gen.ts'
import { parseAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { noticeWords, wordsOf } from './history-words.ts'
import type { Group } from './history-words.ts'
import { t } from './language.ts'

export interface HistoryLine {
  /** Event id, which is one of its own for every line. */
  readonly id: string
  readonly updateId: string
  /** RFC 3339. */
  readonly at: string
  readonly group: Group
  readonly title: string
  /** Gain or loss of the person's coins; undefined if nothing is said of it. */
  readonly amount: Amount | undefined
  /** Everybody else in it: who got something, or who sent it. */
  readonly others: readonly string[]
  readonly isSender: boolean
  /** The payer's own words, or those of a notification. */
  readonly description: string
  /** A note on what the amount does not say by itself. */
  readonly note: string
  /** The ledger's choice, by its own name. */
  readonly choice: string
  /** Contract id of the transfer in two steps, or of the offer, that it is about; '' for none. */
  readonly transferId: string
  /** Begins a transfer in two steps, and so says what its end leaves out. */
  readonly isBeginning: boolean
  /** Undefined for what the history has no entry for: offers that no coin has moved for. */
  readonly entry: TransactionHistoryEntry | undefined
  /** The mining round, where the ledger has told it. */
  readonly round?: bigint | undefined
  /** US dollars for a coin at that time, where the ledger has told it. */
  readonly rate?: Amount | undefined
}

type Told = Pick<
  HistoryLine,
  'group' | 'title' | 'amount' | 'others' | 'isSender' | 'description' | 'note'
>

/** The entry from the side of `party`. */
export function lineOf(entry: TransactionHistoryEntry, party: string): HistoryLine {
  const { choice } = entry.transaction_subtype
  return {
    id: entry.event_id,
    updateId: entry.event_id.split(':')[0] ?? entry.event_id,
    at: entry.date,
    ...tell(entry, party),
    choice,
    transferId: transferOf(entry),
    isBeginning: choice.startsWith('TransferFactory_'),
    entry,
  }
}

function transferOf(entry: TransactionHistoryEntry): string {
  return entry.transaction_type === 'transfer' || entry.transaction_type === 'balance_change'
    ? (entry.transfer_instruction_cid ?? '')
    : ''
}

function tell(entry: TransactionHistoryEntry, party: string): Told {
  switch (entry.transaction_type) {
    case 'transfer':
      return tellTransfer(entry, party)
    case 'balance_change':
      return tellChange(entry, party)
    case 'notification':
      return tellNotice(entry)
    default:
      return tellUnknown(entry)
  }
}

function tellTransfer(entry: TransferEntry, party: string): Told {
  const {
    sender,
    receivers,
    transaction_subtype: { choice },
    description = '',
  } = entry
  const words = wordsOf(choice)
  const isSender = sender.party === party
  const received = receivers.find((one) => one.party === party)
  const others = isSender ? othersOf(entry) : [sender.party]
  return {
    group: words?.group ?? 'other',
    title: titleOf(entry, isSender),
    amount: isSender ? parseAmount(sender.amount) : parseAmount(received?.amount ?? '0'),
    others,
    isSender,
    description,
    note: noteOf(entry, isSender),
  }
}

/** The network's own party is nobody whom one has paid traffic to. */
function othersOf({
  receivers,
  transaction_subtype,
  transfer_instruction_receiver: waiting,
}: TransferEntry): readonly string[] {
  if (wordsOf(transaction_subtype.choice)?.group === 'traffic') return []
  const parties = receivers.map(({ party }) => party)
  return waiting === undefined || parties.includes(waiting) ? parties : [...parties, waiting]
}

function titleOf(entry: TransferEntry, isSender: boolean): string {
  const { choice } = entry.transaction_subtype
  const words = wordsOf(choice)
  if (words === undefined)
    return `${isSender ? t('Transfer sent') : t('Transfer received')} (${choice})`
  if (words.group === 'automation')
    return entry.receivers.length > 0
      ? isSender
        ? t('Sent')
        : t('Received')
      : automationTitle(entry)
  if (choice === 'CoinRules_Transfer' && entry.receivers.length === 0) return automationTitle(entry)
  return isSender ? words.sender : words.receiver
}

function automationTitle(entry: TransferEntry): string {
  return rewardsOf(entry).length > 0 ? t('Rewards collected') : t('Holdings merged')
}

/** Rewards that went into a transfer, named, and only those that did. */
export function rewardsOf(
  entry: TransferEntry,
): ReadonlyArray<{ readonly name: string; readonly amount: string }> {
  return [
    { name: t('App rewards used'), amount: entry.app_rewards_used },
    { name: t('Validator rewards used'), amount: entry.validator_rewards_used },
    { name: t('Super validator rewards used'), amount: entry.sv_rewards_used },
    { name: t('Development fund coupons used'), amount: entry.development_fund_coupons_used },
  ].filter(({ amount }) => parseAmount(amount) !== 0n)
}

function noteOf({ transaction_subtype: { choice } }: TransferEntry, isSender: boolean): string {
  if (choice === 'TransferFactory_Transfer')
    return isSender ? t('locked until it is accepted') : t('nothing has moved yet')
  if (choice === 'TransferInstruction_Accept' && isSender) return t('was locked when it began')
  return ''
}

function tellChange(
  { receivers, transaction_subtype: { choice } }: BalanceChangeEntry,
  party: string,
): Told {
  const words = wordsOf(choice)
  const amount = parseAmount(
    (receivers.find((one) => one.party === party) ?? receivers[0])?.amount ?? '',
  )
  const isSender = amount !== 0n
  return {
    group: words?.group ?? 'other',
    title:
      words === undefined
        ? t('Balance changed ({0})', choice)
        : isSender
          ? words.sender
          : words.receiver,
    amount,
    others: receivers.map((one) => one.party).filter((one) => one !== party),
    isSender,
    description: '',
    note: '',
  }
}

function tellNotice({
  details,
  transaction_subtype: { choice, coin_operation: operation },
}: NotificationEntry): Told {
  return {
    group: 'notice',
    title: noticeWords(choice, operation),
    amount: undefined,
    others: [],
    isSender: true,
    description: details,
    note: '',
  }
}

function tellUnknown({ transaction_subtype: { choice } }: TransactionHistoryEntry): Told {
  const note = t('the server does not say what it was')
  return {
    group: 'other',
    title: t('Unknown entry ({0})', choice),
    amount: undefined,
    others: [],
    isSender: false,
    description: '',
    note,
  }
}
