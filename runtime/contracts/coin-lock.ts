// What the token standard's factory does with a sender's coins before anybody else takes part:
// checks them, and makes one holding of them, locked or not. docs/economy-rules.md, "Token-standard
// transfers"
import type {
  ExtraArgs,
  InstrumentId,
  Metadata,
  PaymentTransferContext,
  TimeLock,
  TransferInput,
  TransferResult,
} from '../../generated/contracts.gen.ts'
import { DAY_MICROS } from '../engine/durations.ts'
import type { Tx } from '../engine/template.ts'
import { requiredContract } from './choice-context.ts'
import { coin } from './coin.ts'
import { lockedCoin, lockedCoinOwnerExpireLock } from './locked-coin.ts'
import { instrumentId } from './names.ts'
import { openRoundInUse } from './round-use.ts'
import { maximumInputsExceeded } from './transfer-aborts.ts'
import { inputOf, outputTo, payBy } from './transfer.ts'

/** The longest time without one in the configuration: 90 days. */
const MAX_TTL_MICROS = 90n * DAY_MICROS

/** A sender's coins, what is made of them, and what that says. */
export interface OwnTransfer {
  readonly sender: string
  readonly amount: bigint
  readonly inputHoldingCids: readonly string[]
  readonly meta: Metadata
}

/** Coins that are wanted, and from when until when. */
export interface Wanted {
  readonly requestedAt: bigint
  readonly executeBefore: bigint
  readonly inputHoldingCids: readonly string[]
}

/** Requires the coin as instrument. */
export function requireCoinInstrument(tx: Tx, dso: string, { admin, id }: InstrumentId): void {
  tx.require(
    admin === dso && id === instrumentId(),
    `the instrument is ${instrumentId()} of ${dso}`,
    () => `${id} of ${admin}`,
  )
}

/** Requires an allowed duration, and neither no coins nor too many. */
export function requireInputs(tx: Tx, dso: string, wanted: Wanted, args: ExtraArgs): void {
  const { requestedAt, executeBefore, inputHoldingCids } = wanted
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
export function inputsOf(tx: Tx, contractIds: readonly string[]): readonly TransferInput[] {
  return contractIds.map((contractId) => inputOf(openedCoin(tx, contractId)))
}

function openedCoin(tx: Tx, contractId: string): string {
  const { id } = tx.templateOf(contractId)
  if (id === lockedCoin.type.id) return tx.exercise(lockedCoinOwnerExpireLock, contractId, {}).coin
  tx.require(id === coin.type.id, 'each input is a holding of the coin', () => id)
  return contractId
}

/** A transfer of the sender's coins that the sender provides for itself, unfeatured. */
export function transferOwn(
  tx: Tx,
  dso: string,
  own: OwnTransfer,
  payment: PaymentTransferContext,
  lock: TimeLock | null,
): TransferResult {
  const { sender, amount, inputHoldingCids, meta } = own
  return payBy(tx, payment, dso, {
    sender,
    provider: sender,
    inputs: inputsOf(tx, inputHoldingCids),
    outputs: [outputTo(sender, amount, meta, lock)],
  })
}

/**
 * Transfers like `transferOwn`, with the amount locked by the network. Answers the locked coin,
 * too.
 */
export function lockOwn(
  tx: Tx,
  dso: string,
  own: OwnTransfer,
  payment: PaymentTransferContext,
  lock: Omit<TimeLock, 'holders'>,
): { readonly locked: string; readonly result: TransferResult } {
  const result = transferOwn(tx, dso, own, payment, { holders: [dso], ...lock })
  const [locked] = result.createdCoins
  tx.require(locked !== undefined, 'the transfer locks one coin', () => 'none')
  return { locked: locked.value, result }
}
