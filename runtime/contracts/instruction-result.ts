// What a transfer means in the words of the token standard.
import type {
  TransferInstructionOutput as Output,
  TransferInstructionResult,
  TransferResult,
} from '../../generated/contracts.gen.ts'

/**
 * The outcome of a transfer that is through: what it created is the receiver's, the change the
 * sender's.
 */
export function completed(result: TransferResult): TransferInstructionResult {
  const receiverHoldingCids = result.createdCoins.map(({ value }) => value)
  return outcome(result, {
    tag: 'TransferInstructionResult_Completed',
    value: { receiverHoldingCids },
  })
}

/** The outcome of a transfer that locked coin for an instruction. */
export function pending(
  result: TransferResult,
  transferInstructionCid: string,
): TransferInstructionResult {
  return outcome(result, {
    tag: 'TransferInstructionResult_Pending',
    value: { transferInstructionCid },
  })
}

function outcome(
  { senderChangeCoin, meta }: TransferResult,
  output: Output,
): TransferInstructionResult {
  return { output, senderChangeCids: senderChangeCoin === null ? [] : [senderChangeCoin], meta }
}
