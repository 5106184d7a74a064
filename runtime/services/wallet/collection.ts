// Mints a hosted party's rewards while their rounds issue, and merges its coins on the way: one self transfer.
// domain/behaviour.md §7, collection
import { walletAppInstall } from '../../contracts/index.ts'
import type { Economy } from '../economy.ts'
import type { Treasury } from './treasury/index.ts'
import { readFunds } from './treasury/funds.ts'
import type { Funds } from './treasury/funds.ts'
import { mintValue } from './treasury/select-inputs.ts'

const PARALLELISM = 4

export class Collection {
  readonly #economy: Economy
  readonly #treasury: Treasury
  /** For each party the issuing round for which there was nothing left to do. */
  readonly #doneFor = new Map<string, bigint>()

  constructor(economy: Economy, treasury: Treasury) {
    this.#economy = economy
    this.#treasury = treasury
  }

  /** One look at every hosted party that is not done with the latest issuing round; again and again where there was work. */
  async run(signal: AbortSignal): Promise<void> {
    const round = await this.#latestIssuingRound()
    if (round === undefined) return
    const waiting = (await this.#parties()).filter((party) => this.#doneFor.get(party) !== round)
    const next = waiting[Symbol.iterator]()
    const worker = async () => {
      for (const party of next) {
        if (signal.aborted) return
        await this.#collect(party, round, signal)
      }
    }
    await Promise.all(Array.from({ length: PARALLELISM }, worker))
  }

  async #collect(party: string, round: bigint, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const funds = await readFunds(this.#economy, party)
      if (funds === undefined) return
      if (!isWorthwhile(funds)) return void this.#doneFor.set(party, round)
      const done = await this.#treasury.enqueue(party, { tag: 'CO_MergeTransferInputs', value: {} })
      // No coin: other operations merged meanwhile. A failure ends this run; the next poll looks again.
      const isMerged = done.ok && done.outcome.tag === 'COO_MergeTransferInputs' && done.outcome.value.coin !== null
      if (!isMerged) return
    }
  }

  async #latestIssuingRound(): Promise<bigint | undefined> {
    const now = this.#economy.clock.nowMicros()
    const usable = (await this.#economy.network.issuingRounds()).filter(({ payload }) => payload.opensAt <= now)
    return usable.map(({ payload }) => payload.round).toSorted((a, b) => (a < b ? 1 : -1))[0]
  }

  async #parties(): Promise<readonly string[]> {
    const { reader, parties: { operator } } = this.#economy
    const installs = await reader.all(walletAppInstall)
    const hosted = new Set(installs.filter(({ payload }) => payload.validatorParty === operator).map(({ payload }) => payload.endUserParty))
    for (const party of this.#doneFor.keys()) if (!hosted.has(party)) this.#doneFor.delete(party)
    return [...hosted]
  }
}

/** There is something to mint, or more than one coin to merge. */
function isWorthwhile({ rewards, coinCount, unclaimedActivity, developmentFund }: Funds): boolean {
  return mintValue(rewards) > 0n || coinCount > 1 || unclaimedActivity.length + developmentFund.length > 0
}
