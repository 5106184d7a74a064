// Why a wallet with enough coin cannot pay: the number of inputs of a transfer is limited, and its
// largest inputs are less than the amount. docs/economy-rules.md, "Input selection"
import { coin, configOf } from '../../contracts/index.ts'
import { subtract } from '../../engine/decimal.ts'
import type { Economy } from '../economy.ts'
import type { TreasuryRejected } from './outcome.ts'

/**
 * A failed payment; where the funds that are missing stand in holdings beyond the limit of a
 * transfer, with that limit.
 */
export async function withInputLimit(
  { network, reader }: Pick<Economy, 'network' | 'reader'>,
  party: string,
  rejected: TreasuryRejected,
): Promise<TreasuryRejected> {
  if (rejected.kind !== 'invalid-transfer' || rejected.reason.tag !== 'ITR_InsufficientFunds')
    return rejected
  const { missingAmount } = rejected.reason.value
  const rules = await network.coinRules()
  const limit = Number(configOf(rules.payload).transferConfig.maxNumInputs)
  const { amount, count } = await reader.total('unlocked', party)
  if (count <= limit) return rejected
  const largest = await reader.active(coin, { owner: party }, { order: 'rank-desc', limit })
  const reached = largest.reduce((sum, { payload }) => sum + payload.amount.initialAmount, 0n)
  const isReached = subtract(amount, reached) >= missingAmount
  return isReached ? { ...rejected, inputs: { limit, holdings: Number(count) } } : rejected
}
