// What an update says of the sums of a round: who minted which rewards, bought how much traffic,
// and whose coins came and went. Pure. docs/economy-rules.md, "Scan"
import {
  closedMiningRound,
  coin,
  coinRulesBuyMemberTraffic,
  coinRulesCreateExternalPartySetupProposal,
  coinRulesCreateTransferPreapproval,
  coinRulesDevNetTap,
  coinRulesLegacyTransfer,
  coinRulesMint,
  coinRulesTransfer,
  coinExpire,
  isInCode,
  lockedCoin,
  lockedCoinExpireCoin,
  openMiningRound,
  transferPreapprovalRenew,
} from '../../contracts/index.ts'
import { normalisedAmount } from '../../contracts/fees.ts'
import type { ExerciseEvent, LedgerEvent, StoredTransaction } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import { NO_SUMS } from './sums.ts'
import type { Sums } from './sums.ts'

/** The change of one party in one round. */
export interface RoundChange {
  /** Undefined where nothing says to which round it belongs. */
  readonly round: bigint | undefined
  readonly party: string
  readonly sums: Sums
}

/** Changes that an update brings. */
export interface CoinActivity {
  readonly changes: readonly RoundChange[]
  /** Numbers of the rounds that it opens. */
  readonly opened: readonly bigint[]
  /** Numbers of the rounds that it closes. */
  readonly closed: readonly bigint[]
}

type Summary = ReturnType<typeof coinRulesTransfer.resultOf>['summary']

/** The round and the amounts that an exercise names. */
interface Told {
  readonly round: bigint
  readonly change?: Omit<RoundChange, 'round'>
}

/** `recordOf` knows the contracts that the update archives. */
export function coinActivity(
  { events }: Pick<StoredTransaction, 'events'>,
  recordOf: (contractId: string) => ContractRecord | undefined,
): CoinActivity {
  const created = events.flatMap((event) => (event.kind === 'create' ? [event.contract] : []))
  const own = new Map(created.map((contract) => [contract.contractId, contract]))
  const changes: RoundChange[] = []
  for (let node = 0; node < events.length;) {
    const tree = treeAt(events, node)
    changes.push(...changesIn(tree, (id) => own.get(id) ?? recordOf(id)))
    node += tree.length
  }
  return {
    changes,
    opened: created.flatMap((one) =>
      openMiningRound.isOf(one) ? [openMiningRound.open(one).round] : [],
    ),
    closed: created.flatMap((one) =>
      closedMiningRound.isOf(one) ? [closedMiningRound.open(one).round] : [],
    ),
  }
}

/** The root event at a node, and all below it. */
function treeAt(events: readonly LedgerEvent[], node: number): readonly LedgerEvent[] {
  const root = events[node]
  return events.slice(node, root?.kind === 'exercise' ? root.lastDescendant + 1 : node + 1)
}

function changesIn(
  tree: readonly LedgerEvent[],
  recordOf: (contractId: string) => ContractRecord | undefined,
): readonly RoundChange[] {
  const told = tree.flatMap((event) =>
    event.kind === 'exercise' && isInCode(event) ? (READERS.get(event.choice)?.(event) ?? []) : [],
  )
  const balances = new Map<string, Pick<Sums, 'holdingRate' | 'initialAmount'>>()
  for (const event of tree) {
    const contract =
      event.kind === 'create'
        ? event.contract
        : event.consuming
          ? recordOf(event.contractId)
          : undefined
    const held = contract && heldIn(contract)
    if (held === undefined) continue
    const sign = event.kind === 'create' ? 1n : -1n
    const before = balances.get(held.owner) ?? NO_SUMS
    balances.set(held.owner, {
      initialAmount: before.initialAmount + sign * held.initialAmount,
      holdingRate: before.holdingRate + sign * held.holdingRate,
    })
  }
  // All of a tree refers to the same round, which its payments name.
  const round = told[0]?.round
  return [
    ...told.flatMap((one) =>
      one.change === undefined ? [] : [{ round: one.round, ...one.change }],
    ),
    ...[...balances].flatMap(([party, { initialAmount, holdingRate }]) =>
      initialAmount === 0n && holdingRate === 0n
        ? []
        : [{ round, party, sums: { ...NO_SUMS, initialAmount, holdingRate } }],
    ),
  ]
}

