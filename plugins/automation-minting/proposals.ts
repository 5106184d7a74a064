// Rejects proposals of minting delegations that cannot be meant: to the wrong delegate, for a party
// that is not an external one of this node, or older than another one of the same beneficiary.
// docs/economy-rules.md, "Minting delegations"
import {
  background,
  forEachOf,
  hostingOf,
  mintingDelegationProposal,
  mintingDelegationProposalReject,
  submitForNetwork,
  Turns,
} from '../../runtime/economy.ts'
import type {
  Contract,
  Economy,
  EconomyRun,
  Hosting,
  MintingDelegationProposal,
} from '../../runtime/economy.ts'

interface ProposalOptions {
  readonly delegates: 'operator' | 'hosted'
  readonly parallel: number
}

type Proposal = Contract<MintingDelegationProposal>

/** Looks at all proposals in turn, of each party the newest first. */
export class Rejecting {
  readonly #options: ProposalOptions
  readonly #turns = new Turns(mintingDelegationProposal.by('beneficiary'))

  constructor(options: ProposalOptions) {
    this.#options = options
  }

  /**
   * As their delegates; expired ones are left to their end, and so are those to parties that others
   * sign for.
   */
  async run(run: EconomyRun): Promise<void> {
    const { economy, signal, again } = run
    const { clock } = economy
    const { delegates, parallel } = this.#options
    const looked = await this.#turns.contracts(run, { order: 'created-desc' })
    const now = clock.nowMicros()
    const open = looked.filter(
      ({ payload, synchronizerId }) => payload.delegation.expiresAt > now && synchronizerId !== '',
    )
    const hosting = await hostingOf(
      economy,
      open.flatMap(({ payload: { delegation } }) => [delegation.beneficiary, delegation.delegate]),
    )
    const isValid = (proposal: Proposal) => isMeant(economy, proposal, hosting, delegates)
    // The newest comes first and is written last.
    const kept = new Map(
      open
        .filter(isValid)
        .toReversed()
        .map((proposal) => [proposal.payload.delegation.beneficiary, proposal.id]),
    )
    const rejected = open.filter(
      ({
        id,
        payload: {
          delegation: { beneficiary, delegate },
        },
      }) => kept.get(beneficiary) !== id && hosting.get(delegate) === 'local',
    )
    if (rejected.length > 0) again.soon()
    await forEachOf(byParties(rejected), parallel, signal, (proposals) =>
      background.piece(proposals[0]?.payload.delegation.beneficiary ?? '', () =>
        reject(economy, proposals),
      ),
    )
  }
}

function isMeant(
  { parties: { operator } }: Pick<Economy, 'parties'>,
  {
    payload: {
      delegation: { beneficiary, delegate },
    },
  }: Proposal,
  hosting: ReadonlyMap<string, Hosting>,
  delegates: ProposalOptions['delegates'],
): boolean {
  const isAllowed =
    delegate === operator || (delegates === 'hosted' && hosting.get(delegate) === 'local')
  return isAllowed && hosting.get(beneficiary) === 'external'
}

function byParties(proposals: readonly Proposal[]): readonly (readonly Proposal[])[] {
  return [
    ...Map.groupBy(proposals, ({ payload: { delegation } }) =>
      JSON.stringify([delegation.beneficiary, delegation.delegate]),
    ).values(),
  ]
}

/** Rejects the proposals of one party to one delegate, all at once. */
async function reject(
  economy: Pick<Economy, 'engine'>,
  proposals: readonly Proposal[],
): Promise<void> {
  const delegates = new Set(proposals.map(({ payload: { delegation } }) => delegation.delegate))
  await submitForNetwork(economy, {
    actAs: [...delegates],
    paid: true,
    run: (tx) => {
      for (const { id } of proposals) tx.exercise(mintingDelegationProposalReject, id, {})
    },
  })
}
