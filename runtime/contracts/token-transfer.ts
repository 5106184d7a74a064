// Transfers of the token standard, from its factory: to oneself or to a preapproved receiver at
// once, else an instruction that waits for the receiver with the coin locked.
// docs/economy-rules.md, "Token-standard transfers"
import { TransferFactory } from '../../generated/contracts.gen.ts'
import type {
  ExtraArgs,
  TokenTransfer,
  TransferFactory_Transfer,
  TransferInstructionResult,
} from '../../generated/contracts.gen.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { contractIn, paymentContext } from './choice-context.ts'
import {
  inputsOf,
  lockOwn,
  requireCoinInstrument,
  requireInputs,
  transferOwn,
} from './coin-lock.ts'
import { externalPartyCoinRules } from './external-party-coin-rules.ts'
import { completed, pending } from './instruction-result.ts'
import { transferPreapproval, transferPreapprovalSend } from './preapproval.ts'
import { coinTransferInstruction } from './transfer-instruction.ts'
import { requireParty, requirePositive } from './requirements.ts'

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
  requireCoinInstrument(tx, dso, transfer.instrumentId)
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
  const order = {
    context,
    inputs: inputsOf(tx, transfer.inputHoldingCids),
    amount,
    sender,
    description: null,
    meta,
  }
  return completed(tx.exercise(transferPreapprovalSend, preapproval, order).result)
}

function offer(
  tx: Tx,
  dso: string,
  transfer: TokenTransfer,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  const lock = {
    expiresAt: transfer.executeBefore,
    optContext: `transfer to '${transfer.receiver}'`,
  }
  const payment = paymentContext(tx, extraArgs, null)
  const { locked, result } = lockOwn(tx, dso, transfer, payment, lock)
  const waiting = { lockedCoin: locked, transfer: { ...transfer, inputHoldingCids: [locked] } }
  return pending(result, tx.create(coinTransferInstruction, waiting))
}
