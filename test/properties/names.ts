// Which contract of the system a contract of the model is. Holdings that are alike in everything
// are interchangeable: where the system took another one than the model, the two swap names.
import type { Change } from './model/plan.ts'
import type { Coin, Economy } from './model/state.ts'
import { get } from './model/state.ts'
import type { Holding, UpdateView } from './world.ts'

type Shape = Pick<Holding, 'owner' | 'amount' | 'createdRound' | 'rate' | 'lockedUntil'>

/**
 * Ids of the model and ids of the system, one to one. Forgets what is archived only with the
 * episode.
 */
export class Names {
  readonly #system = new Map<string, string>()
  readonly #model = new Map<string, string>()

  /** The system's id; forged ids, which are nobody's, stay as they are. */
  systemId(modelId: string): string {
    return this.#system.get(modelId) ?? modelId
  }

  bind(modelId: string, systemId: string): void {
    this.#system.set(modelId, systemId)
    this.#model.set(systemId, modelId)
  }

  /** Call before `apply`: lets the model's consumed coins be those that the system consumed. */
  settleConsumed(economy: Economy, change: Change, updates: readonly UpdateView[]): void {
    const planned = change.consume.flatMap((id) => get(economy, 'coin', id) ?? [])
    const taken = new Set(
      updates.flatMap(({ holdingsConsumed }) => holdingsConsumed.map(({ id }) => id)),
    )
    const spared = planned.filter(({ id }) => !taken.has(this.systemId(id)))
    const isPlanned = new Set(planned.map(({ id }) => this.systemId(id)))
    const extra = updates.flatMap(({ holdingsConsumed }) =>
      holdingsConsumed.filter(({ id }) => !isPlanned.has(id)),
    )
    for (const [coin, holding] of paired(spared, extra)) this.#swap(coin.id, holding.id)
  }

  /** Binds new coins to new holdings of the same shape. What stays unbound, an audit will show. */
  bindCreated(change: Change, updates: readonly UpdateView[]): void {
    const coins = change.create.filter((entity) => entity.kind === 'coin')
    const holdings = updates.flatMap(({ holdingsCreated }) => holdingsCreated)
    for (const [coin, holding] of paired(coins, holdings)) this.bind(coin.id, holding.id)
  }

  #swap(modelId: string, systemId: string): void {
    const [other, was] = [this.#model.get(systemId), this.#system.get(modelId)]
    this.bind(modelId, systemId)
    if (other !== undefined && was !== undefined) this.bind(other, was)
  }
}

function paired(
  coins: readonly Coin[],
  holdings: readonly Holding[],
): readonly (readonly [Coin, Holding])[] {
  const free = new Map<string, Holding[]>()
  for (const holding of holdings)
    free.set(keyOf(holding), [...(free.get(keyOf(holding)) ?? []), holding])
  return coins.flatMap((coin) => {
    const holding = free.get(keyOf(coin))?.shift()
    return holding === undefined ? [] : [[coin, holding] as const]
  })
}

function keyOf({ owner, amount, createdRound, rate, lockedUntil }: Shape): string {
  return `${owner} ${amount} ${createdRound} ${rate} ${lockedUntil}`
}
