// `prune`: makes the updates up to an offset unreadable for good, and what ended with them.
import type { Store } from '../store/store.ts'
import type { Flags } from './flags.ts'
import { CommandError } from '../host/problem.ts'
import { EXIT } from './outcome.ts'
import { withStore } from './storage.ts'

/**
 * Prunes the store of the configuration, also while servers run on it. Fails when the offset is
 * after the ledger end.
 */
export async function prune(flags: Flags & { readonly upTo: string }): Promise<void> {
  if (!/^\d{1,19}$/.test(flags.upTo))
    throw new CommandError(`--up-to must be an offset, not "${flags.upTo}"`, EXIT.usage)
  await withStore(flags, (store) => pruneStore(store, BigInt(flags.upTo)))
}

async function pruneStore({ updates, features }: Store, upTo: bigint): Promise<void> {
  if (!features.durable)
    throw new CommandError(
      'this storage loses its data when the server stops: there is nothing to prune',
    )
  const outcome = await updates.prune(upTo)
  if (outcome === 'after-end') {
    throw new CommandError(`offset ${upTo} is after the ledger end ${await updates.ledgerEnd()}`)
  }
  const { participant } = await updates.prunedUpTo()
  process.stdout.write(
    `${outcome === 'pruned' ? 'pruned' : 'nothing to do: already pruned'} up to ${participant}\n`,
  )
}
