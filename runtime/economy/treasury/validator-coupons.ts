// The coupons that a validator mints for its users' burns. A coupon names the user and the round,
// not the validator, and anyone can create many small ones. docs/economy-rules.md, "Rewards"
import type { IssuingMiningRound, ValidatorRewardCoupon } from '../../../generated/contracts.gen.ts'
import { validatorRewardCoupon, validatorRight } from '../../contracts/index.ts'
import { multiply } from '../../engine/decimal.ts'
import type { Contract } from '../../engine/index.ts'
import type { ActivePosition } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import type { RewardInput } from './select-inputs.ts'

/** Rounds of which coupons can be minted now, by number. */
export type IssuingRounds = ReadonlyMap<bigint, Contract<IssuingMiningRound>>

interface ValidatorCoupons {
  readonly rewards: readonly RewardInput[]
  /** Users and the rights over them. */
  readonly rights: readonly (readonly [string, string])[]
  /** There may be more, which these hide. */
  readonly hasMore?: boolean
}

type Coupon = Pick<Contract<ValidatorRewardCoupon>, 'id' | 'payload'>

const PAGE = 200
const MAX_RIGHTS = 200

/** Rounds that have begun to issue. */
export async function usableIssuingRounds({
  network,
  clock,
}: Pick<Economy, 'clock' | 'network'>): Promise<IssuingRounds> {
  const now = clock.nowMicros()
  const usable = (await network.issuingRounds()).filter(({ payload }) => payload.opensAt <= now)
  return new Map(usable.map((round) => [round.payload.round, round]))
}

/**
 * Coupons that `validator` may mint now: of those with the ids in `chosen` that are still there,
 * else of the oldest of each round. Looked for by round, since users may be many and coupons are
 * few.
 */
export async function readValidatorCoupons(
  economy: Pick<Economy, 'parties' | 'reader' | 'store'>,
  validator: string,
  issuing: IssuingRounds,
  chosen?: readonly string[],
): Promise<ValidatorCoupons> {
  if (validator !== economy.parties.operator || issuing.size === 0)
    return { rewards: [], rights: [] }
  const coupons =
    chosen === undefined ? await oldest(economy, issuing) : await still(economy, chosen)
  return mintable(coupons, issuing, rightsOf(economy, validator))
}

/** Coupons of the party's own burns, where it is its own validator. */
export async function readOwnValidatorCoupons(
  economy: Pick<Economy, 'clock' | 'network' | 'reader'>,
  party: string,
): Promise<ValidatorCoupons> {
  const issuing = await usableIssuingRounds(economy)
  const rights = rightsOf(economy, party)
  const latest = [...issuing.keys()].at(-1)
  if (latest === undefined || (await rights(party)) === undefined)
    return { rewards: [], rights: [] }
  const page = { order: 'rank-desc', maxRank: latest, limit: PAGE } as const
  const coupons = await economy.reader.active(validatorRewardCoupon, { user: party }, page)
  return { ...(await mintable(coupons, issuing, rights)), hasMore: coupons.length === PAGE }
}

/**
 * Ids of all coupons that the operator may mint now and that are worth something, page by page,
 * those first that end soonest; a page may have none. No coupons come to a round that issues, so
 * one pass sees them all.
 */
export async function* mintableValidatorCoupons(
  economy: Pick<Economy, 'clock' | 'network' | 'parties' | 'reader'>,
): AsyncGenerator<readonly string[], void> {
  const {
    reader,
    parties: { operator },
  } = economy
  const issuing = await usableIssuingRounds(economy)
  const rights = rightsOf(economy, operator)
  for (const [round, { payload }] of issuing) {
    if (payload.issuancePerValidatorRewardCoupon === 0n) continue
    let after: ActivePosition | undefined
    do {
      const from = after === undefined ? {} : { after }
      const page = await reader.active(
        validatorRewardCoupon,
        { round },
        { order: 'created', limit: PAGE, ...from },
      )
      const { rewards } = await mintable(page, issuing, rights)
      yield rewards.filter(({ value }) => value > 0n).map(({ input }) => input.value)
      const last = page.length < PAGE ? undefined : page.at(-1)
      after = last && { rank: last.record.rank, sequence: last.sequence }
    } while (after !== undefined)
  }
}

