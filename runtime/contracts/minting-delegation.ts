// Who mints an external party's rewards for it, into that party's own coins. docs/economy-rules.md,
// "Minting delegations"
import { MintingDelegation, MintingDelegationProposal } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { payBy } from './transfer.ts'
import { requireParty } from './requirements.ts'
import { ofNetwork } from './of-network.ts'

/** Rank: expiry. */
export const mintingDelegationProposal = defineTemplate(MintingDelegationProposal, {
  signatories: ({ delegation }) => [delegation.beneficiary],
  issuer: ({ delegation }) => delegation.dso,
  observers: ({ delegation }) => [delegation.delegate],
  ensure: ({ delegation }) => isMeaningful(delegation),
  keys: ({ delegation }) => delegation,
  rank: ({ delegation }) => delegation.expiresAt,
})

/** Rank: expiry. */
export const mintingDelegation = defineTemplate(MintingDelegation, {
  ...ofNetwork,
  signatories: (delegation) => [delegation.beneficiary, delegation.delegate],
  ensure: (delegation) => isMeaningful(delegation),
  rank: (delegation) => delegation.expiresAt,
})

/** The delegate, before expiry. A delegation that the same two have is replaced. */
export const mintingDelegationProposalAccept = choice(
  mintingDelegationProposal,
  MintingDelegationProposal.choices.MintingDelegationProposal_Accept,
  {
    controllers: ({ delegation }) => [delegation.delegate],
    run: (tx, { payload: { delegation } }, { existingDelegationCid }) => {
      tx.before(delegation.expiresAt)
      if (existingDelegationCid !== null) replace(tx, existingDelegationCid, delegation)
      return { mintingDelegationCid: tx.create(mintingDelegation, delegation) }
    },
  },
)

/** The delegate. */
export const mintingDelegationProposalReject = choice(
  mintingDelegationProposal,
  MintingDelegationProposal.choices.MintingDelegationProposal_Reject,
  { controllers: ({ delegation }) => [delegation.delegate] },
)

/** The beneficiary. */
export const mintingDelegationProposalWithdraw = choice(
  mintingDelegationProposal,
  MintingDelegationProposal.choices.MintingDelegationProposal_Withdraw,
  {
    controllers: ({ delegation }) => [delegation.beneficiary],
  },
)

/** The delegate, before expiry: all inputs become one coin of the beneficiary. Never featured. */
export const mintingDelegationMint = choice(
  mintingDelegation,
  MintingDelegation.choices.MintingDelegation_Mint,
  {
    controllers: (delegation) => [delegation.delegate],
    run: (tx, { payload: { beneficiary, delegate, dso, expiresAt } }, { inputs, context }) => {
      tx.before(expiresAt)
      const unfeatured = { ...context.context, featuredAppRight: null }
      const transfer = { sender: beneficiary, provider: delegate, inputs, outputs: [] }
      return { result: payBy(tx, { ...context, context: unfeatured }, dso, transfer) }
    },
  },
)

/** The delegate. */
export const mintingDelegationReject = choice(
  mintingDelegation,
  MintingDelegation.choices.MintingDelegation_Reject,
  {
    controllers: (delegation) => [delegation.delegate],
  },
)

/** The beneficiary. */
export const mintingDelegationWithdraw = choice(
  mintingDelegation,
  MintingDelegation.choices.MintingDelegation_Withdraw,
  { controllers: (delegation) => [delegation.beneficiary] },
)

function replace(tx: Tx, existingCid: string, delegation: MintingDelegation): void {
  const existing = tx.fetch(mintingDelegation, existingCid)
  const { beneficiary, delegate } = delegation
  requireParty(tx, 'the beneficiary of the existing delegation', existing.beneficiary, beneficiary)
  requireParty(tx, 'the delegate of the existing delegation', existing.delegate, delegate)
  tx.archive(mintingDelegation, existingCid)
}

function isMeaningful({ coinMergeLimit }: MintingDelegation): boolean {
  return coinMergeLimit > 0n
}
