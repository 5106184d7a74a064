// Holdings whose fees have reached what they are worth, locked or not. docs/economy-rules.md,
// "Dust"
import {
  background,
  coin,
  coinExpire,
  forEachOf,
  isDustAt,
  lockedCoin,
  lockedCoinExpireCoin,
  scaledHoldingRate,
  submitForNetwork,
  Tries,
} from '../../runtime/economy.ts'
import type {
  ActivePosition,
  Contract,
  EconomyRun,
  ExpiringAmount,
  OpenMiningRound,
  TemplateKey,
} from '../../runtime/economy.ts'
import { byNetwork } from './due.ts'
import type { Command, Expiry } from './due.ts'

/**
 * Coins were dearer to hold when they were cheaper: how many times today's rate is looked for among
 * the smallest of them.
 */
const RATE_MARGIN = 4n

/** Holdings of a kind that one look goes through. */
const MAX_LOOKED_AT = 500

/**
 * Looks for dust whenever the earliest open round is a new one, as many looks long as there are
 * small holdings.
 */
export function dustEnding(): Expiry {
  const passes = [
    new Pass(
      coin.by('owner'),
      ({ amount }) => amount,
      (tx, id, openRoundCid) => tx.exercise(coinExpire, id, { openRoundCid }),
    ),
    new Pass(
      lockedCoin.by('owner'),
      ({ coin: held }) => held.amount,
      (tx, id, openRoundCid) => tx.exercise(lockedCoinExpireCoin, id, { openRoundCid }),
    ),
  ]
  return async (run, parallel) => {
    const {
      economy: { network, clock },
      signal,
    } = run
    const round = await network.earliestRound()
    if (round === undefined || round.payload.opensAt > clock.nowMicros()) return
    await forEachOf(passes, 1, signal, (pass) => pass.goOn(run, round, parallel))
  }
}

type Expire = (tx: Parameters<Command['run']>[0], id: string, openRoundCid: string) => unknown

/** All holdings of a kind that are small enough to be dust, the smallest first, once a round. */
class Pass<T> {
  readonly #owner: TemplateKey<T>
  readonly #amountOf: (payload: T) => ExpiringAmount
  readonly #expire: Expire
  readonly #tries = new Tries()
  /** The round whose pass was the last to begin. */
  #round = -1n
  /** The place where the pass goes on; undefined where it has ended. */
  #from: { readonly after?: ActivePosition } | undefined

  constructor(owner: TemplateKey<T>, amountOf: (payload: T) => ExpiringAmount, expire: Expire) {
    this.#owner = owner
    this.#amountOf = amountOf
    this.#expire = expire
  }

  async goOn(
    run: EconomyRun,
    { id: openRoundCid, payload }: Contract<OpenMiningRound>,
    parallel: number,
  ): Promise<void> {
    const { economy, signal, again } = run
    const {
      round,
      conversionRate,
      transferConfigUsd: { holdingFee },
    } = payload
    // One that has not ended goes on: those behind it are dust of the new round as well.
    if (this.#from === undefined && round > this.#round) this.#from = {}
    if (this.#from === undefined) return
    this.#round = round
    const maxRank = scaledHoldingRate(holdingFee.rate, conversionRate) * round * RATE_MARGIN
    const page = await economy.reader.active(
      this.#owner.template,
      {},
      { order: 'rank', maxRank, limit: MAX_LOOKED_AT, ...this.#from },
    )
    const dust = page.filter(
      ({ payload: held, synchronizerId }) =>
        synchronizerId !== '' && isDustAt(this.#amountOf(held), round),
    )
    await forEachOf(dust, parallel, signal, (held) =>
      this.#tries.attempt(
        { id: held.id, party: this.#owner.of(held.record), what: 'dust cannot be ended' },
        run,
        () =>
          background.piece(this.#owner.of(held.record), async () => {
            const done = await submitForNetwork(
              economy,
              byNetwork(economy, (tx) => this.#expire(tx, held.id, openRoundCid)),
            )
            if (done === undefined) again.soon()
            return true
          }),
      ),
    )
    if (!signal.aborted) this.#from = nextPlace(page)
    if (this.#from !== undefined) again.soon()
  }
}

function nextPlace(
  page: readonly Contract<unknown>[],
): { readonly after: ActivePosition } | undefined {
  const last = page.length < MAX_LOOKED_AT ? undefined : page.at(-1)
  return last && { after: { rank: last.record.rank, sequence: last.sequence } }
}
