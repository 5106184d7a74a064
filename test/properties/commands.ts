// Random commands. A draft is small numbers only, so that it prints, shrinks and means something
// after any other drafts; `resolve` makes an action of it against the model as it stands: random
// parties, time jumps on and around deadlines, bad amounts, and contracts that are someone else's,
// archived, forged or too many.
import fc from 'fast-check'
import { namesOf } from '../drive/dice.ts'
import type { Action, PlainKind } from './model/actions.ts'
import { ONE, textOf } from './model/arithmetic.ts'
import { DAY } from './model/formulas.ts'
import { preapprovalOf } from './model/payments.ts'
import type { Coin, Economy, Entity } from './model/state.ts'
import { allOf, balanceOf, coinsOf } from './model/state.ts'
import type { InputChoice } from './model/transfer.ts'

const MILLISECOND = 1000n
const SECOND = 1_000_000n
/** One more than a transfer may have. */
const TOO_MANY = 101

/** How often which. */
const JUMPS = {
  moment: 40,
  seconds: 30,
  tick: 20,
  days: 1,
  deadline: 3,
  'just-before': 3,
  'just-after': 3,
} as const
const AMOUNTS = {
  share: 60,
  dust: 12,
  all: 8,
  more: 4,
  zero: 2,
  negative: 2,
  'eleven-places': 2,
  '29-digits': 2,
  '28-digits': 2,
  words: 1,
} as const
const REFERENCES = { live: 90, archived: 5, forged: 2, 'other-kind': 3 } as const
const INPUTS = {
  treasury: 30,
  all: 25,
  some: 30,
  foreign: 4,
  archived: 4,
  twice: 2,
  'too-many': 3,
  none: 2,
} as const

type Kind = Action['kind']

export interface Draft {
  readonly kind: Kind
  readonly jump: keyof typeof JUMPS
  readonly amount: keyof typeof AMOUNTS
  readonly reference: keyof typeof REFERENCES
  readonly inputs: keyof typeof INPUTS
  /** The one who should is not the one who does. */
  readonly isImpostor: boolean
  readonly who: number
  readonly whom: number
  readonly pick: number
  readonly size: number
}

export interface Resolved {
  /**
   * When it happens, microseconds; never before the economy's now, always later by a millisecond at
   * least.
   */
  readonly at: bigint
  readonly action: Action
}

const WEIGHTS: Readonly<Record<Kind, number>> = {
  tap: 10,
  offer: 9,
  instruct: 18,
  send: 10,
  'self-transfer': 5,
  'buy-traffic': 5,
  preapprove: 4,
  'preapproval-renew': 2,
  collect: 5,
  liveness: 4,
  onboard: 1,
  rounds: 12,
  price: 1,
  'offer-accept': 8,
  'offer-reject': 1,
  'offer-withdraw': 1,
  'offer-expire': 2,
  'accepted-complete': 5,
  'accepted-abort': 1,
  'accepted-withdraw': 1,
  'accepted-expire': 1,
  'instruction-accept': 6,
  'instruction-reject': 2,
  'instruction-withdraw': 2,
  'instruction-expire': 3,
  reclaim: 2,
  'preapproval-cancel': 1,
  'preapproval-expire': 3,
  'dust-expire': 5,
}

const weighted = <T extends string>(weights: Readonly<Record<T, number>>): fc.Arbitrary<T> =>
  fc.oneof(
    ...namesOf(weights).map((value) => ({ arbitrary: fc.constant(value), weight: weights[value] })),
  )

/** Every kind of command. */
export const KINDS = namesOf(WEIGHTS)

/** One random command. */
const draftArbitrary: fc.Arbitrary<Draft> = fc.record({
  kind: weighted(WEIGHTS),
  jump: weighted(JUMPS),
  amount: weighted(AMOUNTS),
  reference: weighted(REFERENCES),
  inputs: weighted(INPUTS),
  isImpostor: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  who: fc.nat(1_000_000),
  whom: fc.nat(1_000_000),
  pick: fc.nat(1_000_000),
  size: fc.integer({ min: 1, max: 1_000_000 }),
})

/**
 * `count` drafts of a seed, always the same. Every fourth seed first gives one party more holdings
 * than a transfer takes.
 */
