// Contracts with a fault each: a rounding, a lock, a bound or a limit that is wrong or missing.
import type { Coin, CoinTransferInstruction, Transfer } from '../../../generated/contracts.gen.ts'
import {
  coin,
  coinExpire,
  coinRulesAdvanceOpenMiningRounds,
  coinRulesBuyMemberTraffic,
  coinRulesDevNetTap,
  coinRulesLegacyTransfer,
  coinRulesTransfer,
  coinTransferInstructionAccept,
  coinTransferInstructionReject,
  coinTransferInstructionUpdate,
  coinTransferInstructionWithdraw,
  configOf,
  expiringAmount,
  externalPartyCoinRulesTransfer,
  issuingMiningRound,
  lockedCoin,
  memberTraffic,
  openMiningRound,
  splitAndBurn,
  transferPreapproval,
  transferPreapprovalRenew,
  validatorRewardCoupon,
} from '../../../runtime/contracts/index.ts'
import { DECIMAL_ONE } from '../../../runtime/engine/index.ts'
import type { Tx } from '../../../runtime/engine/index.ts'
import { MODEL } from '../compare.ts'
import {
  changing,
  inAnother,
  keeping,
  making,
  overwrite,
  reading,
  rerun,
  timeless,
  together,
  within,
  without,
} from './alter.ts'

type Undo = () => void

/**
 * A fault to plant: its id, what is wrong, the invariants of which one must find it, and how it is
 * made. MODEL, a difference from the model, finds nearly all of them: it is named where nothing
 * else does.
 */
export type FaultRow<T> = readonly [
  id: string,
  what: string,
  caughtBy: readonly number[],
  make: () => T,
]

/** Every choice that takes inputs sees another transaction. */
function paying(change: (tx: Tx) => Partial<Tx>): Undo {
  return together(
    inAnother(coinRulesTransfer, change),
    inAnother(coinRulesLegacyTransfer, change),
    inAnother(coinRulesBuyMemberTraffic, change),
  )
}

const richer = changing(issuingMiningRound, (round) => ({
  ...round,
  issuancePerValidatorRewardCoupon: round.issuancePerValidatorRewardCoupon + 1_000n,
  issuancePerFeaturedAppRewardCoupon: round.issuancePerFeaturedAppRewardCoupon + 1_000n,
  optIssuancePerValidatorFaucetCoupon: (round.optIssuancePerValidatorFaucetCoupon ?? 0n) + 1n,
}))

const wider = changing(openMiningRound, (round) => ({
  ...round,
  transferConfigUsd: { ...round.transferConfigUsd, maxNumInputs: 1_000n },
}))

/** Cost in coin of bytes at USD per megabyte and USD per coin. */
type Pricing = (bytes: bigint, usdPerMegabyte: bigint, rate: bigint) => bigint

const atOnce: Pricing = (bytes, usd, rate) => (bytes * usd * DECIMAL_ONE) / (1_000_000n * rate)
const upwards: Pricing = (bytes, usd, rate) => atOnce(bytes, usd, rate) + 1n

/** Traffic at another price, bought where it could be. */
function priced(price: Pricing): Undo {
  return rerun(coinRulesBuyMemberTraffic, (original) => (tx, self, argument) => {
    const {
      provider: payer,
      inputs,
      context,
      trafficAmount,
      memberId,
      synchronizerId,
      migrationId,
    } = argument
    const {
      requiredSynchronizers,
      fees: { minTopupAmount },
    } = configOf(self.payload).decentralizedSynchronizer
    const isFine = requiredSynchronizers.includes(synchronizerId) && trafficAmount >= minTopupAmount
    if (!isFine) return original(tx, self, argument)
    const round = tx.fetch(openMiningRound, context.openMiningRound)
    const coinPaid = price(trafficAmount, round.trafficPrice ?? 0n, round.conversionRate)
    const { summary, senderChangeCoin, meta } = splitAndBurn(tx, self.payload, round, {
      payer,
      inputs,
      context,
      price: coinPaid,
      reason: 'traffic purchase',
    })
    const sums = {
      totalPurchased: trafficAmount,
      numPurchases: 1n,
      coinSpent: coinPaid,
      usdSpent: 0n,
    }
    const { dso } = self.payload
    const purchasedTraffic = tx.create(memberTraffic, {
      dso,
      memberId,
      synchronizerId,
      migrationId,
      ...sums,
    })
    return { round: round.round, summary, coinPaid, purchasedTraffic, senderChangeCoin, meta }
  })
}

