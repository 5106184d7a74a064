// A validator pays to host an external party; one signature of that party gives both their
// contracts. docs/economy-rules.md, "External parties"
import { CoinRules, ExternalPartySetupProposal } from '../../generated/contracts.gen.ts'
import type { ExternalPartySetupProposal_AcceptResult } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { coinRules } from './coin-rules.ts'
import { mergeDelegationProposal } from './merge-delegation.ts'
import { NO_METADATA } from './metadata.ts'
import { payForPreapproval, transferPreapproval } from './preapproval.ts'
import { validatorRight } from './validator-right.ts'
import { requireParty } from './requirements.ts'
import { ofNetwork } from './of-network.ts'

/** Rank: expiry of the preapproval. */
export const externalPartySetupProposal = defineTemplate(ExternalPartySetupProposal, {
  ...ofNetwork,
  signatories: ({ validator, dso }) => [validator, dso],
  observers: ({ user }) => [user],
  ensure: ({ createdAt, preapprovalExpiresAt }) => preapprovalExpiresAt > createdAt,
  rank: ({ preapprovalExpiresAt }) => (preapprovalExpiresAt > 0n ? preapprovalExpiresAt : 0n),
})

/** The validator proposes to set an external party up, and pays for its preapproval. */
export const coinRulesCreateExternalPartySetupProposal = choice(
  coinRules,
  CoinRules.choices.CoinRules_CreateExternalPartySetupProposal,
  {
    controllers: (_rules, { validator }) => [validator],
    run: (tx: Tx, { payload: rules }, argument) => {
      const { user, validator, context, inputs, createdAt, preapprovalExpiresAt, expectedDso } =
        argument
      requireParty(tx, 'the expected network party', expectedDso, rules.dso)
      tx.notBefore(createdAt)
      tx.before(preapprovalExpiresAt)
      const reason = 'create ExternalPartySetupProposal'
      const payment = { payer: validator, inputs, context, reason }
      const { transferResult, coinPaid } = payForPreapproval(
        tx,
        rules,
        preapprovalExpiresAt - createdAt,
        payment,
      )
      const proposal = { validator, user, dso: rules.dso, createdAt, preapprovalExpiresAt }
      const proposalCid = tx.create(externalPartySetupProposal, proposal)
      return { proposalCid, user, validator, transferResult, coinPaid, meta: transferResult.meta }
    },
  },
)

/**
 * Gives the validator its right and the user its preapproval, and proposes merging to
 * `mergeOperator`.
 */
export const externalPartySetupProposalAccept = choice(
  externalPartySetupProposal,
  ExternalPartySetupProposal.choices.ExternalPartySetupProposal_Accept,
  {
    controllers: ({ user }) => [user],
    run: (tx, { payload }, { mergeOperator }) => accept(tx, payload, mergeOperator),
  },
)

/** The party declines. */
export const externalPartySetupProposalReject = choice(
  externalPartySetupProposal,
  ExternalPartySetupProposal.choices.ExternalPartySetupProposal_Reject,
  { controllers: ({ user }) => [user] },
)

/** The validator takes the proposal back. */
export const externalPartySetupProposalWithdraw = choice(
  externalPartySetupProposal,
  ExternalPartySetupProposal.choices.ExternalPartySetupProposal_Withdraw,
  { controllers: ({ validator }) => [validator] },
)

function accept(
  tx: Tx,
  { dso, user, validator, createdAt, preapprovalExpiresAt }: ExternalPartySetupProposal,
  mergeOperator: string | null,
): ExternalPartySetupProposal_AcceptResult {
  tx.before(preapprovalExpiresAt)
  const valid = { validFrom: createdAt, lastRenewedAt: createdAt, expiresAt: preapprovalExpiresAt }
  return {
    validatorRightCid: tx.create(validatorRight, { dso, user, validator }),
    transferPreapprovalCid: tx.create(transferPreapproval, {
      dso,
      receiver: user,
      provider: validator,
      ...valid,
    }),
    optMergeDelegationProposalCid:
      mergeOperator === null
        ? null
        : tx.create(mergeDelegationProposal, {
            delegation: { operator: mergeOperator, owner: user, meta: NO_METADATA },
          }),
  }
}