export function draftsOf(seed: number, count: number): readonly Draft[] {
  const drafts = fc.sample(draftArbitrary, { seed, numRuns: count })
  return seed % 4 === 0
    ? drafts.map((draft, index) => (index <= TOO_MANY ? hoardingTap(draft) : draft))
    : drafts
}

function hoardingTap(draft: Draft): Draft {
  return { ...draft, kind: 'tap', amount: 'share', jump: 'moment', pick: 2 }
}

/** The command that a draft means now. */
export function resolve(economy: Economy, draft: Draft): Resolved {
  const at = timeOf(economy, draft)
  return { at, action: actionOf(economy, draft, at) }
}

function timeOf(economy: Economy, { jump, pick, size }: Draft): bigint {
  const { now, config } = economy
  const scale = BigInt(size)
  const step = {
    moment: MILLISECOND,
    seconds: 1n + (scale * 60n * SECOND) / 1_000_000n,
    tick: (scale * config.tick) / 1_000_000n,
    days: (scale * 40n * DAY) / 1_000_000n,
  }
  if (jump === 'moment' || jump === 'seconds' || jump === 'tick' || jump === 'days')
    return later(now, now + step[jump])
  const deadline = choose(deadlines(economy), pick)
  if (deadline === undefined) return now + SECOND
  const offset = { deadline: 0n, 'just-before': -MILLISECOND, 'just-after': MILLISECOND }
  return later(now, deadline + offset[jump])
}

function deadlines(economy: Economy): readonly bigint[] {
  const soon = (at: bigint) => at > economy.now
  const rounds = [...economy.rounds.values()].flatMap(({ opensAt, targetClosesAt }) => [
    opensAt,
    targetClosesAt,
  ])
  const offers = [...allOf(economy, 'offer'), ...allOf(economy, 'accepted')].map(
    ({ expiresAt }) => expiresAt,
  )
  return [
    ...rounds,
    ...offers,
    ...allOf(economy, 'instruction').map(({ executeBefore }) => executeBefore),
  ].filter(soon)
}

function actionOf(economy: Economy, draft: Draft, at: bigint): Action {
  const { kind, size } = draft
  const actor = partyAt(economy, draft.who)
  const receiver = otherThan(economy, actor, draft.whom)
  const inputs = inputsOf(economy, actor, draft)
  switch (kind) {
    case 'tap':
      return {
        kind,
        actor: hoarding(economy, draft) ?? actor,
        amount: tapOf(draft),
        commandId: commandId(draft),
      }
    case 'offer':
      return {
        kind,
        actor,
        receiver,
        amount: amountOf(economy, actor, draft),
        expiresAt: at + lifetime(draft),
        trackingId: `t${size % 40}`,
        description: 'x'.repeat(size % 97 === 0 ? 281 : size % 20),
      }
    case 'instruct':
      return {
        kind,
        actor,
        receiver,
        amount: amountOf(economy, actor, draft),
        inputs: inputs === 'treasury' ? 'all' : inputs,
        requestedAt: size % 31 === 0 ? at + SECOND : at - SECOND,
        executeBefore: executeBefore(draft, at, economy.config.maxTtl),
      }
    case 'send':
      return {
        kind,
        actor,
        receiver: approved(economy, draft, actor) ?? receiver,
        amount: amountOf(economy, actor, draft),
        inputs,
        commandId: commandId(draft),
      }
    case 'self-transfer':
      return {
        kind,
        actor,
        amount: amountOf(economy, actor, draft),
        inputs: inputs === 'treasury' ? 'all' : inputs,
      }
    case 'buy-traffic':
      return {
        kind,
        actor,
        member: `member-${draft.whom % 3}`,
        inputs,
        bytes: bytesOf(economy, draft),
        synchronizer: size % 23 === 0 ? 'elsewhere' : economy.config.synchronizer,
      }
    case 'preapprove':
      return {
        kind,
        actor: draft.isImpostor ? actor : economy.config.operator,
        receiver,
        inputs,
        expiresAt: at + (size % 29 === 0 ? -SECOND : BigInt(size) * 200n * SECOND),
      }
    case 'preapproval-renew':
      return renewal(economy, draft, inputs)
    case 'collect':
      return { kind, actor: isHoarder(economy, actor) && size % 5 > 0 ? receiver : actor }
    case 'onboard':
      return { kind, actor }
    case 'liveness':
      return { kind, actor: draft.isImpostor ? actor : economy.config.operator }
    case 'rounds':
      return { kind }
    case 'price':
      return { kind, price: textOf(BigInt(size) * 1_000_000n) }
    default:
      return plainOf(economy, kind, draft)
  }
}

