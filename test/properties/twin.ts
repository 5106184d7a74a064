// The model as a system: it plays the commands on an economy of its own and shows them as updates.
// With it the invariants are tested themselves: nothing is found in a sound twin, and each fault
// planted in what it does or shows is.
import { textOf, total } from './model/arithmetic.ts'
import type { Action } from './model/actions.ts'
import { mintOf } from './model/transfer.ts'
import type { Change, Plan } from './model/plan.ts'
import { apply } from './model/plan.ts'
import { predict } from './model/predict.ts'
import { bootstrap, timeToLive } from './model/rounds.ts'
import type {
  Coin,
  Coupon,
  Economy,
  Entity,
  Instruction,
  Offer,
  Preapproval,
  Status,
} from './model/state.ts'
import { allOf, balanceOf, newEconomy, supply } from './model/state.ts'
import type { Request, System, SystemOptions } from './system.ts'
import type { Holding, InstructionEnd, PartyView, Result, UpdateView, World } from './world.ts'

/**
 * What a planted fault may alter: what is planned, what is shown of it, and what is shown of the
 * whole.
 */
export interface Twist {
  readonly plan?: (plan: Plan, action: Action, economy: Economy) => Plan
  readonly show?: (update: UpdateView, action: Action, economy: Economy) => UpdateView
  readonly world?: (world: World) => World
  readonly parties?: (parties: readonly PartyView[]) => readonly PartyView[]
}

const STARTS = 1n

/** A twin of the model. */
export async function openTwin(
  { config, start }: SystemOptions,
  twist: Twist = {},
): Promise<System> {
  const economy = newEconomy(config, start)
  bootstrap(economy)
  let [offset, recordTime] = [STARTS, start]
  const parties = () =>
    (twist.parties ?? same)(config.parties.map((party) => viewOf(economy, party)))
  const perform = ({ action, at }: Request): Result => {
    economy.now = at
    const plan = (twist.plan ?? same)(predict(economy, action), action, economy)
    if (!plan.ok) return { ok: false, reason: plan.reasons[0] ?? 'invalid', text: '', updates: [] }
    if (isEmpty(plan.change)) return { ok: true, updates: [] }
    recordTime = recordTime < at ? at : recordTime + 1n
    const update = (twist.show ?? same)(
      show(economy, action, plan.change, offset, recordTime),
      action,
      economy,
    )
    offset += 1n
    apply(economy, plan.change)
    return { ok: true, updates: [update] }
  }
  const world = () => (twist.world ?? same)(worldOf(economy, parties()))
  return {
    perform: async (request) => perform(request),
    parties: async () => parties(),
    rounds: async () => [...economy.rounds.values()],
    world: async () => world(),
    replayed: async () => world(),
    close: async () => undefined,
  }
}

/** A coin as the wire shows it. */
export function holdingOf({ id, owner, amount, createdRound, rate, lockedUntil }: Coin): Holding {
  return { id, owner, amount, amountText: textOf(amount), createdRound, rate, lockedUntil }
}

function same<T>(value: T): T {
  return value
}

function isEmpty({ consume, create, also }: Change): boolean {
  return consume.length === 0 && create.length === 0 && also === undefined
}

function viewOf(economy: Economy, party: string): PartyView {
  return { party, ...balanceOf(economy, party) }
}

function show(
  economy: Economy,
  action: Action,
  change: Change,
  offset: bigint,
  recordTime: bigint,
): UpdateView {
  const gone = change.consume.flatMap((id) => economy.entities.get(id) ?? [])
  const [before, after] = [coins(gone), coins(change.create)]
  const coupons = gone.filter((entity): entity is Coupon => entity.kind === 'coupon')
  const dust = change.isSilent === true ? before : []
  return {
    updateId: `update-${offset}`,
    offset,
    recordTime,
    effectiveAt: economy.now,
    actAs: 'actor' in action ? [action.actor] : [economy.config.network],
    consumed: change.consume,
    created: change.create.map(({ id }) => id),
    holdingsConsumed: before,
    holdingsCreated: after,
    transfers: transfersOf(change, after, action),
    couponsMinted: coupons.map((coupon) => ({ coupon, amount: mintOf(economy, [coupon]) })),
    tapped: action.kind === 'tap' ? total(after.map(({ amount }) => amount)) : 0n,
    burned: change.burned ?? 0n,
    dust,
    entries: dust.length > 0 ? [] : entriesOf(before, after),
    offersCreated: change.create.filter((entity): entity is Offer => entity.kind === 'offer'),
    statuses: statusesOf(action, gone, change.create),
    instructionsEnded: gone
      .filter(isInstruction)
      .flatMap((instruction) => ({ instruction, by: endOf(action) })),
    instructionsCreated: change.create.filter(isInstruction),
    renewals: renewalsOf(gone, change.create),
    trafficBought:
      action.kind === 'buy-traffic'
        ? [{ member: action.member, bytes: action.bytes, coins: change.burned ?? 0n }]
        : [],
  }
}

