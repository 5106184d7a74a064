// What only a look back can find: things that happen once, counters that add up, states that never
// return. Grows with one episode and ends with it, so that any number of steps fits.
import { ONE } from '../model/arithmetic.ts'
import { DAY } from '../model/formulas.ts'
import type { Status } from '../model/state.ts'
import type { Step, UpdateView } from '../world.ts'
import { same, unless } from './snapshot.ts'

export interface Memory {
  readonly consumed: Set<string>
  readonly created: Set<string>
  readonly updateIds: Set<string>
  readonly coupons: Set<string>
  readonly tracked: Set<string>
  readonly ended: Map<string, string>
  readonly statuses: Map<string, Status>
  /** Times at which commands succeeded, by operation, actor and id. */
  readonly commands: Map<string, bigint>
  /** Ids of locked holdings that the network took as dust. */
  readonly dusted: Set<string>
  /** Unlocked dust that went without an entry, by owner. */
  readonly dustOf: Map<string, bigint>
  readonly trafficBought: Map<string, bigint>
  /** Minted coins, by round and kind. */
  readonly mintedOf: Map<string, bigint>
  /** Units of the tenth place by which rounding may exceed the pool, by round and kind. */
  readonly slackOf: Map<string, bigint>
  minted: bigint
  burned: bigint
  offset: bigint | undefined
  recordTime: bigint
}

const NEXT: Readonly<Record<Status | 'none', readonly Status[]>> = {
  none: ['created'],
  created: ['accepted', 'expired', 'rejected', 'withdrawn'],
  accepted: ['completed', 'expired', 'rejected', 'withdrawn'],
  completed: [],
  expired: [],
  rejected: [],
  withdrawn: [],
}

/** The start of an episode. */
export function newMemory(): Memory {
  return {
    consumed: new Set(),
    created: new Set(),
    updateIds: new Set(),
    coupons: new Set(),
    tracked: new Set(),
    ended: new Map(),
    statuses: new Map(),
    commands: new Map(),
    dusted: new Set(),
    dustOf: new Map(),
    trafficBought: new Map(),
    mintedOf: new Map(),
    slackOf: new Map(),
    minted: 0n,
    burned: 0n,
    offset: undefined,
    recordTime: 0n,
  }
}

