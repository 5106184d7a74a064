// Handlers of operations on the caller's wallet: who has none is answered before the operation begins. domain/wire.md §0.5
import type { Economy } from '../economy.ts'
import type { Context } from '../reply.ts'
import { callerOf } from '../reply.ts'
import { answer, PlainError } from './errors.ts'
import { walletOf } from './wallets.ts'
import type { Wallet } from './wallets.ts'

/** Makes handlers of operations on the caller's wallet. */
export function walletScope(economy: Economy) {
  return <I, T, B>(run: (wallet: Wallet, input: I) => Promise<T | PlainError>, body: (value: T) => B) =>
    async (input: I, context: Context) => {
      const wallet = await walletOf(economy, callerOf(context))
      return answer(wallet instanceof PlainError ? wallet : await run(wallet, input), body)
    }
}
