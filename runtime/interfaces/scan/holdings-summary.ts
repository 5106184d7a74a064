// Sums of what parties held at a snapshot. Holding fees are shown beside them, never deducted.
// docs/economy-rules.md, "Balances"
import type { ExpiringAmount } from '../../../generated/contracts.gen.ts'
import type {
  HoldingsSummary,
  HoldingsSummaryRequest,
  HoldingsSummaryRequestV1,
} from '../../../generated/scan/types.gen.ts'
import { coin, holdingFeeAt, lockedCoin } from '../../contracts/index.ts'
import { formatDecimal } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Economy } from '../../economy/economy.ts'
import { badRequest, PlainError } from '../../economy/errors.ts'
import { partiesProblem } from './parse.ts'
import type { AcsSnapshot } from '../../economy/snapshots/snapshots.ts'
import { snapshotOf } from '../../economy/snapshots/snapshots.ts'

const PAGE = 1_000

interface Sums {
  readonly party: string
  readonly unlocked: bigint
  readonly locked: bigint
  readonly unlockedFees: bigint
  readonly lockedFees: bigint
}

export interface HoldingsAt {
  readonly snapshot: AcsSnapshot
  readonly asOfRound: bigint
  /** One for each owner with holdings. */
  readonly sums: readonly Sums[]
}

/**
 * Holdings with fees as of a round, the earliest open one where none is named; 400, and 404 without
 * a snapshot.
 */
export async function holdingsAt(
  economy: Pick<Economy, 'network' | 'store'>,
  query: HoldingsSummaryRequest | HoldingsSummaryRequestV1,
): Promise<HoldingsAt | PlainError> {
  const asked = 'as_of_round' in query ? query.as_of_round : undefined
  const problem =
    partiesProblem(query.owner_party_ids) ??
    (asked !== undefined && asked < 0n ? badRequest('as_of_round is negative') : undefined)
  if (problem !== undefined) return problem
  const snapshot = await snapshotOf(economy, query)
  if (snapshot instanceof PlainError) return snapshot
  const asOfRound = asked ?? (await economy.network.earliestRound())?.payload.round ?? 0n
  const sums = new Map<string, Sums>()
  for await (const { owner, amount, isLocked } of holdings(
    economy,
    snapshot,
    query.owner_party_ids,
  )) {
    const before = sums.get(owner) ?? {
      party: owner,
      unlocked: 0n,
      locked: 0n,
      unlockedFees: 0n,
      lockedFees: 0n,
    }
    sums.set(owner, plus(before, amount, isLocked, asOfRound))
  }
  return { snapshot, asOfRound, sums: [...sums.values()] }
}

/** Sums with fees, as the older summary shows them. */
export function summaryToWire({ unlockedFees, lockedFees, ...sums }: Sums): HoldingsSummary {
  return {
    ...totalsToWire(sums),
    accumulated_holding_fees_unlocked: formatDecimal(unlockedFees),
    accumulated_holding_fees_locked: formatDecimal(lockedFees),
    accumulated_holding_fees_total: formatDecimal(unlockedFees + lockedFees),
    total_available_coin: formatDecimal(sums.unlocked),
  }
}

/** Sums alone. */
export function totalsToWire({
  party,
  unlocked,
  locked,
}: Pick<Sums, 'party' | 'unlocked' | 'locked'>) {
  return {
    party_id: party,
    total_unlocked_coin: formatDecimal(unlocked),
    total_locked_coin: formatDecimal(locked),
    total_coin_holdings: formatDecimal(unlocked + locked),
  }
}

interface Holding {
  readonly owner: string
  readonly amount: ExpiringAmount
  readonly isLocked: boolean
}

async function* holdings(
  { store }: Pick<Economy, 'store'>,
  { offset }: AcsSnapshot,
  owners: readonly string[],
): AsyncGenerator<Holding> {
  const templates = [coin.type.reference, lockedCoin.type.reference]
  const wanted = new Set(owners)
  for (let after = 0n; ;) {
    // An owner signs the coins; others sign a locked one, too.
    const rows = await store.contracts.snapshot({
      offset,
      templates,
      parties: owners,
      after,
      limit: PAGE,
    })
    for (const holding of rows.map(({ contract }) => holdingOf(contract)))
      if (wanted.has(holding.owner)) yield holding
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.sequence
  }
}

function holdingOf(record: ContractRecord): Holding {
  const isLocked = lockedCoin.isOf(record)
  const { owner, amount } = isLocked ? lockedCoin.open(record).coin : coin.open(record)
  return { owner, amount, isLocked }
}

function plus(sums: Sums, amount: ExpiringAmount, isLocked: boolean, round: bigint): Sums {
  const fee = holdingFeeAt(amount, round)
  if (isLocked)
    return {
      ...sums,
      locked: sums.locked + amount.initialAmount,
      lockedFees: sums.lockedFees + fee,
    }
  return {
    ...sums,
    unlocked: sums.unlocked + amount.initialAmount,
    unlockedFees: sums.unlockedFees + fee,
  }
}