function plainOf(economy: Economy, kind: PlainKind, draft: Draft): Action {
  const target = choose(inTime(targets(economy, kind), kind, economy.now, draft), draft.pick)
  const id =
    target === undefined || draft.reference !== 'live' ? strangeId(economy, draft) : target.id
  const rightful = target === undefined ? undefined : rightfulActor(economy, kind, target)
  return {
    kind,
    actor: draft.isImpostor || rightful === undefined ? partyAt(economy, draft.who) : rightful,
    id,
  }
}

function targets(economy: Economy, kind: PlainKind): readonly Entity[] {
  if (kind === 'dust-expire') return allOf(economy, 'coin').filter(({ amount }) => amount < ONE)
  if (kind === 'reclaim')
    return allOf(economy, 'coin').filter(({ lockedUntil }) => lockedUntil !== null)
  if (kind.startsWith('instruction-')) return allOf(economy, 'instruction')
  if (kind.startsWith('preapproval-')) return allOf(economy, 'preapproval')
  return allOf(economy, kind.startsWith('offer-') ? 'offer' : 'accepted')
}

/**
 * Mostly what is not over yet, else most acceptances would come too late; and mostly what is over,
 * to expire it.
 */
function inTime(
  all: readonly Entity[],
  kind: PlainKind,
  now: bigint,
  { size }: Draft,
): readonly Entity[] {
  const isRight = (entity: Entity) => deadlineOf(entity) > now !== kind.endsWith('-expire')
  const right = all.filter(isRight)
  return right.length === 0 || size % 6 === 0 ? all : right
}

function deadlineOf(entity: Entity): bigint {
  if (entity.kind === 'coin') return entity.lockedUntil ?? 0n
  if (entity.kind === 'coupon') return 0n
  return entity.kind === 'instruction' ? entity.executeBefore : entity.expiresAt
}

function rightfulActor(economy: Economy, kind: PlainKind, target: Entity): string {
  if (target.kind === 'coin') return kind === 'dust-expire' ? economy.config.network : target.owner
  if (target.kind === 'coupon') return target.beneficiary
  if (target.kind === 'preapproval')
    return kind === 'preapproval-cancel' ? target.receiver : economy.config.network
  if (kind === 'instruction-expire') return economy.config.network
  const isSenders =
    kind.endsWith('complete') ||
    kind.endsWith('abort') ||
    kind === 'offer-withdraw' ||
    kind === 'instruction-withdraw'
  return isSenders || kind.endsWith('-expire') ? target.sender : target.receiver
}

function renewal(economy: Economy, draft: Draft, inputs: InputChoice): Action {
  const target = choose(allOf(economy, 'preapproval'), draft.pick)
  const actor = draft.isImpostor ? partyAt(economy, draft.who) : economy.config.operator
  const from = target?.expiresAt ?? economy.now
  const id =
    target === undefined || draft.reference !== 'live' ? strangeId(economy, draft) : target.id
  return {
    kind: 'preapproval-renew',
    actor,
    id,
    inputs,
    expiresAt: from + (draft.size % 13 === 0 ? 0n : BigInt(draft.size) * 200n * SECOND),
  }
}

