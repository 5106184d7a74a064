// Mints for every external party with a delegation to a party of this node, until there is nothing left. domain/behaviour.md §14
import { committedUnlessPassing, forEachOf, hostingOf, mintingDelegation, mintingDelegationMint } from '../../runtime/economy.ts'
import type { Contract, Economy, EconomyRun, MintingDelegation } from '../../runtime/economy.ts'
import { mintOf } from './inputs.ts'

type Delegation = Contract<MintingDelegation>

export class Minting {
  readonly #parallel: number
  /** For which delegation, and while which round was the latest to issue, nothing was left to do; by beneficiary. */
  #doneWith = new Map<string, string>()

  constructor(parallel: number) {
    this.#parallel = parallel
  }

  /** Once a party has nothing left, it is not looked at again before the next round issues, or before its delegation is a new one. */
  async run({ economy, signal }: EconomyRun): Promise<void> {
    const round = await latestIssuingRound(economy)
    const delegations = await activeDelegations(economy)
    const stage = ({ id }: Delegation) => `${round}/${id}`
    const done = [...delegations].filter(([party, delegation]) => this.#doneWith.get(party) === stage(delegation))
    this.#doneWith = new Map(done.map(([party, delegation]) => [party, stage(delegation)]))
    const waiting = [...delegations].filter(([party]) => !this.#doneWith.has(party))
    await forEachOf(waiting, this.#parallel, signal, async ([party, delegation]) => {
      if (await mintAll(economy, delegation, signal)) this.#doneWith.set(party, stage(delegation))
    })
  }
}

/** One for each beneficiary, the newest: not expired, from an external party of this node to one that this node signs for. */
async function activeDelegations(economy: Economy): Promise<ReadonlyMap<string, Delegation>> {
  const { reader, clock } = economy
  const now = clock.nowMicros()
  const lasting = (await reader.all(mintingDelegation)).filter(({ payload }) => payload.expiresAt > now)
  const hosting = await hostingOf(economy, lasting.flatMap(({ payload }) => [payload.beneficiary, payload.delegate]))
  const usable = lasting.filter(({ payload: { beneficiary, delegate } }) =>
    hosting.get(beneficiary) === 'external' && hosting.get(delegate) === 'local')
  return new Map(usable.map((delegation) => [delegation.payload.beneficiary, delegation]))
}

/** Answers whether nothing is left; not where others were faster, or it is not the moment. */
async function mintAll(economy: Economy, delegation: Delegation, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const mint = await mintOf(economy, delegation.payload)
    if (mint === undefined) return false
    if (mint.inputs.length === 0) return true
    const { payload: { beneficiary, delegate }, id } = delegation
    const done = committedUnlessPassing(await economy.engine.submit({
      actAs: [delegate], readAs: [beneficiary], userId: '', lowPriority: true,
      disclosedContracts: await economy.network.disclosures(),
      contractIds: mint.inputs.map(({ value }) => value),
      run: (tx) => void tx.exercise(mintingDelegationMint, id, mint),
    }))
    if (done === undefined) return false
  }
  return false
}

/** Its contract id; '' where none issues. */
async function latestIssuingRound({ network, clock }: Economy): Promise<string> {
  const now = clock.nowMicros()
  return (await network.issuingRounds()).findLast(({ payload }) => payload.opensAt <= now)?.id ?? ''
}
