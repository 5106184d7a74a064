// Rejects proposals of minting delegations that cannot be meant: to the wrong delegate, for a party that is not an external one of this
// node, or older than another one of the same beneficiary. domain/behaviour.md §14
import {
  forEachOf, hostingOf, mintingDelegationProposal, mintingDelegationProposalReject, submitForNetwork,
} from '../../runtime/economy.ts'
import type { Contract, Economy, EconomyRun, Hosting, MintingDelegationProposal } from '../../runtime/economy.ts'

export interface ProposalOptions {
  readonly delegates: 'operator' | 'hosted'
  readonly parallel: number
}

type Proposal = Contract<MintingDelegationProposal>

/** As their delegates, all of them; expired ones are left to their end, and so are those to parties that others sign for. */
export async function rejectProposals({ economy, signal }: EconomyRun, { delegates, parallel }: ProposalOptions): Promise<void> {
  const { reader, clock } = economy
  const now = clock.nowMicros()
  const open = (await reader.all(mintingDelegationProposal)).filter(({ payload }) => payload.delegation.expiresAt > now)
  const hosting = await hostingOf(economy, open.flatMap(({ payload: { delegation } }) => [delegation.beneficiary, delegation.delegate]))
  const isValid = (proposal: Proposal) => isMeant(economy, proposal, hosting, delegates)
  const newest = new Map(open.filter(isValid).map((proposal) => [proposal.payload.delegation.beneficiary, proposal.id]))
  const rejected = open.filter(({ id, payload: { delegation: { beneficiary, delegate } } }) =>
    newest.get(beneficiary) !== id && hosting.get(delegate) === 'local')
  await forEachOf(rejected, parallel, signal, (proposal) => reject(economy, proposal))
}

function isMeant(
  { parties: { operator } }: Economy, { payload: { delegation: { beneficiary, delegate } } }: Proposal,
  hosting: ReadonlyMap<string, Hosting>, delegates: ProposalOptions['delegates'],
): boolean {
  const isAllowed = delegate === operator || (delegates === 'hosted' && hosting.get(delegate) === 'local')
  return isAllowed && hosting.get(beneficiary) === 'external'
}

async function reject(economy: Economy, { id, payload: { delegation: { delegate } } }: Proposal): Promise<void> {
  await submitForNetwork(economy, {
    actAs: [delegate], paid: true, run: (tx) => tx.exercise(mintingDelegationProposalReject, id, {}),
  })
}