/** Coupons that nobody has minted. */
export async function unspentCoupons(
  economy: Pick<Economy, 'store'>,
  ids: readonly string[],
): Promise<readonly string[]> {
  return (await still(economy, ids)).map(({ id }) => id)
}

async function oldest(
  { reader }: Pick<Economy, 'reader'>,
  issuing: IssuingRounds,
): Promise<readonly Coupon[]> {
  const pages = await Promise.all(
    [...issuing.keys()].map((round) =>
      reader.active(validatorRewardCoupon, { round }, { order: 'created', limit: PAGE }),
    ),
  )
  return pages.flat()
}

async function still(
  { store }: Pick<Economy, 'store'>,
  ids: readonly string[],
): Promise<readonly Coupon[]> {
  const states = await store.contracts.byIds(ids)
  return states
    .filter(({ archivedOffset }) => archivedOffset === 0n)
    .map(({ contract }) => ({
      id: contract.contractId,
      payload: validatorRewardCoupon.open(contract),
    }))
}

/** A validator coupon as it is found, and whether its user's validator is the one that asks. */
export type FoundCoupon = Contract<ValidatorRewardCoupon> & { readonly isCollectable: boolean }

/** A slice of coupons by the time of their creation, after a sequence. */
interface CouponSlice {
  readonly after: bigint | undefined
  readonly limit: number
  readonly order: 'created' | 'created-desc'
}

/**
 * Reads coupons by the time of their creation, at most `limit` after a sequence: all that there
 * are for the operator, who is the validator of many, else the party's own.
 */
export function couponsInOrder(
  { parties, reader }: Pick<Economy, 'parties' | 'reader'>,
  validator: string,
): (slice: CouponSlice) => Promise<readonly FoundCoupon[]> {
  const key = validator === parties.operator ? {} : { user: validator }
  const rightOver = rightsOf({ reader }, validator)
  return async ({ after, ...slice }) => {
    const from = after === undefined ? {} : { after: { rank: 0n, sequence: after } }
    const page = await reader.active(validatorRewardCoupon, key, { ...slice, ...from })
    return Promise.all(
      page.map(async (coupon) => ({
        ...coupon,
        isCollectable: (await rightOver(coupon.payload.user)) !== undefined,
      })),
    )
  }
}

type Rights = (user: string) => Promise<string | undefined>

async function mintable(
  coupons: readonly Coupon[],
  issuing: IssuingRounds,
  rightOver: Rights,
): Promise<ValidatorCoupons> {
  const users = [...new Set(coupons.map(({ payload }) => payload.user))]
  const found = await Promise.all(users.map(async (user) => [user, await rightOver(user)] as const))
  const rights = new Map(
    found.flatMap(([user, right]) => (right === undefined ? [] : [[user, right] as const])),
  )
  const rewards = coupons.flatMap(
    ({ id, payload: { user, round, amount } }): readonly RewardInput[] => {
      const issued = issuing.get(round)
      if (issued === undefined || !rights.has(user)) return []
      const value = multiply(amount, issued.payload.issuancePerValidatorRewardCoupon)
      return [{ input: { tag: 'InputValidatorRewardCoupon', value: id }, round, value }]
    },
  )
  return { rewards, rights: [...rights] }
}

/** Finds the rights of a validator, each user's once. */
function rightsOf({ reader }: Pick<Economy, 'reader'>, validator: string): Rights {
  const known = new Map<string, Promise<string | undefined>>()
  const find = async (user: string) => {
    const rights = await reader.active(
      validatorRight,
      { user },
      { order: 'created', limit: MAX_RIGHTS },
    )
    return rights.find(({ payload }) => payload.validator === validator)?.id
  }
  return (user) => {
    const right = known.get(user) ?? find(user)
    known.set(user, right)
    return right
  }
}
