// A coin under a lock. Its lock holders can agree to open it; after its time, the owner can open it
// alone. The coin itself does not change. docs/economy-rules.md, "Locked funds"
import { Holding, LockedCoin } from '../../generated/contracts.gen.ts'
import type { Metadata, UnlockedCoin } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Self, Tx } from '../engine/template.ts'
import { coin, expireDust, holdingFees, holdingView, isValidCoin } from './coin.ts'
import { kindMetadata, NO_METADATA } from './metadata.ts'

/** Rank: initial amount. */
export const lockedCoin = defineTemplate(LockedCoin, {
  signatories: ({ coin: held, lock }) => [held.dso, held.owner, ...lock.holders],
  issuer: ({ coin: held }) => held.dso,
  ensure: ({ coin: held }) => isValidCoin(held),
  keys: ({ coin: held }) => held,
  rank: ({ coin: held }) => held.amount.initialAmount,
  totals: ({ coin: held }) => [
    { name: 'locked', account: held.owner, amount: held.amount.initialAmount },
    { name: 'supply', account: '', amount: held.amount.initialAmount },
  ],
  accruals: ({ coin: held }) => holdingFees('locked', held),
  views: {
    [Holding.id]: ({ coin: held, lock }) =>
      holdingView(held, {
        holders: lock.holders,
        expiresAt: lock.expiresAt,
        expiresAfter: null,
        context: lock.optContext,
      }),
  },
})

function release(tx: Tx, { payload }: Self<LockedCoin>, reason: string): UnlockedCoin {
  return { coin: tx.create(coin, payload.coin), meta: kindMetadata('unlock', reason) }
}

/** Owner and holders of the lock open it. */
export const lockedCoinUnlock = choice(lockedCoin, LockedCoin.choices.LockedCoin_Unlock, {
  controllers: ({ coin: held, lock }) => [held.owner, ...lock.holders],
  run: (tx, self) => release(tx, self, 'holders released lock'),
})

/** The owner opens a lock that has expired. */
export const lockedCoinOwnerExpireLock = choice(
  lockedCoin,
  LockedCoin.choices.LockedCoin_OwnerExpireLock,
  {
    controllers: ({ coin: held }) => [held.owner],
    run: (tx, self) => {
      tx.notBefore(self.payload.lock.expiresAt)
      return release(tx, self, 'lock expired')
    },
  },
)

/** The network removes a locked coin that is worth nothing any more. */
export const lockedCoinExpireCoin = choice(lockedCoin, LockedCoin.choices.LockedCoin_ExpireCoin, {
  controllers: ({ coin: held }) => [held.dso],
  run: (tx, { payload }, { openRoundCid }) => expireDust(tx, payload.coin, openRoundCid),
})

/** A coin that is locked for something that waits, and until when it is. */
export interface HeldLock {
  readonly lockedCoin: string
  /** False: the coin is gone, as its owner can take it back from `until` on. */
  readonly hasLock: boolean
  readonly until: bigint
}

/**
 * Gives the locked coin back where what it was locked for ends without a transfer. Without the coin
 * that is an empty shell, which ends no sooner than its time does.
 */
export function releaseLock(
  tx: Tx,
  { lockedCoin: lockedCoinCid, hasLock, until }: HeldLock,
): { readonly holdingCids: readonly string[]; readonly meta: Metadata } {
  if (!hasLock) tx.notBefore(until)
  const holdingCids = hasLock ? [tx.exercise(lockedCoinUnlock, lockedCoinCid, {}).coin] : []
  return { holdingCids, meta: NO_METADATA }
}
