// What is added up of a party, or of all: rewards, purchases of traffic, and the balance. One type
// for what a round brings and for what all rounds together come to.
import { z } from 'zod'
import type { FactRecord } from '../../store/store.ts'
import { storedForm, whole } from '../../store/stored-form.ts'

/** Decimals at scale 10, but for the bytes and numbers of purchases. */
export interface Sums {
  /** Minted from app reward coupons. */
  readonly appRewards: bigint
  /** Minted from validator reward coupons and records of liveness. */
  readonly validatorRewards: bigint
  /** Bytes. */
  readonly trafficPurchased: bigint
  /** Coin paid for them. */
  readonly trafficSpent: bigint
  readonly trafficPurchases: bigint
  /** The round after that of the last purchase; 0 without one. The later of two counts. */
  readonly afterLastPurchase: bigint
  /** Coins, locked ones too, as if they dated from round 0. */
  readonly initialAmount: bigint
  /** Holding fees of a round. */
  readonly holdingRate: bigint
}

/** Nothing at all. */
export const NO_SUMS: Sums = {
  appRewards: 0n,
  validatorRewards: 0n,
  trafficPurchased: 0n,
  trafficSpent: 0n,
  trafficPurchases: 0n,
  afterLastPurchase: 0n,
  initialAmount: 0n,
  holdingRate: 0n,
}

/** Both together. */
export function addSums(one: Sums, other: Sums): Sums {
  return {
    appRewards: one.appRewards + other.appRewards,
    validatorRewards: one.validatorRewards + other.validatorRewards,
    trafficPurchased: one.trafficPurchased + other.trafficPurchased,
    trafficSpent: one.trafficSpent + other.trafficSpent,
    trafficPurchases: one.trafficPurchases + other.trafficPurchases,
    afterLastPurchase:
      one.afterLastPurchase > other.afterLastPurchase
        ? one.afterLastPurchase
        : other.afterLastPurchase,
    initialAmount: one.initialAmount + other.initialAmount,
    holdingRate: one.holdingRate + other.holdingRate,
  }
}

/** Sums as facts keep them: without those that are 0. */
export const sumsForm = z.codec(z.record(z.string(), whole), z.custom<Sums>(), {
  decode: (some) => ({ ...NO_SUMS, ...some }),
  encode: (sums) =>
    Object.fromEntries(
      Object.entries(sums).filter(([, value]: readonly [string, bigint]) => value !== 0n),
    ),
})

const stored = storedForm(sumsForm)

/** The sums of a fact that `sumsFact` made; none if there is no fact. */
export function sumsOf(body: string | undefined): Sums {
  return body === undefined ? NO_SUMS : stored.read(body)
}

/** A fact of sums. */
export function sumsFact(kind: string, key: string, sums: Sums): FactRecord {
  return { kind, key, body: stored.write(sums) }
}
