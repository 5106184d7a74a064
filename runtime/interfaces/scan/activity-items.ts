// What an update did with coin, as the earlier lists of scan tell it: transfers with what the
// choice above them says, coin that was made, and instructions that came to nothing. Payments to
// the network are no part of it. spec/scan.yaml
import type { TransferResult } from '../../../generated/contracts.gen.ts'
import type { CoinTransfer, ListActivityResponseItem } from '../../../generated/scan/types.gen.ts'
import {
  coinRulesDevNetTap,
  coinRulesLegacyTransfer,
  coinRulesMint,
  coinRulesTransfer,
  coinTransferInstruction,
  externalPartyCoinRules,
  externalPartyCoinRulesTransfer,
  isInCode,
  metaKeys,
  transferPreapprovalSend,
} from '../../contracts/index.ts'
import { formatDecimal, sum } from '../../engine/decimal.ts'
import type { ExerciseEvent, LedgerEvent } from '../../engine/index.ts'

/** An event's item, but for what its update says of all. */
export type ActivityItem = { readonly node: number } & Pick<
  ListActivityResponseItem,
  'abort_transfer_instruction' | 'activity_type' | 'mint' | 'round' | 'tap' | 'transfer'
>

type Transferred = Pick<typeof coinRulesTransfer, 'argumentOf' | 'resultOf'>
type Reader = (
  event: ExerciseEvent,
  below: () => readonly ActivityItem[],
) => readonly ActivityItem[]

/** The items of a transaction in the order of its events. */
export function activityItems(events: readonly LedgerEvent[]): readonly ActivityItem[] {
  return itemsWithin(events, 0, events.length)
}

function itemsWithin(
  events: readonly LedgerEvent[],
  from: number,
  to: number,
): readonly ActivityItem[] {
  const items: ActivityItem[] = []
  for (let node = from; node < to;) {
    const event = events[node]
    const end = event?.kind === 'exercise' ? event.lastDescendant + 1 : node + 1
    if (event?.kind === 'exercise') {
      const start = node + 1
      const read = (isInCode(event) ? READERS.get(event.choice) : undefined) ?? passedOn
      items.push(...read(event, () => itemsWithin(events, start, end)))
    }
    node = end
  }
  return items
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [coinRulesTransfer.type.name, transferred(coinRulesTransfer)],
  [coinRulesLegacyTransfer.type.name, transferred(coinRulesLegacyTransfer)],
  [coinRulesDevNetTap.type.name, tapped],
  [coinRulesMint.type.name, minted],
  [transferPreapprovalSend.type.name, preapprovalSent],
  [externalPartyCoinRulesTransfer.type.name, instructionMade],
  ['TransferInstruction_Accept', instructionAccepted],
  ['TransferInstruction_Withdraw', ended('withdraw')],
  ['TransferInstruction_Reject', ended('reject')],
  ['AnsRules_CollectInitialEntryPayment', () => []],
  ['AnsRules_CollectEntryRenewalPayment', () => []],
])

/** Only a transaction with one of these in its text can have an item. */
const TOLD = [
  coinRulesTransfer.type.name,
  coinRulesLegacyTransfer.type.name,
  coinRulesDevNetTap.type.name,
  coinRulesMint.type.name,
  'TransferInstruction_Withdraw',
  'TransferInstruction_Reject',
].map((choice) => `"${choice}"`)

/** False where a stored update surely has no item: most of an idle network have none. */
export function mayHaveItems(body: string): boolean {
  return TOLD.some((choice) => body.includes(choice))
}

function passedOn(
  _event: ExerciseEvent,
  below: () => readonly ActivityItem[],
): readonly ActivityItem[] {
  return below()
}

function transferred(choice: Transferred): Reader {
  return (event) => {
    const { transfer } = choice.argumentOf(event)
    const result = choice.resultOf(event)
    return [
      {
        node: event.node,
        activity_type: 'transfer',
        round: result.round,
        transfer: transferToWire(transfer.sender, transfer.outputs, result),
      },
    ]
  }
}

