// A transfer that waits for its receiver. Of acceptance, rejection, withdrawal and expiry exactly
// one happens. docs/economy-rules.md, "Token-standard transfers"
import { CoinTransferInstruction, TransferInstruction } from '../../generated/contracts.gen.ts'
import type { ExtraArgs, TransferInstructionResult } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { expiresLock, paymentContext } from './choice-context.ts'
import { completed } from './instruction-result.ts'
import { lockedCoinUnlock, releaseLock } from './locked-coin.ts'
import { NO_METADATA } from './metadata.ts'
import { inputOf, outputTo, payBy } from './transfer.ts'

/** Rank: executeBefore. */
export const coinTransferInstruction = defineTemplate(CoinTransferInstruction, {
  signatories: ({ transfer }) => [transfer.instrumentId.admin, transfer.sender],
  issuer: ({ transfer }) => transfer.instrumentId.admin,
  observers: ({ transfer }) => [transfer.receiver],
  keys: ({ lockedCoin, transfer }) => ({ ...transfer, lockedCoin }),
  rank: ({ transfer }) => transfer.executeBefore,
  views: {
    [TransferInstruction.id]: ({ transfer }) =>
      TransferInstruction.view.encode({
        originalInstructionCid: null,
        transfer,
        status: { tag: 'TransferPendingReceiverAcceptance', value: {} },
        meta: NO_METADATA,
      }),
  },
})

/** The receiver takes the locked coins. */
export const coinTransferInstructionAccept = choice(
  coinTransferInstruction,
  TransferInstruction.choices.TransferInstruction_Accept,
  {
    controllers: ({ transfer }) => [transfer.receiver],
    run: (tx, { payload }, { extraArgs }) => accept(tx, payload, extraArgs),
  },
)

/** The receiver declines: the coins go back to the sender. */
export const coinTransferInstructionReject = choice(
  coinTransferInstruction,
  TransferInstruction.choices.TransferInstruction_Reject,
  {
    controllers: ({ transfer }) => [transfer.receiver],
    run: (tx, { payload }, { extraArgs }) => giveBack(tx, payload, extraArgs),
  },
)

/** The sender takes the coins back. */
export const coinTransferInstructionWithdraw = choice(
  coinTransferInstruction,
  TransferInstruction.choices.TransferInstruction_Withdraw,
  {
    controllers: ({ transfer }) => [transfer.sender],
    run: (tx, { payload }, { extraArgs }) => giveBack(tx, payload, extraArgs),
  },
)

/** The coin knows one update: the network lets the instruction expire, alone. */
export const coinTransferInstructionUpdate = choice(
  coinTransferInstruction,
  TransferInstruction.choices.TransferInstruction_Update,
  {
    controllers: ({ transfer }, { extraActors }) => [transfer.instrumentId.admin, ...extraActors],
    run: (tx: Tx, { payload }, { extraActors, extraArgs }) => {
      tx.require(extraActors.length === 0, 'the network party acts alone', () =>
        extraActors.join(', '),
      )
      tx.notBefore(payload.transfer.executeBefore)
      return giveBack(tx, payload, extraArgs)
    },
  },
)

function accept(
  tx: Tx,
  instruction: CoinTransferInstruction,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  const { lockedCoin, transfer } = instruction
  const {
    sender,
    receiver,
    amount,
    meta,
    instrumentId: { admin },
    executeBefore,
  } = transfer
  tx.before(executeBefore)
  const payment = paymentContext(tx, extraArgs, null)
  const unlocked = tx.exercise(lockedCoinUnlock, lockedCoin, {}).coin
  return completed(
    payBy(tx, payment, admin, {
      sender,
      provider: sender,
      inputs: [inputOf(unlocked)],
      outputs: [outputTo(receiver, amount, meta)],
    }),
  )
}

function giveBack(
  tx: Tx,
  { lockedCoin, transfer }: CoinTransferInstruction,
  extraArgs: ExtraArgs,
): TransferInstructionResult {
  const { holdingCids, meta } = releaseLock(tx, {
    lockedCoin,
    hasLock: expiresLock(tx, extraArgs),
    until: transfer.executeBefore,
  })
  const output = { tag: 'TransferInstructionResult_Failed', value: {} } as const
  return { output, senderChangeCids: holdingCids, meta }
}
