// Mints for every external party with a delegation to a party of this node, until there is nothing
// left. docs/economy-rules.md, "Minting delegations"
import {
  background,
  committedUnlessPassing,
  forEachOf,
  hostingOf,
  mintingDelegation,
  mintingDelegationMint,
  Tries,
  Turns,
} from '../../runtime/economy.ts'
import type {
  Contract,
  Economy,
  EconomyRun,
  Hosting,
  MintingDelegation,
} from '../../runtime/economy.ts'
import { mintOf } from './inputs.ts'

type Delegation = Contract<MintingDelegation>

/**
 * Mints for one party at one look: the rest is for the next one, so that nobody's coupons keep
 * others waiting.
 */
const MAX_MINTS = 20

/** Parties that are remembered at most; then all are looked at again. */
const MAX_REMEMBERED = 50_000

export class Minting {
  readonly #parallel: number
  readonly #turns = new Turns(mintingDelegation.by('beneficiary'))
  readonly #tries = new Tries(Infinity)
  /**
   * For which delegation, and while which round was the latest to issue, nothing was left to do; by
   * beneficiary.
   */
  readonly #doneWith = new Map<string, string>()
  #round = ''

  constructor(parallel: number) {
    this.#parallel = parallel
  }

  /**
   * Once a party has nothing left, it is not looked at again before the next round issues, or
   * before its delegation is a new one.
   */
  async run(run: EconomyRun): Promise<void> {
    const { economy, signal } = run
    const round = await latestIssuingRound(economy)
    if (round !== this.#round || this.#doneWith.size > MAX_REMEMBERED) this.#doneWith.clear()
    this.#round = round
    const usable = await usableDelegations(run, this.#turns)
    const waiting = usable.filter(
      ({ id, payload }) => this.#doneWith.get(payload.beneficiary) !== id,
    )
    await forEachOf(waiting, this.#parallel, signal, async (delegation) => {
      const {
        id,
        payload: { beneficiary: party },
      } = delegation
      await this.#tries.attempt(
        { id, party, what: 'the rewards of a party cannot be minted' },
        run,
        async () => {
          if (await mintAll(economy, delegation, signal)) this.#doneWith.set(party, id)
          else run.again.soon()
          return true
        },
      )
    })
  }
}

/**
 * One for each beneficiary that has its turn, the newest: not expired, from an external party of
 * this node to one that this node signs for.
 */
async function usableDelegations(
  run: EconomyRun,
  turns: Turns<MintingDelegation>,
): Promise<readonly Delegation[]> {
  const { economy } = run
  const looked = await turns.contracts(run, { order: 'created-desc' })
  const now = economy.clock.nowMicros()
  const lasting = looked.filter(({ payload }) => payload.expiresAt > now)
  const hosting = await hostingOf(
    economy,
    lasting.flatMap(({ payload }) => [payload.beneficiary, payload.delegate]),
  )
  const usable = lasting.filter(({ payload }) => isUsable(payload, hosting))
  // The newest comes first and is written last.
  return [
    ...new Map(
      usable.toReversed().map((delegation) => [delegation.payload.beneficiary, delegation]),
    ).values(),
  ]
}

function isUsable(
  { beneficiary, delegate }: MintingDelegation,
  hosting: ReadonlyMap<string, Hosting>,
): boolean {
  return hosting.get(beneficiary) === 'external' && hosting.get(delegate) === 'local'
}

/** Answers whether nothing is left; not where others were faster, or it is not the moment. */
async function mintAll(
  economy: Economy,
  delegation: Delegation,
  signal: AbortSignal,
): Promise<boolean> {
  for (let mints = 0; mints < MAX_MINTS && !signal.aborted; mints += 1) {
    const mint = await mintOf(economy, delegation.payload)
    if (mint === undefined) return false
    if (mint.inputs.length === 0) return true
    const {
      payload: { beneficiary, delegate },
      id,
    } = delegation
    const disclosedContracts = await economy.network.disclosures()
    const done = committedUnlessPassing(
      await background.piece(beneficiary, () =>
        economy.engine.submit({
          actAs: [delegate],
          readAs: [beneficiary],
          userId: '',
          lowPriority: true,
          disclosedContracts,
          contractIds: mint.inputs.map(({ value }) => value),
          run: (tx) => void tx.exercise(mintingDelegationMint, id, mint),
        }),
      ),
    )
    if (done === undefined) return false
  }
  return false
}

/** Its contract id; '' where none issues. */
async function latestIssuingRound({
  network,
  clock,
}: Pick<Economy, 'clock' | 'network'>): Promise<string> {
  const now = clock.nowMicros()
  return (await network.issuingRounds()).findLast(({ payload }) => payload.opensAt <= now)?.id ?? ''
}