function inputsOf(economy: Economy, actor: string, { inputs, pick, size }: Draft): InputChoice {
  const ids = (coins: readonly Coin[]) => coins.map(({ id }) => id)
  const own = ids(coinsOf(economy, actor))
  const from = own.length === 0 ? 0 : pick % own.length
  const some = own.slice(from, from + 1 + (size % 8))
  const isWhole = inputs === 'treasury' || inputs === 'all'
  if (inputs === 'some' || (isWhole && isHoarder(economy, actor) && size % 5 > 0)) return some
  if (isWhole) return inputs
  if (inputs === 'none') return []
  if (inputs === 'twice') return [...some, ...some.slice(0, 1)]
  if (inputs === 'archived') return [...some, strangeId(economy, { reference: 'archived', pick })]
  if (inputs === 'foreign')
    return [...some, ...ids(coinsOf(economy, otherThan(economy, actor, pick))).slice(0, 1)]
  return own.length >= TOO_MANY
    ? own.slice(0, TOO_MANY)
    : Array.from({ length: TOO_MANY }, (_, index) => own[index] ?? `forged-${index}`)
}

function amountOf(economy: Economy, actor: string, { amount, size }: Draft): string {
  const { unlocked } = balanceOf(economy, actor)
  const texts = {
    share: textOf((unlocked * BigInt(size)) / 3_000_000n),
    dust: textOf(BigInt(size)),
    all: textOf(unlocked),
    more: textOf(unlocked + BigInt(size)),
    zero: '0.0',
    negative: textOf(-BigInt(size)),
    'eleven-places': '1.00000000001',
    '29-digits': '1'.padEnd(29, '0'),
    '28-digits': '9'.repeat(28),
    words: 'one',
  }
  return texts[amount]
}

function tapOf({ amount, size }: Draft): string {
  const texts = {
    zero: '0.0',
    negative: '-1.0',
    'eleven-places': '0.00000000001',
    '29-digits': '9'.repeat(29),
    '28-digits': '9'.repeat(28),
    words: 'one',
    dust: textOf(BigInt(size % 9_000) + 1n),
    more: '100000000.0',
  }
  return amount === 'share' || amount === 'all' ? textOf(BigInt(size) * 1_000_003n) : texts[amount]
}

function bytesOf(economy: Economy, { amount, size }: Draft): bigint {
  if (amount === 'zero') return 0n
  if (amount === 'negative') return -BigInt(size)
  return amount === 'dust'
    ? economy.config.minTopupBytes - 1n
    : economy.config.minTopupBytes + BigInt(size % 100_000)
}

function executeBefore({ size }: Draft, at: bigint, maxTtl: bigint): bigint {
  if (size % 37 === 0) return at + maxTtl
  return size % 41 === 0 ? at - MILLISECOND : at + BigInt(size) * 20_000n
}

function lifetime({ size }: Draft): bigint {
  return SECOND + BigInt(size) * 20_000n
}

function commandId({ pick, whom }: Draft): string | null {
  return pick % 3 === 0 ? `c${whom % 8}` : null
}

function strangeId(
  economy: Economy,
  { reference, pick }: Pick<Draft, 'reference' | 'pick'>,
): string {
  if (reference === 'archived') return choose(economy.archived, pick) ?? 'forged-0'
  if (reference === 'other-kind') return choose(allOf(economy, 'coupon'), pick)?.id ?? 'forged-1'
  return `forged-${pick}`
}

function approved(economy: Economy, { whom }: Draft, sender: string): string | undefined {
  const party = otherThan(economy, sender, whom)
  if (preapprovalOf(economy, party) !== undefined) return party
  return choose(
    allOf(economy, 'preapproval').filter(({ receiver }) => receiver !== sender),
    whom,
  )?.receiver
}

/** One party's coins are rarely merged, so that it comes to have more than a transfer may take. */
function isHoarder(economy: Economy, party: string): boolean {
  return party === economy.config.parties.at(-1)
}

function hoarding(economy: Economy, { pick }: Draft): string | undefined {
  return pick % 2 === 0 ? economy.config.parties.at(-1) : undefined
}

function partyAt(economy: Economy, index: number): string {
  return choose(economy.config.parties, index) ?? economy.config.operator
}

function otherThan(economy: Economy, party: string, index: number): string {
  const others = economy.config.parties.filter((one) => one !== party)
  return choose(others, index) ?? party
}

function choose<T>(list: readonly T[], index: number): T | undefined {
  return list.length === 0 ? undefined : list[index % list.length]
}

function later(now: bigint, at: bigint): bigint {
  return at > now + MILLISECOND ? at : now + MILLISECOND
}
