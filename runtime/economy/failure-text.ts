// The texts in which a payment that could not be made is explained: as reasons on the ledger, in
// history and to callers. docs/economy-rules.md, "Legacy offers" and "Traffic"
import type { InvalidTransferReason } from '../../generated/contracts.gen.ts'
import { formatDecimal } from '../engine/decimal.ts'
import type { InputLimit } from './treasury/outcome.ts'

/** One line for people. */
export function failureText(reason: InvalidTransferReason, inputs?: InputLimit): string {
  switch (reason.tag) {
    case 'ITR_InsufficientFunds': {
      const missing = `missing ${formatDecimal(reason.value.missingAmount)} CC`
      return inputs === undefined
        ? `out of funds (${missing})`
        : `out of funds in the ${inputs.limit} inputs that a transfer may have (${missing}): ` +
            `the wallet's coin is in ${inputs.holdings} holdings; merge them, or pay in parts`
    }
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
