// Transfers of the token standard, from its factory: to oneself or to a preapproved receiver at
// once, else an instruction that waits for the receiver with the coin locked. domain/behaviour.md
// §5
import { TransferFactory } from '../../generated/contracts.gen.ts'
import type {
  ExtraArgs,
  PaymentTransferContext,
  TimeLock,
  TokenTransfer,
  Transfer,
  TransferFactory_Transfer,
  TransferInput,
  TransferInstructionResult,
  TransferResult,
} from '../../generated/contracts.gen.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { contractIn, paymentContext, requiredContract } from './choice-context.ts'
import { coin } from './coin.ts'
import { externalPartyCoinRules } from './external-party-coin-rules.ts'
import { completed, pending } from './instruction-result.ts'
import { lockedCoin, lockedCoinOwnerExpireLock } from './locked-coin.ts'
import { instrumentId } from './names.ts'
import { transferPreapproval, transferPreapprovalSend } from './preapproval.ts'
import { openRoundInUse } from './round-use.ts'
import { maximumInputsExceeded } from './transfer-aborts.ts'
import { coinTransferInstruction } from './transfer-instruction.ts'
import { coinRulesTransfer } from './transfer.ts'
import { requireParty, requirePositive } from './requirements.ts'
import { DAY_MICROS } from '../engine/durations.ts'

/** Where the configuration says nothing: 90 days. */
const MAX_TTL_MICROS = 90n * DAY_MICROS

/**
 * Aborts as a transfer does; a locked coin among the inputs is unlocked where its lock has expired.
 */
export const externalPartyCoinRulesTransfer = choice(
  externalPartyCoinRules,
  TransferFactory.choices.TransferFactory_Transfer,
  {
    controllers: (_rules, { transfer }) => [transfer.sender],
    run: (tx, { payload: { dso } }, argument) => {
      const preapproval = requireValid(tx, dso, argument)
      const { transfer, extraArgs } = argument
      if (transfer.receiver === transfer.sender) return sendToSelf(tx, dso, transfer, extraArgs)
      return preapproval === undefined
        ? offer(tx, dso, transfer, extraArgs)
        : sendDirectly(tx, preapproval, transfer, extraArgs)
    },
  },
)

/** The checks in their order. The receiver's preapproval, where the context has one. */
function requireValid(tx: Tx, dso: string, argument: TransferFactory_Transfer): string | undefined {
  const { expectedAdmin, transfer, extraArgs } = argument
  requireParty(tx, 'the expected admin', expectedAdmin, dso)
  const preapproval = contractIn(tx, extraArgs, 'transferPreapproval')
  if (preapproval !== undefined) requirePreapproval(tx, dso, preapproval, transfer.receiver)
  const { admin, id } = transfer.instrumentId
  tx.require(
    admin === dso && id === instrumentId(),
    `the instrument is ${instrumentId()} of ${dso}`,
    () => `${id} of ${admin}`,
  )
  requirePositive(tx, 'the amount', transfer.amount)
  tx.notBefore(transfer.requestedAt)
  tx.before(transfer.executeBefore)
  requireInputs(tx, dso, transfer, extraArgs)
  return preapproval
}

function requirePreapproval(tx: Tx, dso: string, contractId: string, receiver: string): void {
  const preapproval = tx.fetch(transferPreapproval, contractId)
  requireParty(tx, 'the network party of the preapproval', preapproval.dso, dso)
  requireParty(tx, 'the receiver of the preapproval', preapproval.receiver, receiver)
}

function requireInputs(tx: Tx, dso: string, transfer: TokenTransfer, args: ExtraArgs): void {
  const { requestedAt, executeBefore, inputHoldingCids } = transfer
  const { transferConfigUsd: limits } = openRoundInUse(
    tx,
    dso,
    requiredContract(tx, args, 'openRound'),
  )
  const maxMicros = limits.tokenStandardMaxTTL ?? MAX_TTL_MICROS
  const micros = executeBefore - requestedAt
  tx.require(
    micros <= maxMicros,
    `the transfer is to be executed within ${maxMicros} microseconds`,
    () => `${micros}`,
  )
  tx.require(inputHoldingCids.length > 0, 'there is an input holding', () => 'none')
  const isBeyond = BigInt(inputHoldingCids.length) > limits.maxNumInputs
  if (isBeyond) tx.abort(maximumInputsExceeded(inputHoldingCids.length, limits.maxNumInputs))
}

/** Coins as they are, locked coins once their owner has opened them after their time. */
function inputsOf(tx: Tx, { inputHoldingCids }: TokenTransfer): readonly TransferInput[] {
  return inputHoldingCids.map((contractId) => ({
    tag: 'InputCoin',
    value: openedCoin(tx, contractId),
  }))
}

function openedCoin(tx: Tx, contractId: string): string {
  const { id } = tx.templateOf(contractId)
  if (id === lockedCoin.type.id) return tx.exercise(lockedCoinOwnerExpireLock, contractId, {}).coin
  tx.require(id === coin.type.id, 'each input is a holding of the coin', () => id)
  return contractId
}

/** A transfer of the sender's coins that the sender provides for itself, unfeatured. */
function transferOwn(
  tx: Tx,
  dso: string,
  transfer: TokenTransfer,
  payment: PaymentTransferContext,
  lock: TimeLock | null,
): TransferResult {
  const { sender, amount, meta } = transfer
  const outputs = [{ receiver: sender, receiverFeeRatio: 0n, amount, lock, meta }]
  const own: Transfer = {
    sender,
    provider: sender,
    inputs: inputsOf(tx, transfer),
    outputs,
    beneficiaries: null,
  }
  const argument = { transfer: own, context: payment.context, expectedDso: dso }
  return tx.exercise(coinRulesTransfer, payment.coinRules, argument)
}

function sendToSelf(
  tx: Tx,
  dso: string,
  transfer: TokenTransfer,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  return completed(transferOwn(tx, dso, transfer, paymentContext(tx, extraArgs, null), null))
}

function sendDirectly(
  tx: Tx,
  preapproval: string,
  transfer: TokenTransfer,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  const { sender, amount, meta } = transfer
  const context = paymentContext(
    tx,
    extraArgs,
    contractIn(tx, extraArgs, 'featuredAppRight') ?? null,
  )
  const order = { context, inputs: inputsOf(tx, transfer), amount, sender, description: null, meta }
  return completed(tx.exercise(transferPreapprovalSend, preapproval, order).result)
}

function offer(
  tx: Tx,
  dso: string,
  transfer: TokenTransfer,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  const optContext = `transfer to '${transfer.receiver}'`
  const lock: TimeLock = { holders: [dso], expiresAt: transfer.executeBefore, optContext }
  const result = transferOwn(tx, dso, transfer, paymentContext(tx, extraArgs, null), lock)
  const [locked] = result.createdCoins
  tx.require(locked !== undefined, 'the transfer locks one coin', () => 'none')
  const waiting = {
    lockedCoin: locked.value,
    transfer: { ...transfer, inputHoldingCids: [locked.value] },
  }
  return pending(result, tx.create(coinTransferInstruction, waiting))
}
