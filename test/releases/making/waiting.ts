// What waits for somebody: for a receiver, for an automation, for a signature. The automations are
// off, so it stays as it is.
import { propose } from '../../external/kit.ts'
import { create, exercise, activeOf, idOf, submit } from './making.ts'
import type { Making } from './making.ts'
import { buyTraffic, offer, order, outsider, proposeMinting, send, transfer } from './payments.ts'
import { hostParty, OPERATOR } from './people.ts'

const MERGING = 'network-util-token-standard-wallet:Network.Util.Token.Wallet.MergeDelegation'

/** Payments at every point at which they can wait. */
export async function leavePayments(making: Making): Promise<void> {
  await offer(making, { from: 'alice', to: 'bob', amount: '1234.5678901234', id: 'open' })
  const accepted = await offer(making, {
    from: 'bob',
    to: 'alice',
    amount: '19.99',
    id: 'accepted',
  })
  await making.done('alice', `POST /v0/wallet/transfer-offers/${accepted}/accept`)
  await transfer(making, { from: 'bob', to: 'alice', amount: '400', id: 'open-transfer' })
  await buyTraffic(making, 'open-request')
  await send(making, { from: 'bob', to: 'ivan', amount: '6.25', id: 'last' })
  await order(making, 'vault', { to: 'bob', amount: '2', nonce: 1 })
}

/** Proposals that nobody has answered. */
export async function leaveProposals(making: Making): Promise<void> {
  const {
    done,
    network: { operator: provider, dso: expectedDso },
  } = making
  const receiver = idOf(making, 'alice')
  const proposal = 'network-wallet:Network.Wallet.TransferPreapproval:TransferPreapprovalProposal'
  await submit(making, 'alice', [receiver], create(proposal, { receiver, provider, expectedDso }))
  await hostParty(making, 'annex')
  await propose(making, outsider(making, 'annex'))
  await proposeMinting(making, 'vault', 'ivan')
  await done('alice', 'POST /v0/wallet/merge-delegation/propose', {})
}

/** A delegation to merge, and where the operator merges. */
export async function delegateMerging(making: Making): Promise<void> {
  const {
    done,
    network: { operator },
  } = making
  await done('ivan', 'POST /v0/wallet/merge-delegation/propose', {})
  const template = `${MERGING}:MergeDelegationProposal`
  const [proposal] = await activeOf(making, OPERATOR, operator, template)
  await submit(
    making,
    OPERATOR,
    [operator],
    exercise({
      template,
      contractId: proposal?.id ?? '',
      choice: 'MergeDelegationProposal_Accept',
    }),
    create(`${MERGING}:BatchMergeUtility`, { operator }),
  )
}