function transferToWire(
  party: string,
  outputs: readonly { readonly receiver: string; readonly amount: bigint }[],
  { summary }: TransferResult,
): CoinTransfer {
  return {
    sender: {
      party,
      input_coin_amount: formatDecimal(summary.inputCoinAmount),
      input_app_reward_amount: formatDecimal(summary.inputAppRewardAmount),
      input_validator_reward_amount: formatDecimal(summary.inputValidatorRewardAmount),
      input_sv_reward_amount: formatDecimal(summary.inputSvRewardAmount),
      input_validator_faucet_amount: formatDecimal(summary.inputValidatorFaucetAmount),
      sender_change_fee: formatDecimal(summary.senderChangeFee),
      sender_change_amount: formatDecimal(summary.senderChangeAmount),
      sender_fee: formatDecimal(sum(summary.outputFees)),
      holding_fees: formatDecimal(summary.holdingFees),
    },
    receivers: outputs.map(({ receiver, amount }) => ({
      party: receiver,
      amount: formatDecimal(amount),
      receiver_fee: formatDecimal(0n),
    })),
    balance_changes: summary.balanceChanges.map(([changed, change]) => ({
      party: changed,
      change_to_initial_amount_as_of_round_zero: formatDecimal(
        change.changeToInitialAmountAsOfRoundZero,
      ),
      change_to_holding_fees_rate: formatDecimal(change.changeToHoldingFeesRate),
    })),
  }
}

function tapped(event: ExerciseEvent): readonly ActivityItem[] {
  const { receiver, amount } = coinRulesDevNetTap.argumentOf(event)
  const { round } = coinRulesDevNetTap.resultOf(event).coinSum
  const tap = { coin_owner: receiver, coin_amount: formatDecimal(amount) }
  return [{ node: event.node, activity_type: 'devnet_tap', round, tap }]
}

function minted(event: ExerciseEvent): readonly ActivityItem[] {
  const { receiver, amount } = coinRulesMint.argumentOf(event)
  const { round } = coinRulesMint.resultOf(event).coinSum
  const mint = { coin_owner: receiver, coin_amount: formatDecimal(amount) }
  return [{ node: event.node, activity_type: 'mint', round, mint }]
}

/** The items with what the choice above them says of their transfers. */
function saying(
  items: readonly ActivityItem[],
  said: Partial<CoinTransfer>,
  node?: number,
): readonly ActivityItem[] {
  return items.map((item) =>
    item.transfer === undefined
      ? item
      : {
          ...item,
          ...(node === undefined ? {} : { node }),
          transfer: { ...item.transfer, ...said },
        },
  )
}

function preapprovalSent(
  event: ExerciseEvent,
  below: () => readonly ActivityItem[],
): readonly ActivityItem[] {
  const { description } = transferPreapprovalSend.argumentOf(event)
  const text = description === null ? {} : { description }
  return saying(below(), { ...text, transfer_kind: 'preapproval_send' }, event.node)
}

/** Only an offer is told as such: what is done at once is told as the transfer below. */
function instructionMade(
  event: ExerciseEvent,
  below: () => readonly ActivityItem[],
): readonly ActivityItem[] {
  if (!externalPartyCoinRules.isOf(event)) return below()
  const { output } = externalPartyCoinRulesTransfer.resultOf(event)
  if (output.tag !== 'TransferInstructionResult_Pending') return below()
  const { receiver, amount, meta } = externalPartyCoinRulesTransfer.argumentOf(event).transfer
  const description = meta.values.get(metaKeys().reason)
  const said: Partial<CoinTransfer> = {
    ...(description === undefined ? {} : { description }),
    transferInstructionReceiver: receiver,
    transferInstructionAmount: formatDecimal(amount),
    transferInstructionCid: output.value.transferInstructionCid,
    transfer_kind: 'create_transfer_instruction',
  }
  return saying(below(), said, event.node)
}

function instructionAccepted(
  event: ExerciseEvent,
  below: () => readonly ActivityItem[],
): readonly ActivityItem[] {
  return saying(below(), {
    transferInstructionCid: event.contractId,
    transfer_kind: 'transfer_instruction_accept',
  })
}

/** The coin returns to its sender, whose it was: no balance changes. */
function ended(kind: 'reject' | 'withdraw'): Reader {
  return (event) =>
    coinTransferInstruction.isOf(event)
      ? [
          {
            node: event.node,
            activity_type: 'abort_transfer_instruction',
            abort_transfer_instruction: {
              abort_kind: kind,
              transfer_instruction_cid: event.contractId,
            },
          },
        ]
      : []
}