/** A coin's addition to the sums of its owner, locked or not; undefined for other contracts. */
export function heldIn(
  contract: ContractRecord,
): ({ readonly owner: string } & Pick<Sums, 'holdingRate' | 'initialAmount'>) | undefined {
  const held = coin.isOf(contract)
    ? coin.open(contract)
    : lockedCoin.isOf(contract)
      ? lockedCoin.open(contract).coin
      : undefined
  return (
    held && {
      owner: held.owner,
      initialAmount: normalisedAmount(held.amount),
      holdingRate: held.amount.ratePerRound.rate,
    }
  )
}

type Reader = (event: ExerciseEvent) => Told

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    coinRulesTransfer.type.name,
    (event) => {
      const { round, summary } = coinRulesTransfer.resultOf(event)
      return rewarded(coinRulesTransfer.argumentOf(event).transfer.sender, round, summary)
    },
  ],
  [
    coinRulesLegacyTransfer.type.name,
    (event) => {
      const { round, summary } = coinRulesLegacyTransfer.resultOf(event)
      return rewarded(coinRulesLegacyTransfer.argumentOf(event).transfer.sender, round, summary)
    },
  ],
  [coinRulesBuyMemberTraffic.type.name, trafficBought],
  [
    coinRulesCreateTransferPreapproval.type.name,
    (event) => {
      const { round, summary } = coinRulesCreateTransferPreapproval.resultOf(event).transferResult
      return rewarded(coinRulesCreateTransferPreapproval.argumentOf(event).provider, round, summary)
    },
  ],
  [
    coinRulesCreateExternalPartySetupProposal.type.name,
    (event) => {
      const { validator, transferResult } =
        coinRulesCreateExternalPartySetupProposal.resultOf(event)
      return rewarded(validator, transferResult.round, transferResult.summary)
    },
  ],
  [
    transferPreapprovalRenew.type.name,
    (event) => {
      const { round, summary } = transferPreapprovalRenew.resultOf(event).transferResult
      // The provider alone controls it.
      return rewarded(event.actingParties[0] ?? '', round, summary)
    },
  ],
  [
    coinRulesDevNetTap.type.name,
    (event) => ({ round: coinRulesDevNetTap.resultOf(event).coinSum.round }),
  ],
  [coinRulesMint.type.name, (event) => ({ round: coinRulesMint.resultOf(event).coinSum.round })],
  [coinExpire.type.name, (event) => ({ round: coinExpire.resultOf(event).expireSum.round })],
  [
    lockedCoinExpireCoin.type.name,
    (event) => ({ round: lockedCoinExpireCoin.resultOf(event).expireSum.round }),
  ],
])

function rewarded(party: string, round: bigint, summary: Summary): Told {
  const { inputAppRewardAmount: appRewards, inputValidatorRewardAmount: validatorRewards } = summary
  return appRewards === 0n && validatorRewards === 0n
    ? { round }
    : { round, change: { party, sums: { ...NO_SUMS, appRewards, validatorRewards } } }
}

function trafficBought(event: ExerciseEvent): Told {
  const { provider, trafficAmount } = coinRulesBuyMemberTraffic.argumentOf(event)
  const { round, summary, coinPaid } = coinRulesBuyMemberTraffic.resultOf(event)
  const rewards = rewarded(provider, round, summary).change?.sums ?? NO_SUMS
  return {
    round,
    change: {
      party: provider,
      sums: {
        ...rewards,
        trafficPurchased: trafficAmount,
        trafficSpent: coinPaid,
        trafficPurchases: 1n,
        afterLastPurchase: round + 1n,
      },
    },
  }
}
