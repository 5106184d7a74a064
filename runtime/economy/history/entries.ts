// Lines of a party's history, made from one event and what is below it. Amounts are what coins
// gained or lost there, so that the entries of a party add up to the change of its balance.
// docs/economy-rules.md, "Histories" and "Invariants"
import type { TransferResult, TransferSummary } from '../../../generated/contracts.gen.ts'
import type {
  BalanceChangeEntry,
  NotificationEntry,
  PartyAndAmount,
  TransactionSubtype,
  TransferEntry,
} from '../../../generated/validator/types.gen.ts'
import { coinRulesTransfer, isInCode } from '../../contracts/index.ts'
import { holdingOwner } from '../holding-owner.ts'
import { formatDecimal } from '../../engine/decimal.ts'
import type { ExerciseEvent } from '../../engine/transaction.ts'
import { timeText } from '../../participant/time.ts'
import type { TransactionTree } from './tree.ts'

/** One line, with the party whose history it belongs to. */
export interface HistoryLine {
  readonly owner: string
  readonly entry: TransferEntry | BalanceChangeEntry | NotificationEntry
}

/** Details of an entry besides its event and coins. */
interface TransferDetails {
  readonly sender: string
  readonly subtype: TransactionSubtype
  /** The payment of an event that pays by itself; otherwise the transfers below it count. */
  readonly paid?: Paid | undefined
  /** Receivers to show instead of those who got coins. */
  readonly receivers?: readonly PartyAndAmount[]
  readonly instruction?: InstructionFields
  readonly description?: string | undefined
}

/** The result of a payment. */
export type Paid = Pick<TransferResult, 'summary' | 'createdCoins'>

type InstructionFields = Pick<
  TransferEntry,
  'transfer_instruction_receiver' | 'transfer_instruction_amount' | 'transfer_instruction_cid'
>

/** Template and choice of the event, with the interface where the choice is one's. */
export function subtypeOf({ templateId, choice, interfaceId }: ExerciseEvent): TransactionSubtype {
  return {
    template_id: templateId,
    choice,
    ...(interfaceId === undefined ? {} : { interface_id: interfaceId }),
  }
}

export function amountOf(party: string, amount = 0n): PartyAndAmount {
  return { party, amount: formatDecimal(amount) }
}

/** The entry of a payment: the sender's signed change, and what each other party received. */
export function transferEntry(
  tree: TransactionTree,
  event: ExerciseEvent,
  details: TransferDetails,
): TransferEntry {
  const { sender, subtype, instruction = {}, description } = details
  const transfers = details.paid === undefined ? transfersBelow(tree, event) : [details.paid]
  const gains = tree.gains(event)
  const receivers =
    details.receivers ??
    receiversOf(tree, sender, transfers).map((party) => amountOf(party, gains.get(party)))
  return {
    ...head(tree, event, subtype),
    transaction_type: 'transfer',
    sender: amountOf(sender, gains.get(sender)),
    receivers: [...receivers],
    holding_fees: formatDecimal(0n),
    ...rewardsUsed(transfers.map(({ summary }) => summary)),
    ...instruction,
    ...(description === undefined ? {} : { description }),
  }
}

/** The receiver's side of an offer that moved none of its coins yet. */
export function announcedTransfer(entry: TransferEntry): TransferEntry {
  return { ...entry, sender: { ...entry.sender, amount: formatDecimal(0n) }, receivers: [] }
}

/** The entry of coins that came back or into being for one party. */
export function balanceChange(
  tree: TransactionTree,
  event: ExerciseEvent,
  party: string,
  instructionCid?: string,
): BalanceChangeEntry {
  return {
    ...head(tree, event, subtypeOf(event)),
    transaction_type: 'balance_change',
    receivers: [amountOf(party, tree.gains(event).get(party))],
    ...(instructionCid === undefined ? {} : { transfer_instruction_cid: instructionCid }),
  }
}

/** The entry of an operation that failed within a batch that did not. */
export function failureNotice(
  tree: TransactionTree,
  event: ExerciseEvent,
  operation: { readonly index: number; readonly tag: string; readonly details: string },
): NotificationEntry {
  const common = head(tree, event, { ...subtypeOf(event), coin_operation: operation.tag })
  return {
    ...common,
    event_id: `${common.event_id}:${operation.index}`,
    transaction_type: 'notification',
    details: operation.details,
  }
}

/** A line for each party that the entry is about; nobody gets two. */
export function forThoseIn(entry: TransferEntry): readonly HistoryLine[] {
  const owners = new Set([entry.sender.party, ...entry.receivers.map(({ party }) => party)])
  return [...owners].map((owner) => ({ owner, entry }))
}

function head({ transaction }: TransactionTree, event: ExerciseEvent, subtype: TransactionSubtype) {
  return {
    transaction_subtype: subtype,
    event_id: `${transaction.updateId}:${event.node}`,
    date: timeText(transaction.effectiveAt),
  }
}

const PLAIN: ReadonlySet<string> = new Set(['CoinRules_Transfer', 'CoinRules_LegacyTransfer'])

/** Results of the transfers at and below the event. */
function transfersBelow(tree: TransactionTree, event: ExerciseEvent): readonly Paid[] {
  return tree
    .below(event)
    .flatMap((one) =>
      one.kind === 'exercise' && PLAIN.has(one.choice) && isInCode(one)
        ? [coinRulesTransfer.resultOf(one)]
        : [],
    )
}

/** The owners of new coins, locked ones too, in order. */
function receiversOf(
  tree: TransactionTree,
  sender: string,
  transfers: readonly Paid[],
): readonly string[] {
  const owners = transfers.flatMap(({ createdCoins }) =>
    createdCoins.flatMap(({ value }) => {
      const contract = tree.record(value)
      return contract === undefined ? [] : holdingOwner(contract)
    }),
  )
  return [...new Set(owners)].filter((party) => party !== sender)
}

function rewardsUsed(summaries: readonly TransferSummary[]) {
  const total = (part: (summary: TransferSummary) => bigint) =>
    formatDecimal(summaries.reduce((sum, summary) => sum + part(summary), 0n))
  return {
    app_rewards_used: total(({ inputAppRewardAmount }) => inputAppRewardAmount),
    validator_rewards_used: total(({ inputValidatorRewardAmount }) => inputValidatorRewardAmount),
    sv_rewards_used: total(({ inputSvRewardAmount }) => inputSvRewardAmount),
    development_fund_coupons_used: total(
      ({ inputDevelopmentFundAmount }) => inputDevelopmentFundAmount,
    ),
  }
}
