// What parties hold, and what holding fees would come to: shown beside the amounts, never deducted
// from a balance.
import type { Coin, ExpiringAmount, LockedCoin } from '../../../../generated/contracts.gen.ts'
import type {
  CoinPosition,
  ExternalPartyBalanceResponse,
  GetBalanceResponse,
  ListCoinsResponse,
} from '../../../../generated/validator/types.gen.ts'
import { coin, effectiveAmountAt, holdingFeeAt, lockedCoin } from '../../../contracts/index.ts'
import { formatDecimal } from '../../../engine/index.ts'
import type { Contract } from '../../../engine/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { contractWithState } from '../../contract-wire.ts'
import { summaryToWire } from '../../scan/holdings-summary.ts'
import { listed, together, underKeys } from '../lists.ts'
import { nextPage } from '../../pages.ts'
import type { ListQuery } from '../lists.ts'
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
    ...summaryToWire({
      party,
      unlocked: unlocked.amount,
      locked: locked.amount,
      unlockedFees,
      lockedFees,
    }),
    computed_as_of_round: round,
  }
}

/** Holdings of a party, oldest first, as of the latest round that has opened. */
export async function positionsOf(
  economy: Pick<Economy, 'network' | 'reader' | 'settings'>,
  party: string,
  query: ListQuery,
): Promise<ListCoinsResponse | PlainError> {
  const usable = await economy.network.usableRound()
  if (usable === undefined) return noRound()
  const read = together<Contract<Coin | LockedCoin>>([
    underKeys(economy.reader, [coin.by('owner')], party),
    underKeys(economy.reader, [lockedCoin.by('owner')], party),
  ])
  const show = (contract: Contract<Coin | LockedCoin>) => {
    const isLocked = 'lock' in contract.payload
    const { amount } = isLocked ? contract.payload.coin : contract.payload
    return { isLocked, shown: position(contract, amount, usable.payload.round) }
  }
  const list = await listed(economy, read, show, query)
  const of = (locked: boolean): CoinPosition[] =>
    list.contracts.flatMap(({ shown, isLocked }) => (isLocked === locked ? [shown] : []))
  return { coins: of(false), locked_coins: of(true), ...nextPage(list) }
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
