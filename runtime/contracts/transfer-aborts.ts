// The refusals of transfers and purchases that callers tell apart. docs/economy-rules.md, "Refused
// transfers"
import { formatDecimal } from '../engine/decimal.ts'
import type { AbortReason } from '../engine/rejection.ts'

/** The transfer takes more inputs than the network allows. */
export function maximumInputsExceeded(count: number, limit: bigint): AbortReason {
  const message = `The transfer has ${count} inputs, at most ${limit} are allowed`
  return { id: 'maximum-inputs-exceeded', category: 'argument', message }
}

/** The transfer makes more outputs than the network allows. */
export function maximumOutputsExceeded(count: number, limit: bigint): AbortReason {
  const message = `The transfer has ${count} outputs, at most ${limit} are allowed`
  return { id: 'maximum-outputs-exceeded', category: 'argument', message }
}

/** `missing` is a decimal above zero: metadata `requiredAmount`. */
export function insufficientFunds(missing: bigint): AbortReason {
  const requiredAmount = formatDecimal(missing)
  const message = `Insufficient funds, missing ${requiredAmount}`
  return { id: 'insufficient-funds', category: 'state', message, metadata: { requiredAmount } }
}

/** Traffic was bought for a synchronizer that the network does not have. */
export function unknownSynchronizer(synchronizerId: string): AbortReason {
  const message = `The synchronizer ${synchronizerId} is not one of the network`
  return { id: 'unknown-synchronizer', category: 'argument', message, metadata: { synchronizerId } }
}

/** Bytes. */
export function insufficientTopupAmount(requested: bigint, minimum: bigint): AbortReason {
  const metadata = {
    requestedTopupAmount: requested.toString(),
    minTopupAmount: minimum.toString(),
  }
  const message = `${requested} bytes of traffic were requested, at least ${minimum} can be bought`
  return { id: 'insufficient-topup-amount', category: 'state', message, metadata }
}
