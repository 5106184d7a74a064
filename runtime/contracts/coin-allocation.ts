// A coin that is locked for one leg of a settlement. Of execution, cancellation, withdrawal and
// expiry exactly one happens. docs/allocations.md
import { Allocation, CoinAllocation } from '../../generated/contracts.gen.ts'
import type {
  AllocationExecuted,
  AllocationReleased,
  AllocationSpecificationV1,
  ExtraArgs,
} from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { contractIn, expiresLock, paymentContext } from './choice-context.ts'
import { lockedCoinUnlock, releaseLock } from './locked-coin.ts'
import { NO_METADATA } from './metadata.ts'
import { inputOf, outputTo, payBy } from './transfer.ts'

/** Rank: settleBefore. */
export const coinAllocation = defineTemplate(CoinAllocation, {
  signatories: ({ allocation: { transferLeg } }) => [
    transferLeg.instrumentId.admin,
    transferLeg.sender,
  ],
  issuer: ({ allocation }) => allocation.transferLeg.instrumentId.admin,
  observers: ({ allocation }) => [allocation.settlement.executor],
  keys: ({ lockedCoin, allocation }) => ({
    sender: allocation.transferLeg.sender,
    executor: allocation.settlement.executor,
    lockedCoin,
  }),
  rank: ({ allocation }) => allocation.settlement.settleBefore,
  views: {
    [Allocation.id]: ({ lockedCoin, allocation }) =>
      Allocation.view.encode({ allocation, holdingCids: [lockedCoin], meta: NO_METADATA }),
  },
})

/** Executor, sender and receiver, before settleBefore: the receiver gets the coin. */
export const coinAllocationExecuteTransfer = choice(
  coinAllocation,
  Allocation.choices.Allocation_ExecuteTransfer,
  {
    controllers: ({ allocation }) => partiesOf(allocation),
    run: (tx, { payload }, { extraArgs }) => execute(tx, payload, extraArgs),
  },
)

/** Executor, sender and receiver call it off: the coin goes back to the sender. */
export const coinAllocationCancel = choice(coinAllocation, Allocation.choices.Allocation_Cancel, {
  controllers: ({ allocation }) => partiesOf(allocation),
  run: (tx, { payload }, { extraArgs }) => giveBack(tx, payload, expiresLock(tx, extraArgs)),
})

/** The sender takes the coin back. */
export const coinAllocationWithdraw = choice(
  coinAllocation,
  Allocation.choices.Allocation_Withdraw,
  {
    controllers: ({ allocation }) => [allocation.transferLeg.sender],
    run: (tx, { payload }, { extraArgs }) => giveBack(tx, payload, expiresLock(tx, extraArgs)),
  },
)

/** The network returns the coin once it is too late to settle. */
export const coinAllocationDsoExpire = choice(
  coinAllocation,
  CoinAllocation.choices.CoinAllocation_DsoExpire,
  {
    controllers: ({ allocation }) => [allocation.transferLeg.instrumentId.admin],
    run: (tx: Tx, { payload }, { expireLock }) => {
      tx.notBefore(payload.allocation.settlement.settleBefore)
      return giveBack(tx, payload, expireLock)
    },
  },
)

function partiesOf({ settlement, transferLeg }: AllocationSpecificationV1): readonly string[] {
  return [...new Set([settlement.executor, transferLeg.sender, transferLeg.receiver])]
}

/** The executor provides the transfer: it is an activity of its app where that is featured. */
function execute(
  tx: Tx,
  { lockedCoin, allocation }: CoinAllocation,
  extraArgs: ExtraArgs,
): AllocationExecuted {
  const { settlement, transferLeg } = allocation
  const { sender, receiver, amount, instrumentId, meta } = transferLeg
  tx.before(settlement.settleBefore)
  const right = contractIn(tx, extraArgs, 'featuredAppRight') ?? null
  const payment = paymentContext(tx, extraArgs, right)
  const unlocked = tx.exercise(lockedCoinUnlock, lockedCoin, {}).coin
  const result = payBy(tx, payment, instrumentId.admin, {
    sender,
    provider: settlement.executor,
    inputs: [inputOf(unlocked)],
    outputs: [outputTo(receiver, amount, meta)],
  })
  return {
    senderHoldingCids: result.senderChangeCoin === null ? [] : [result.senderChangeCoin],
    receiverHoldingCids: result.createdCoins.map(({ value }) => value),
    meta: result.meta,
  }
}

function giveBack(
  tx: Tx,
  { lockedCoin, allocation }: CoinAllocation,
  hasLock: boolean,
): AllocationReleased {
  const { settleBefore } = allocation.settlement
  const { holdingCids, meta } = releaseLock(tx, { lockedCoin, hasLock, until: settleBefore })
  return { senderHoldingCids: holdingCids, meta }
}