/** Keeps what is to be burned: it is no input. */
function burnKept(): Undo {
  return rerun(coinRulesBuyMemberTraffic, (original) => (tx, self, argument) => {
    const inputs = new Set(argument.inputs.map(({ value }) => value))
    return original(
      within(
        tx,
        keeping(tx, (_, id) => !inputs.has(id)),
      ),
      self,
      argument,
    )
  })
}

/** Transfers with other terms than those that were asked for. */
function transfers(change: (transfer: Transfer) => Transfer): Undo {
  return rerun(
    coinRulesTransfer,
    (original) => (tx, self, argument) =>
      original(tx, self, { ...argument, transfer: change(argument.transfer) }),
  )
}

function locks(change: (output: Transfer['outputs'][number]) => Transfer['outputs'][number]): Undo {
  return transfers((transfer) => ({
    ...transfer,
    outputs: transfer.outputs.map((output) => (output.lock === null ? output : change(output))),
  }))
}

function moreChange(): Undo {
  return rerun(coinRulesTransfer, (original) => (tx, self, argument) => {
    const { sender, outputs } = argument.transfer
    const paid = new Set(outputs.map(({ amount }) => amount))
    const more = changing(coin, (payload) => {
      const { initialAmount } = payload.amount
      if (payload.owner !== sender || paid.has(initialAmount)) return payload
      return { ...payload, amount: { ...payload.amount, initialAmount: initialAmount + 1n } }
    })
    return original(within(tx, making(tx, more)), self, argument)
  })
}

function zeroChange(): Undo {
  const change = rerun(coinRulesTransfer, (original) => (tx, self, argument) => {
    const result = original(tx, self, argument)
    if (result.senderChangeCoin !== null) return result
    const round = tx.fetch(openMiningRound, argument.context.openMiningRound)
    const nothing = {
      dso: self.payload.dso,
      owner: argument.transfer.sender,
      amount: expiringAmount(round, 0n),
    }
    return { ...result, senderChangeCoin: tx.create(coin, nothing) }
  })
  return together(change, overwrite(coin.rules, { ensure: () => true }))
}

function negativeOutput(): Undo {
  const rank = ({ amount: { initialAmount } }: Coin) => (initialAmount > 0n ? initialAmount : 0n)
  return together(
    inAnother(coinRulesTransfer, (tx) => without(tx, 'the amount of an output is above 0')),
    inAnother(externalPartyCoinRulesTransfer, (tx) => without(tx, 'the amount is above 0')),
    overwrite(coin.rules, { ensure: () => true, rank }),
  )
}

function rejectPaysReceiver(): Undo {
  return rerun(coinTransferInstructionReject, (original) => (tx, self, argument) => {
    const result = original(tx, self, argument)
    for (const id of result.senderChangeCids) {
      const back = tx.fetch(coin, id)
      tx.archive(coin, id)
      tx.create(coin, { ...back, owner: self.payload.transfer.receiver })
    }
    return result
  })
}

/** Pays once more when the lock is gone. */
function shellRevived(): Undo {
  const pay = (tx: Tx, { transfer }: CoinTransferInstruction): void => {
    const amount = { initialAmount: transfer.amount, createdAt: 0n, ratePerRound: { rate: 1n } }
    tx.create(coin, { dso: transfer.instrumentId.admin, owner: transfer.sender, amount })
  }
  const ends = [coinTransferInstructionReject, coinTransferInstructionWithdraw] as const
  const revived = ends.map((end) =>
    rerun(end, (original) => (tx, self, argument) => {
      const result = original(tx, self, argument)
      if (result.senderChangeCids.length === 0) pay(tx, self.payload)
      return result
    }),
  )
  const updated = rerun(coinTransferInstructionUpdate, (original) => (tx, self, argument) => {
    const result = original(tx, self, argument)
    if (result.senderChangeCids.length === 0) pay(tx, self.payload)
    return result
  })
  return together(...revived, updated)
}

/** Once: else the network would never come to rest. */
function fourRounds(): Undo {
  let isDone = false
  return inAnother(coinRulesAdvanceOpenMiningRounds, (tx) =>
    keeping(tx, (templateId) => {
      const isKept = templateId === openMiningRound.type.id && !isDone
      isDone ||= isKept
      return isKept
    }),
  )
}