/** Each answers a sentence per violation. */
export const MEMORY_INVARIANTS: readonly (readonly [
  number,
  (step: Step, memory: Memory) => readonly string[],
])[] = [
  // Offsets have no gaps, record time rises, and update ids are new.
  [
    0,
    ({ result }, memory) => {
      let { offset, recordTime } = memory
      return result.updates.flatMap((update) => {
        const isNext =
          (offset === undefined || update.offset === offset + 1n) && update.recordTime > recordTime
        ;({ offset, recordTime } = update)
        return unless(
          isNext && !memory.updateIds.has(update.updateId),
          `${update.updateId} at ${update.offset} is out of order`,
        )
      })
    },
  ],
  // No contract is consumed twice, and no id is given twice.
  [
    7,
    ({ result }, memory) => {
      const gone = new Set<string>()
      return result.updates.flatMap(({ consumed, created }) => [
        ...consumed
          .filter((id) => memory.consumed.has(id) || isAgain(gone, id))
          .map((id) => `${id} was consumed twice`),
        ...created.filter((id) => memory.created.has(id)).map((id) => `${id} was created twice`),
      ])
    },
  ],
  // An instruction ends once.
  [
    12,
    ({ result }, { ended }) =>
      result.updates.flatMap(({ instructionsEnded }) =>
        instructionsEnded.flatMap(({ instruction, by }) =>
          unless(
            !ended.has(instruction.id),
            `${by} of ${instruction.id} after its ${ended.get(instruction.id)}`,
          ),
        ),
      ),
  ],
  // A tracking id never yields a second offer.
  [
    19,
    ({ result }, { tracked }) =>
      result.updates.flatMap(({ offersCreated }) =>
        offersCreated.flatMap(({ sender, trackingId, id }) =>
          unless(
            !tracked.has(`${sender}\n${trackingId}`),
            `${id} is a second offer of ${sender} under ${trackingId}`,
          ),
        ),
      ),
  ],
  // A status moves forwards only.
  [
    20,
    ({ result }, { statuses }) => {
      const seen = new Map<string, Status>()
      return result.updates.flatMap((update) =>
        update.statuses.flatMap(({ key, status }) => {
          const from = seen.get(key) ?? statuses.get(key) ?? 'none'
          seen.set(key, status)
          return unless(
            NEXT[from].includes(status),
            `${key.replace('\n', ' ')} went from ${from} to ${status}`,
          )
        }),
      )
    },
  ],
  // A coupon is minted once.
  [
    24,
    ({ result }, { coupons }) => {
      const now = new Set<string>()
      return result.updates.flatMap(({ couponsMinted }) =>
        couponsMinted.flatMap(({ coupon }) =>
          unless(
            !coupons.has(coupon.id) && !isAgain(now, coupon.id),
            `${coupon.id} was minted twice`,
          ),
        ),
      )
    },
  ],
  // A command id has one effect within its day.
  [
    38,
    (step, { commands }) => {
      const key = commandKey(step)
      const used = key === undefined ? undefined : commands.get(key)
      if (!step.result.ok || used === undefined || step.at >= used + DAY) return []
      return same(
        `effects of ${key?.replaceAll('\n', ' ')}`,
        BigInt(step.result.updates.length),
        0n,
      )
    },
  ],
]

/** Takes a step into the memory. */
export function remember(step: Step, memory: Memory): void {
  const key = commandKey(step)
  if (key !== undefined && step.result.ok && step.result.updates.length > 0)
    memory.commands.set(key, step.at)
  for (const update of step.result.updates) rememberUpdate(update, memory)
}

function rememberUpdate(update: UpdateView, memory: Memory): void {
  memory.offset = update.offset
  memory.recordTime = update.recordTime
  memory.updateIds.add(update.updateId)
  for (const id of update.consumed) memory.consumed.add(id)
  for (const id of update.created) memory.created.add(id)
  for (const { sender, trackingId } of update.offersCreated)
    memory.tracked.add(`${sender}\n${trackingId}`)
  for (const { key, status } of update.statuses) memory.statuses.set(key, status)
  for (const { instruction, by } of update.instructionsEnded) memory.ended.set(instruction.id, by)
  rememberMoney(update, memory)
}

function rememberMoney(update: UpdateView, memory: Memory): void {
  memory.minted += update.tapped
  memory.burned += update.burned
  for (const { coupon, amount } of update.couponsMinted) {
    const key = `${coupon.round}\n${coupon.of}`
    memory.minted += amount
    memory.coupons.add(coupon.id)
    addTo(memory.mintedOf, key, amount)
    addTo(memory.slackOf, key, 1n + coupon.amount / ONE)
  }
  for (const { member, bytes } of update.trafficBought) addTo(memory.trafficBought, member, bytes)
  for (const { id, owner, amount, lockedUntil } of update.dust) {
    if (lockedUntil === null) addTo(memory.dustOf, owner, amount)
    else memory.dusted.add(id)
  }
}

function commandKey({ action }: Step): string | undefined {
  const isTracked = action.kind === 'tap' || action.kind === 'send'
  return isTracked && action.commandId !== null
    ? `${action.kind}\n${action.actor}\n${action.commandId}`
    : undefined
}

function addTo(map: Map<string, bigint>, key: string, amount: bigint): void {
  map.set(key, (map.get(key) ?? 0n) + amount)
}

function isAgain(seen: Set<string>, id: string): boolean {
  const has = seen.has(id)
  seen.add(id)
  return has
}
