// What a validator does for its wallets without being asked. Safe to run twice and on several servers at once: whoever is second
// finds contracts gone. domain/behaviour.md §4, §7, §8, §16
import type { CommittedUpdate } from '../../ledger/index.ts'
import type { Economy } from '../economy.ts'
import type { ServiceTask } from '../network/task.ts'
import { withTrace } from '../request-trace.ts'
import { Collection } from './collection.ts'
import { Completion } from './completion.ts'
import { mergeKeeper } from './merge-keeper.ts'
import { preapprovalKeeper } from './preapproval-keeper.ts'
import type { Treasury } from './treasury/index.ts'

export interface WalletTasks {
  readonly tasks: readonly ServiceTask[]
  /** Completes offers and requests as they are committed, under their trace, without waiting for a poll; answers how to stop. */
  watch(onError: (error: unknown) => void): () => void
}

/** The tasks of all hosted wallets. */
export function walletTasks(economy: Economy, treasury: Treasury): WalletTasks {
  const completion = new Completion(economy, treasury)
  const collection = new Collection(economy, treasury)
  const everyMs = economy.settings.validator.pollMs
  const created = ({ transaction }: CommittedUpdate) =>
    transaction.events.flatMap((event) => (event.kind === 'create' ? [event.contract] : []))
  return {
    tasks: [
      { name: 'wallet-completion', everyMs, run: (signal) => completion.payAll(signal) },
      { name: 'wallet-collection', everyMs, run: (signal) => collection.run(signal) },
      preapprovalKeeper(economy, treasury),
      mergeKeeper(economy),
    ],
    watch: (onError) => economy.engine.onCommitted((update) => {
      withTrace(update.transaction.traceContext, () => completion.payNew(created(update))).catch(onError)
    }),
  }
}
