// Which events appear in histories, and how. An event with a reader becomes one entry, including
// everything below it. An event without one is skipped, and the events below it are read.
// docs/economy-rules.md, "Histories"
import { CoinRules, ExternalPartyCoinRules } from '../../../generated/contracts.gen.ts'
import type { Metadata } from '../../../generated/contracts.gen.ts'
import type { TransactionSubtype } from '../../../generated/validator/types.gen.ts'
import { holdingOwner } from '../holding-owner.ts'
import {
  acceptedTransferOfferComplete,
  coinRulesBuyMemberTraffic,
  coinRulesCreateExternalPartySetupProposal,
  coinRulesCreateTransferPreapproval,
  coinRulesDevNetTap,
  coinRulesMint,
  coinRulesTransfer,
  coinTransferInstruction,
  externalPartyCoinRulesTransfer,
  isInCode,
  metaKeys,
  transferPreapproval,
  transferPreapprovalRenew,
  transferPreapprovalSend,
} from '../../contracts/index.ts'
import { formatDecimal } from '../../engine/decimal.ts'
import type { ExerciseEvent } from '../../engine/transaction.ts'
import {
  amountOf,
  announcedTransfer,
  balanceChange,
  forThoseIn,
  subtypeOf,
  transferEntry,
} from './entries.ts'
import type { HistoryLine, Paid } from './entries.ts'
import { templateOf } from '../../store/rules.ts'
import type { TransactionTree } from './tree.ts'

/**
 * What an event looks like: the transaction, the event, and the batch of a wallet that it is
 * directly in.
 */
interface Seen {
  readonly tree: TransactionTree
  readonly event: ExerciseEvent
  readonly batch: ExerciseEvent | undefined
}

/** Answers undefined where the event is not one to tell after all, but what is below it may be. */
type Reader = (seen: Seen) => readonly HistoryLine[] | undefined

interface PaymentDetails {
  readonly sender: string
  readonly subtype?: TransactionSubtype
  readonly paid?: Paid
  readonly description?: string | null
}

/** The line of `transferEntry`, the same for sender and receivers. */
function payment(
  { tree, event }: Seen,
  { description, subtype = subtypeOf(event), ...details }: PaymentDetails,
): readonly HistoryLine[] {
  return forThoseIn(
    transferEntry(tree, event, { ...details, subtype, description: description ?? undefined }),
  )
}

function plainTransfer(seen: Seen): readonly HistoryLine[] {
  const { transfer } = coinRulesTransfer.argumentOf(seen.event)
  return payment(seen, { sender: transfer.sender, subtype: subtypeOf(seen.batch ?? seen.event) })
}

function completedOffer(seen: Seen): readonly HistoryLine[] {
  const { trackingInfo, transferResult } = acceptedTransferOfferComplete.resultOf(seen.event)
  return payment(seen, { sender: trackingInfo.sender, paid: transferResult })
}

function trafficPurchase({ tree, event }: Seen): readonly HistoryLine[] {
  const { provider: sender, expectedDso } = coinRulesBuyMemberTraffic.argumentOf(event)
  const { summary } = coinRulesBuyMemberTraffic.resultOf(event)
  const paid = { summary, createdCoins: [] }
  const receivers = [amountOf(expectedDso)]
  return [
    {
      owner: sender,
      entry: transferEntry(tree, event, { sender, subtype: subtypeOf(event), receivers, paid }),
    },
  ]
}

function boughtPreapproval(seen: Seen): readonly HistoryLine[] {
  const { transferResult: paid } = coinRulesCreateTransferPreapproval.resultOf(seen.event)
  const { provider: sender } = coinRulesCreateTransferPreapproval.argumentOf(seen.event)
  return payment(seen, { sender, paid })
}

function boughtSetupProposal(seen: Seen): readonly HistoryLine[] {
  const { validator: sender, transferResult: paid } =
    coinRulesCreateExternalPartySetupProposal.resultOf(seen.event)
  return payment(seen, {
    sender,
    paid,
    subtype: { template_id: CoinRules.id, choice: 'CoinRules_CreateTransferPreapproval' },
  })
}

function renewedPreapproval(seen: Seen): readonly HistoryLine[] {
  const previous = seen.tree.record(seen.event.contractId)
  if (previous === undefined) return []
  const { provider: sender } = transferPreapproval.open(previous)
  const { transferResult: paid } = transferPreapprovalRenew.resultOf(seen.event)
  return payment(seen, { sender, paid })
}

function preapprovalSend(seen: Seen): readonly HistoryLine[] {
  const { sender, description, meta } = transferPreapprovalSend.argumentOf(seen.event)
  const { result: paid } = transferPreapprovalSend.resultOf(seen.event)
  return payment(seen, {
    sender,
    paid,
    description: description ?? (meta === null ? null : reasonOf(meta)),
  })
}

/** Only an offer is told as such: what is done at once is told as the transfer that is below. */
function instructionCreated({ tree, event }: Seen): readonly HistoryLine[] | undefined {
  if (templateOf(event) !== ExternalPartyCoinRules.reference) return undefined
  const { output } = externalPartyCoinRulesTransfer.resultOf(event)
  if (output.tag !== 'TransferInstructionResult_Pending') return undefined
  const { sender, receiver, amount, meta } =
    externalPartyCoinRulesTransfer.argumentOf(event).transfer
  const instruction = {
    transfer_instruction_receiver: receiver,
    transfer_instruction_amount: formatDecimal(amount),
    transfer_instruction_cid: output.value.transferInstructionCid,
  }
  const details = {
    sender,
    subtype: subtypeOf(event),
    receivers: [],
    instruction,
    description: reasonOf(meta) ?? undefined,
  }
  const entry = transferEntry(tree, event, details)
  return [
    { owner: sender, entry },
    { owner: receiver, entry: announcedTransfer(entry) },
  ]
}

