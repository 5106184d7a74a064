// The wallet's and the operator's operations that are served from here, for the validator interface.
import type { Economy } from '../economy.ts'
import { accountHandlers } from './account-handlers.ts'
import { holdingHandlers } from './holding-handlers.ts'
import { offerHandlers } from './offer-handlers.ts'
import type { Onboarding } from './onboarding.ts'
import { trafficHandlers } from './traffic-handlers.ts'
import type { Treasury } from './treasury/index.ts'

/** Handlers of offers, traffic requests, reads of a wallet, users, tap and featured rights. */
export function walletHandlers(economy: Economy, treasury: Treasury, onboarding: Onboarding) {
  return {
    ...offerHandlers(economy),
    ...trafficHandlers(economy),
    ...holdingHandlers(economy),
    ...accountHandlers(economy, treasury, onboarding),
  }
}
