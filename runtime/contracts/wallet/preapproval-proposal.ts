// A local party asks its provider for a preapproval, which the provider pays.
// docs/economy-rules.md, "Preapprovals"
import { TransferPreapprovalProposal } from '../../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../../engine/index.ts'
import type { Tx } from '../../engine/template.ts'
import { coinRulesCreateTransferPreapproval } from '../preapproval.ts'

export const transferPreapprovalProposal = defineTemplate(TransferPreapprovalProposal, {
  signatories: (proposal) => [proposal.receiver],
  issuer: ({ expectedDso }) => expectedDso ?? '',
  observers: (proposal) => [proposal.provider],
  ensure: (proposal) => proposal.expectedDso !== null,
})

/** The provider, who pays out of the inputs. */
export const transferPreapprovalProposalAccept = choice(
  transferPreapprovalProposal,
  TransferPreapprovalProposal.choices.TransferPreapprovalProposal_Accept,
  {
    controllers: (proposal) => [proposal.provider],
    run: (tx: Tx, { payload: { receiver, provider, expectedDso } }, { context, ...terms }) => {
      tx.require(expectedDso !== null, "the proposal names the network's party", () => 'none')
      const argument = { receiver, provider, expectedDso, context: context.context, ...terms }
      return tx.exercise(coinRulesCreateTransferPreapproval, context.coinRules, argument)
    },
  },
)

/** The provider. */
export const transferPreapprovalProposalReject = choice(
  transferPreapprovalProposal,
  TransferPreapprovalProposal.choices.TransferPreapprovalProposal_Reject,
  { controllers: (proposal) => [proposal.provider] },
)

/** The receiver. */
export const transferPreapprovalProposalWithdraw = choice(
  transferPreapprovalProposal,
  TransferPreapprovalProposal.choices.TransferPreapprovalProposal_Withdraw,
  {
    controllers: (proposal) => [proposal.receiver],
  },
)
