// How much a sweep moves. docs/automations.md, "sweeps"
import {
  acceptedTransferOffer,
  coinToUsd,
  transferOffer,
  usdToCoin,
} from '../../runtime/economy.ts'
import type {
  AcceptedTransferOffer,
  Contract,
  Economy,
  PaymentAmount,
} from '../../runtime/economy.ts'

export interface Sweep {
  readonly sender: string
  readonly receiver: string
  /** USD, decimals x 10^10. */
  readonly maxUsd: bigint
  readonly minUsd: bigint
  readonly useTransferPreapproval: boolean
}

/** Open offers from which on a wallet is not swept: their sum would be read at every look. */
const MAX_OFFERS = 1_000

/**
 * Coin (x 10^10) that the sender has to spare as of now: what unlocked coins and open offers leave
 * above the minimum, where that is more than the maximum; else 0. Each product and quotient is
 * rounded half to even.
 */
export async function coinToSweep(
  economy: Pick<Economy, 'network' | 'reader'>,
  sweep: Sweep,
): Promise<bigint | 'too-many-offers'> {
  const round = await economy.network.usableRound()
  if (round === undefined) return 0n
  const { conversionRate } = round.payload
  const balance = async () =>
    coinToUsd((await economy.reader.total('unlocked', sweep.sender)).amount, conversionRate)
  if ((await balance()) <= sweep.maxUsd) return 0n
  // Before the balance counts: what is paid in between is counted twice and not overlooked.
  const outstanding = sweep.useTransferPreapproval
    ? 0n
    : await outstandingUsd(economy, sweep, conversionRate)
  if (outstanding === undefined) return 'too-many-offers'
  const free = (await balance()) - outstanding
  return free > sweep.maxUsd ? usdToCoin(free - sweep.minUsd, conversionRate) : 0n
}

/**
 * Offers first: one that is accepted in between is seen in one of the two lists at least. Undefined
 * where the sender has so many that it would take long to add them up.
 */
async function outstandingUsd(
  { reader }: Pick<Economy, 'reader'>,
  { sender, receiver }: Sweep,
  conversionRate: bigint,
): Promise<bigint | undefined> {
  const page = { limit: MAX_OFFERS }
  const offers = await reader.active(transferOffer, { sender }, page)
  const accepted = await reader.active(acceptedTransferOffer, { sender }, page)
  if (offers.length === MAX_OFFERS || accepted.length === MAX_OFFERS) return undefined
  const isCounted = ({
    payload,
    synchronizerId,
  }: Contract<Pick<AcceptedTransferOffer, 'receiver'>>) =>
    payload.receiver === receiver && synchronizerId !== ''
  return [...offers, ...accepted]
    .filter(isCounted)
    .reduce((total, { payload }) => total + inUsd(payload.amount, conversionRate), 0n)
}

function inUsd({ amount, unit }: PaymentAmount, conversionRate: bigint): bigint {
  return unit === 'USDUnit' ? amount : coinToUsd(amount, conversionRate)
}
