// Handlers of operations on the caller's wallet: who has none is answered before the operation
// begins. domain/wire.md §0.5
import type { Economy } from '../../../economy/economy.ts'
import type { Context } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { answer, PlainError } from '../../../economy/errors.ts'
import { walletOf } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

/** Makes handlers of operations on the caller's wallet. */
export function walletScope(economy: Pick<Economy, 'network'>) {
  return <I, T, B>(
      run: (wallet: Wallet, input: I, context: Context) => Promise<T | PlainError>,
      body: (value: T) => B,
    ) =>
    async (input: I, context: Context) => {
      const wallet = await walletOf(economy, callerOf(context))
      return answer(wallet instanceof PlainError ? wallet : await run(wallet, input, context), body)
    }
}