function instructionAccepted({ tree, event }: Seen): readonly HistoryLine[] {
  const transfer = instructionOf(tree, event)
  if (transfer === undefined) return []
  const { sender, receiver, meta } = transfer
  return forThoseIn(
    transferEntry(tree, event, {
      sender,
      subtype: subtypeOf(event),
      receivers: [amountOf(receiver, tree.gains(event).get(receiver))],
      instruction: { transfer_instruction_cid: event.contractId },
      description: reasonOf(meta) ?? undefined,
    }),
  )
}

function instructionEnded({ tree, event }: Seen): readonly HistoryLine[] {
  const transfer = instructionOf(tree, event)
  if (transfer === undefined) return []
  return [transfer.sender, transfer.receiver].map((owner) => ({
    owner,
    entry: balanceChange(tree, event, owner, event.contractId),
  }))
}

function instructionOf(tree: TransactionTree, event: ExerciseEvent) {
  const record = tree.record(event.contractId)
  if (record === undefined || !coinTransferInstruction.isOf(record)) return undefined
  return coinTransferInstruction.open(record).transfer
}

/** Coin that is locked for an app, or that the app collects. */
function appPayment(seen: Seen): readonly HistoryLine[] | undefined {
  const sender = senderBelow(seen)
  return sender === undefined ? undefined : payment(seen, { sender })
}

/** The network burns what a name costs. */
function namePayment(seen: Seen): readonly HistoryLine[] | undefined {
  const sender = senderBelow(seen)
  return appPayment(seen)?.filter(({ owner }) => owner === sender)
}

function senderBelow({ tree, event }: Seen): string | undefined {
  for (const one of tree.below(event))
    if (one.kind === 'exercise' && one.choice === coinRulesTransfer.type.name && isInCode(one))
      return coinRulesTransfer.argumentOf(one).transfer.sender
  return undefined
}

function tapped({ tree, event }: Seen): readonly HistoryLine[] {
  const { receiver } = coinRulesDevNetTap.argumentOf(event)
  return [{ owner: receiver, entry: balanceChange(tree, event, receiver) }]
}

function minted({ tree, event }: Seen): readonly HistoryLine[] {
  const { receiver } = coinRulesMint.argumentOf(event)
  return [{ owner: receiver, entry: balanceChange(tree, event, receiver) }]
}

/** An unlock or an expiry of a coin or a locked one. */
function ownersChange({ tree, event }: Seen): readonly HistoryLine[] {
  const contract = tree.record(event.contractId)
  if (contract === undefined) return []
  const owner = holdingOwner(contract)
  return [{ owner, entry: balanceChange(tree, event, owner) }]
}

/**
 * The network expires dust: nothing is shown to have been lost, whatever it was.
 * docs/economy-rules.md, "Fees"
 */
function expired({ tree, event }: Seen): readonly HistoryLine[] {
  return ownersChange({ tree, event, batch: undefined }).map(({ owner, entry }) => ({
    owner,
    entry: { ...entry, receivers: [amountOf(owner)] },
  }))
}

function reasonOf({ values }: Metadata): string | null {
  return values.get(metaKeys().reason) ?? null
}

/** Readers by choice. */
export const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['AcceptedTransferOffer_Complete', completedOffer],
  ['CoinRules_Transfer', plainTransfer],
  ['CoinRules_LegacyTransfer', plainTransfer],
  ['CoinRules_BuyMemberTraffic', trafficPurchase],
  ['CoinRules_CreateTransferPreapproval', boughtPreapproval],
  ['CoinRules_CreateExternalPartySetupProposal', boughtSetupProposal],
  ['TransferPreapproval_Renew', renewedPreapproval],
  ['TransferPreapproval_Send', preapprovalSend],
  ['TransferFactory_Transfer', instructionCreated],
  ['TransferInstruction_Accept', instructionAccepted],
  ['TransferInstruction_Reject', instructionEnded],
  ['TransferInstruction_Withdraw', instructionEnded],
  ['TransferInstruction_Update', instructionEnded],
  ['AppPaymentRequest_Accept', appPayment],
  ['AcceptedAppPayment_Collect', appPayment],
  ['SubscriptionRequest_AcceptAndMakePayment', appPayment],
  ['SubscriptionInitialPayment_Collect', appPayment],
  ['SubscriptionIdleState_MakePayment', appPayment],
  ['SubscriptionPayment_Collect', appPayment],
  ['AnsRules_CollectInitialEntryPayment', namePayment],
  ['AnsRules_CollectEntryRenewalPayment', namePayment],
  ['CoinRules_DevNet_Tap', tapped],
  ['CoinRules_Mint', minted],
  ['LockedCoin_Unlock', ownersChange],
  ['LockedCoin_OwnerExpireLock', ownersChange],
  ['LockedCoin_ExpireCoin', expired],
  ['Coin_Expire', expired],
])
