// The templates of wallets, delegations and the test token, with their choices bound.
import { mergeDelegationTemplates } from './merge-delegation.ts'
import { mintingDelegationTemplates } from './minting-delegation.ts'
import { testTokenTemplates } from './test-token.ts'
import { buyTrafficTemplates } from './wallet/buy-traffic.ts'
import { installTemplates } from './wallet/install.ts'
import { preapprovalProposalTemplates } from './wallet/preapproval-proposal.ts'
import { transferOfferTemplates } from './wallet/transfer-offer.ts'

/** For `allTemplates`. */
export const walletTemplates = {
  ...transferOfferTemplates,
  ...buyTrafficTemplates,
  ...installTemplates,
  ...preapprovalProposalTemplates,
  ...mintingDelegationTemplates,
  ...mergeDelegationTemplates,
  ...testTokenTemplates,
}
