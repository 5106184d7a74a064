// Which contract of the system a contract of the model is. What is alike is interchangeable: where
// the system took another holding than the model, the two swap names.
import { member } from '../../runtime/host/member.ts'
import type { Seen } from './driver/seen.ts'
import type { Change } from './model/plan.ts'
import type { Economy } from './model/state.ts'
import { get } from './model/state.ts'
import type { UpdateView } from './world.ts'

/** Members in which contracts of a kind may differ. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  coin: ['owner', 'amount', 'createdRound', 'rate', 'lockedUntil'],
  offer: ['sender', 'trackingId'],
  accepted: ['sender', 'trackingId'],
  instruction: ['sender', 'receiver'],
  preapproval: ['receiver'],
  coupon: ['of', 'beneficiary', 'amount'],
}

/** A contract of either side, with what it is like. */
interface Like {
  readonly id: string
  readonly key: string
}

/**
 * Ids of the model and ids of the system, one to one. Forgets what is archived only with the
 * episode.
 */
export class PairedNames {
  readonly #system = new Map<string, string>()
  readonly #model = new Map<string, string>()

  /** The system's id; forged ids, which are nobody's, stay as they are. */
  systemId(modelId: string): string {
    return this.#system.get(modelId) ?? modelId
  }

  /** Call before `apply`: lets the model's consumed coins be those that the system consumed. */
  settleConsumed(economy: Economy, change: Change, updates: readonly UpdateView[]): void {
    const planned = change.consume.flatMap((id) => get(economy, 'coin', id) ?? [])
    const taken = updates.flatMap(({ holdingsConsumed }) => holdingsConsumed)
    const takenIds = new Set(taken.map(({ id }) => id))
    const plannedIds = new Set(planned.map(({ id }) => this.systemId(id)))
    const spared = planned.filter(({ id }) => !takenIds.has(this.systemId(id)))
    const extra = taken.filter(({ id }) => !plannedIds.has(id))
    const like = (all: readonly { readonly id: string }[]) => all.map((one) => likeOf('coin', one))
    for (const [coin, holding] of paired(like(spared), like(extra))) this.#swap(coin, holding)
  }

  /** Binds what the model made to what the system made. What stays unbound, an audit will show. */
  bindCreated({ create }: Change, made: readonly Seen[]): void {
    const seen = made.flatMap((one) =>
      one.kind === 'open-round'
        ? []
        : [likeOf(one.kind === 'holding' ? 'coin' : one.kind, one.value)],
    )
    const planned = create.map((entity) => likeOf(entity.kind, entity))
    for (const [modelId, systemId] of paired(planned, seen)) this.#bind(modelId, systemId)
  }

  #bind(modelId: string, systemId: string): void {
    this.#system.set(modelId, systemId)
    this.#model.set(systemId, modelId)
  }

  #swap(modelId: string, systemId: string): void {
    const [other, was] = [this.#model.get(systemId), this.#system.get(modelId)]
    this.#bind(modelId, systemId)
    if (other !== undefined && was !== undefined) this.#bind(other, was)
  }
}

function likeOf(kind: string, contract: { readonly id: string }): Like {
  const shape = (SHAPES[kind] ?? []).map((name) => String(member(contract, name)))
  return { id: contract.id, key: [kind, ...shape].join(' ') }
}

/** Ids of contracts that are alike, each of one side with one of the other. */
function paired(
  planned: readonly Like[],
  seen: readonly Like[],
): readonly (readonly [string, string])[] {
  const free = Map.groupBy(seen, ({ key }) => key)
  return planned.flatMap(({ id, key }) => {
    const found = free.get(key)?.shift()
    return found === undefined ? [] : [[id, found.id] as const]
  })
}
