// What parties hold, and what holding fees would come to: shown beside the amounts, never deducted
// from a balance. domain/wire.md §1.2, §1.4; domain/behaviour.md §12.5; rulings.md 12
import type { Coin, ExpiringAmount, LockedCoin } from '../../../../generated/contracts.gen.ts'
import type {
  CoinPosition,
  ExternalPartyBalanceResponse,
  GetBalanceResponse,
  ListCoinsResponse,
} from '../../../../generated/validator/types.gen.ts'
import { coin, effectiveAmountAt, holdingFeeAt, lockedCoin } from '../../../contracts/index.ts'
import { formatDecimal } from '../../../engine/index.ts'
import type { Contract, Reader } from '../../../engine/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { contractWithState } from '../../contract-wire.ts'
import { inOrder, listed, nextPage, underKey } from '../lists.ts'
import type { Listed, ListQuery, ReadListed } from '../lists.ts'
import { notFound, PlainError } from '../../../economy/errors.ts'

const noRound = (): PlainError => new PlainError(503, 'None of the rounds are open')

/** A hosted party's balance as of the latest round that has opened. */
export async function balanceOf(
  economy: Pick<Economy, 'network' | 'reader'>,
  party: string,
): Promise<GetBalanceResponse | PlainError> {
  const { reader, network } = economy
  const [round, unlocked, locked] = await Promise.all([
    network.usableRound(),
    reader.total('unlocked', party),
    reader.total('locked', party),
  ])
  if (round === undefined) return noRound()
  const fees = await reader.accrued('unlocked', party, round.payload.round)
  return {
    round: round.payload.round,
    effective_unlocked_qty: formatDecimal(unlocked.amount),
    effective_locked_qty: formatDecimal(locked.amount),
    total_holding_fees: formatDecimal(fees),
  }
}

/** The balance of a party that is hosted here as of the earliest open round; 404 for any other. */
export async function externalBalanceOf(
  economy: Pick<Economy, 'network' | 'reader' | 'store'>,
  party: string,
): Promise<ExternalPartyBalanceResponse | PlainError> {
  const { reader, network, store } = economy
  const isStorable = party.isWellFormed() && !party.includes('\0')
  const [known] = isStorable ? await store.parties.get([party]) : []
  if (known?.isLocal !== true) return notFound(`No party ${party} is known`)
  const [earliest, unlocked, locked] = await Promise.all([
    network.earliestRound(),
    reader.total('unlocked', party),
    reader.total('locked', party),
  ])
  if (earliest === undefined) return noRound()
  const { round } = earliest.payload
  const [unlockedFees, lockedFees] = await Promise.all([
    reader.accrued('unlocked', party, round),
    reader.accrued('locked', party, round),
  ])
  return {
    party_id: party,
    total_unlocked_coin: formatDecimal(unlocked.amount),
    total_locked_coin: formatDecimal(locked.amount),
    total_coin_holdings: formatDecimal(unlocked.amount + locked.amount),
    accumulated_holding_fees_unlocked: formatDecimal(unlockedFees),
    accumulated_holding_fees_locked: formatDecimal(lockedFees),
    accumulated_holding_fees_total: formatDecimal(unlockedFees + lockedFees),
    total_available_coin: formatDecimal(unlocked.amount),
    computed_as_of_round: round,
  }
}

/** A holding as it is listed. */
interface Held extends Listed {
  readonly isLocked: boolean
  readonly shown: CoinPosition
}

/** Holdings of a party, oldest first, as of the latest round that has opened. */
export async function positionsOf(
  economy: Pick<Economy, 'network' | 'reader' | 'settings'>,
  party: string,
  query: ListQuery,
): Promise<ListCoinsResponse | PlainError> {
  const usable = await economy.network.usableRound()
  if (usable === undefined) return noRound()
  const read = heldBy(economy.reader, party, usable.payload.round)
  const list = await listed(economy, read, ({ shown, isLocked }) => ({ shown, isLocked }), query)
  const of = (locked: boolean): CoinPosition[] =>
    list.contracts.flatMap(({ shown, isLocked }) => (isLocked === locked ? [shown] : []))
  return { coins: of(false), locked_coins: of(true), ...nextPage(list) }
}

/** Unlocked and locked ones in one order. */
function heldBy(reader: Reader, party: string, round: bigint): ReadListed<Held> {
  const [readCoins, readLocked] = [
    underKey(reader, coin.by('owner'), party),
    underKey(reader, lockedCoin.by('owner'), party),
  ]
  return async (slice) => {
    const [coins, locked] = await Promise.all([readCoins(slice), readLocked(slice)])
    const held = [
      ...coins.map((one) => heldOf(one, position(one, amountOfCoin(one), round), false)),
      ...locked.map((one) => heldOf(one, position(one, amountOfLocked(one), round), true)),
    ]
    return inOrder(held, slice.order).slice(0, slice.limit)
  }
}

function heldOf(
  { sequence, record }: Contract<unknown>,
  shown: CoinPosition,
  isLocked: boolean,
): Held {
  return { sequence, record, shown, isLocked }
}

function position(
  contract: Contract<unknown>,
  amount: ExpiringAmount,
  round: bigint,
): CoinPosition {
  return {
    contract: contractWithState(contract),
    round,
    accrued_holding_fee: formatDecimal(holdingFeeAt(amount, round)),
    effective_amount: formatDecimal(effectiveAmountAt(amount, round)),
  }
}

function amountOfCoin({ payload }: Contract<Coin>): ExpiringAmount {
  return payload.amount
}

function amountOfLocked({ payload }: Contract<LockedCoin>): ExpiringAmount {
  return payload.coin.amount
}
