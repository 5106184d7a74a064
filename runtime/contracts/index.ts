// Every template and choice of the ledger, by the names of docs/contracts.md, and all of them bound
// for the engine.
import type { templateTypes } from '../../generated/contracts.gen.ts'
import type { AnyTemplate, TemplatesOf } from '../engine/template.ts'
import { coinTemplates } from './coin-templates.ts'
import { networkTemplates } from './network-templates.ts'
import { walletTemplates } from './wallet-templates.ts'

export * from './ans.ts'
export * from './burn.ts'
export * from './choice-context.ts'
export * from './coin-price.ts'
export * from './coin-rules.ts'
export * from './coin.ts'
export * from './config.ts'
export * from './coupons.ts'
export * from './development-fund.ts'
export * from './dso-rules.ts'
export * from './external-party-coin-rules.ts'
export * from './external-party-setup.ts'
export * from './feature-app.ts'
export * from './featured-app.ts'
export * from './fees.ts'
export * from './fund-allocation.ts'
export * from './instruction-result.ts'
export * from './issuance.ts'
export * from './licence.ts'
export * from './locked-coin.ts'
export * from './merge-delegation.ts'
export * from './metadata.ts'
export * from './minting-delegation.ts'
export * from './names.ts'
export * from './now.ts'
export * from './preapproval.ts'
export * from './quote.ts'
export * from './round-steps.ts'
export * from './round-use.ts'
export * from './rounds.ts'
export * from './tap-and-mint.ts'
export * from './test-token.ts'
export * from './token-transfer.ts'
export * from './traffic.ts'
export * from './transfer-command.ts'
export * from './transfer-faults.ts'
export * from './transfer-inputs.ts'
export * from './transfer-instruction.ts'
export * from './transfer.ts'
export * from './unclaimed-rewards.ts'
export * from './validator-right.ts'
export * from './vote-actions.ts'
export * from './votes.ts'
export * from './wallet/buy-traffic.ts'
export * from './wallet/install.ts'
export * from './wallet/operations.ts'
export * from './wallet/preapproval-proposal.ts'
export * from './wallet/wallet-inputs.ts'
export * from './wallet/text.ts'
export * from './wallet/transfer-offer.ts'

/** Every template under its name; one that is missing does not compile. */
const templates: TemplatesOf<typeof templateTypes> = {
  ...coinTemplates,
  ...networkTemplates,
  ...walletTemplates,
}

/** What the engine is given. */
export const allTemplates: readonly AnyTemplate[] = Object.values(templates)