/** Each breaks what all share and answers how to mend it. */
export const CONTRACT_FAULTS: readonly FaultRow<Undo>[] = [
  [
    'tap-rounds-down',
    'a tap rounds down',
    [MODEL],
    () =>
      rerun(
        coinRulesDevNetTap,
        (original) => (tx, self, argument) =>
          original(tx, self, {
            ...argument,
            amount: argument.amount > 1n ? argument.amount - 1n : argument.amount,
          }),
      ),
  ],
  ['cost-rounds-up', 'the price of traffic is rounded up once', [34], () => priced(upwards)],
  [
    'folded-rounding',
    'the price of traffic is rounded once instead of three times',
    [34],
    () => priced(atOnce),
  ],
  ['burn-kept', 'what pays for traffic is not archived', [3, 34], burnKept],
  [
    'mint-rounds-up',
    'the yield of a coupon is rounded up',
    [24],
    () => paying((tx) => reading(tx, richer)),
  ],
  [
    'coupon-kept',
    'a minted coupon stays',
    [24, 3],
    () => paying((tx) => keeping(tx, (templateId) => templateId === validatorRewardCoupon.type.id)),
  ],
  [
    'lost-lock',
    'an instruction is created over an unlocked holding',
    [9, 10, 44],
    () => locks((output) => ({ ...output, lock: null })),
  ],
  [
    'lock-too-small',
    'less is locked than the transfer says',
    [11],
    () => locks((output) => ({ ...output, amount: output.amount - 1n })),
  ],
  ['wrong-change', 'change is one unit more than it should be', [3, 4], moreChange],
  ['zero-change', 'a holding of zero is made where nothing is left', [5, 6], zeroChange],
  ['negative-output', 'an output may be negative', [6, MODEL], negativeOutput],
  [
    'too-many-inputs',
    'a transfer takes 101 inputs',
    [8],
    () =>
      together(
        paying((tx) => reading(tx, wider)),
        inAnother(externalPartyCoinRulesTransfer, (tx) => reading(tx, wider)),
      ),
  ],
  [
    'expired-accepted',
    'an instruction is accepted after its deadline',
    [15],
    () => inAnother(coinTransferInstructionAccept, () => timeless),
  ],
  [
    'early-expiry',
    'an instruction is expired before its deadline',
    [15],
    () => inAnother(coinTransferInstructionUpdate, () => timeless),
  ],
  [
    'reject-pays-receiver',
    'a rejected instruction unlocks for the receiver',
    [13],
    rejectPaysReceiver,
  ],
  [
    'accept-pays-less',
    'an acceptance keeps a unit back for the sender',
    [14],
    () =>
      rerun(coinTransferInstructionAccept, (original) => (tx, { id, payload }, argument) => {
        const transfer = { ...payload.transfer, amount: payload.transfer.amount - 1n }
        return original(tx, { id, payload: { ...payload, transfer } }, argument)
      }),
  ],
  ['shell-revived', 'an instruction whose lock is gone pays again', [3, 7, 13], shellRevived],
  ['four-rounds', 'an advance leaves the oldest round open', [28], fourRounds],
  [
    'renewal-shortens',
    'a renewal may move the end back',
    [23, MODEL],
    () =>
      inAnother(transferPreapprovalRenew, (tx) =>
        making(
          tx,
          changing(transferPreapproval, (renewed) => ({
            ...renewed,
            expiresAt: renewed.lastRenewedAt,
          })),
        ),
      ),
  ],
  [
    'live-dust',
    'the network expires a holding that is no dust yet',
    [MODEL],
    () =>
      inAnother(coinExpire, (tx) =>
        without(tx, 'the coin is dust, its holding fees as much as its amount'),
      ),
  ],
  [
    'wrong-rate',
    'a new holding costs a unit more each round than its round says',
    [MODEL],
    () =>
      inAnother(coinRulesTransfer, (tx) =>
        making(
          tx,
          changing(coin, ({ amount, ...payload }) => ({
            ...payload,
            amount: { ...amount, ratePerRound: { rate: amount.ratePerRound.rate + 1n } },
          })),
        ),
      ),
  ],
  [
    'lock-for-others',
    'a lock ends a second before the instruction that it is for',
    [11],
    () =>
      inAnother(coinRulesTransfer, (tx) =>
        making(
          tx,
          changing(lockedCoin, (payload) => ({
            ...payload,
            lock: { ...payload.lock, expiresAt: payload.lock.expiresAt - 1_000_000n },
          })),
        ),
      ),
  ],
]
