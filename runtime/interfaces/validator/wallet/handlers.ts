// The wallet's and the operator's operations that are served from here, for the validator
// interface.
import type { Economy } from '../../../economy/economy.ts'
import { accountHandlers } from './account-handlers.ts'
import { allocationHandlers } from './allocation-handlers.ts'
import { developmentFundHandlers } from './development-fund-handlers.ts'
import { holdingHandlers } from './holding-handlers.ts'
import { mergeDelegationHandlers } from './merge-delegation-handlers.ts'
import { mintingDelegationHandlers } from './minting-delegation-handlers.ts'
import { ownNameHandlers } from './name-handlers.ts'
import { offerHandlers } from './offer-handlers.ts'
import type { Onboarding } from '../../../economy/wallets/onboarding.ts'
import { appPaymentHandlers, subscriptionHandlers } from './payment-handlers.ts'
import { preapprovalHandlers } from './preapproval-handlers.ts'
import { tokenTransferHandlers } from './token-transfer-handlers.ts'
import { trafficHandlers } from './traffic-handlers.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'

/**
 * Handlers of everything that a wallet does, and of the operator's view of users and preapprovals.
 */
export function walletHandlers(economy: Economy, treasury: Treasury, onboarding: Onboarding) {
  return {
    ...offerHandlers(economy),
    ...trafficHandlers(economy),
    ...holdingHandlers(economy),
    ...accountHandlers(economy, treasury, onboarding),
    ...tokenTransferHandlers(economy, treasury),
    ...allocationHandlers(economy, treasury),
    ...preapprovalHandlers(economy, treasury),
    ...mintingDelegationHandlers(economy, treasury),
    ...mergeDelegationHandlers(economy),
    ...developmentFundHandlers(economy),
    ...appPaymentHandlers(economy, treasury),
    ...subscriptionHandlers(economy, treasury),
    ...ownNameHandlers(economy),
  }
}