function transfersOf(
  { moved }: Change,
  created: readonly Holding[],
  action: Action,
): UpdateView['transfers'] {
  if (moved === undefined) return []
  const { sender, inputs, outputs, change, minted, burned, round } = moved
  const last = created.at(-1)
  const kind = burned > 0n ? 'burn' : action.kind === 'self-transfer' ? 'self' : 'transfer'
  const changeId = change > 0n && last !== undefined ? last.id : null
  return [{ kind, sender, inputs, outputs, changeAmount: change, changeId, minted, burned, round }]
}

function statusesOf(
  action: Action,
  gone: readonly Entity[],
  made: readonly Entity[],
): UpdateView['statuses'] {
  const offer = [...made, ...gone].find(isOffer)
  const status = offer === undefined ? undefined : statusAfter(action)
  return offer === undefined || status === undefined
    ? []
    : [{ key: `${offer.sender}\n${offer.trackingId}`, status }]
}

function statusAfter({ kind }: Action): Status | undefined {
  if (kind === 'offer') return 'created'
  if (kind === 'offer-accept') return 'accepted'
  if (kind === 'accepted-complete') return 'completed'
  if (kind.endsWith('-expire')) return 'expired'
  return kind === 'offer-reject' ? 'rejected' : 'withdrawn'
}

function endOf({ kind }: Action): InstructionEnd {
  const ends = {
    'instruction-accept': 'accept',
    'instruction-reject': 'reject',
    'instruction-withdraw': 'withdraw',
  } as const
  return kind === 'instruction-accept' ||
    kind === 'instruction-reject' ||
    kind === 'instruction-withdraw'
    ? ends[kind]
    : 'expire'
}

function renewalsOf(gone: readonly Entity[], made: readonly Entity[]): UpdateView['renewals'] {
  const [before, after] = [gone.find(isPreapproval), made.find(isPreapproval)]
  return before === undefined || after === undefined ? [] : [{ before, after }]
}

function entriesOf(before: readonly Holding[], after: readonly Holding[]): UpdateView['entries'] {
  const entries = (holdings: readonly Holding[], sign: bigint) =>
    holdings
      .filter(({ lockedUntil }) => lockedUntil === null)
      .map(({ owner, amount }) => ({ party: owner, amount: sign * amount }))
  return [...entries(before, -1n), ...entries(after, 1n)]
}

function worldOf(economy: Economy, parties: readonly PartyView[]): World {
  const rounds = [...economy.rounds.values()]
  return {
    config: economy.config,
    now: economy.now,
    parties,
    holdings: allOf(economy, 'coin').map(holdingOf),
    instructions: allOf(economy, 'instruction'),
    offers: [...allOf(economy, 'offer'), ...allOf(economy, 'accepted')],
    preapprovals: allOf(economy, 'preapproval'),
    coupons: allOf(economy, 'coupon'),
    rounds,
    timeToLive: timeToLive(rounds),
    licenses: economy.licenses,
    traffic: economy.traffic,
    trafficTargets: new Map([...economy.traffic].map(([member, { bytes }]) => [member, bytes])),
    statuses: economy.statuses,
    supply: supply(economy),
  }
}

function coins(entities: readonly Entity[]): readonly Holding[] {
  return entities.flatMap((entity) => (entity.kind === 'coin' ? [holdingOf(entity)] : []))
}

function isInstruction(entity: Entity): entity is Instruction {
  return entity.kind === 'instruction'
}

function isOffer(entity: Entity): entity is Offer {
  return entity.kind === 'offer' || entity.kind === 'accepted'
}

function isPreapproval(entity: Entity): entity is Preapproval {
  return entity.kind === 'preapproval'
}
