// The texts in which a payment that could not be made is explained: as reasons on the ledger, in
// history and to callers. domain/behaviour.md §4, §8
import type { InvalidTransferReason } from '../../generated/contracts.gen.ts'
import { formatDecimal } from '../engine/decimal.ts'

/** One line for people. */
export function failureText(reason: InvalidTransferReason): string {
  switch (reason.tag) {
    case 'ITR_InsufficientFunds':
      return `out of funds (missing ${formatDecimal(reason.value.missingAmount)} CC)`
    case 'ITR_UnknownSynchronizer':
      return `unknown domainId ${reason.value.synchronizerId}`
    case 'ITR_InsufficientTopupAmount': {
      const { requestedTopupAmount, minTopupAmount } = reason.value
      return `not enough traffic requested (trafficAmount ${requestedTopupAmount} < minTopupAmount ${minTopupAmount})`
    }
    case 'ITR_Other':
      return reason.value.description
  }
}
