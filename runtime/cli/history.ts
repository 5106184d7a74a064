// `history`: whether the database is the one that the data folder remembers, and the operator's
// decision to go on with one that is not. docs/replicated-database.md
import { join } from 'node:path'
import type { Store } from '../store/store.ts'
import type { Flags } from './flags.ts'
import { HISTORY_FILE } from '../economy/network/history-file.ts'
import { acceptHistory, lossOf } from '../economy/network/ledger-history.ts'
import { CommandError } from '../host/problem.ts'
import { withStore } from './storage.ts'

const CHOICES = `Look for a database that has them (another replica, a backup, an archive of its log) and point the servers at that one.
Where there is none, "ledgerwright history --accept --yes" lets servers start on the database as it is. What is missing is
then gone for good: payments that were acknowledged, and what followed from them. The decision is kept in the database.
`

/** Compares; with `accept` and `yes`, records that the database as it is counts from now on. */
export async function history({
  accept,
  yes,
  ...flags
}: Flags & { readonly accept?: true; readonly yes?: true }): Promise<void> {
  await withStore(flags, async (store, dataDir) => {
    if (!store.features.durable)
      throw new CommandError('this storage loses its data when the server stops: it has no history')
    const file = join(dataDir, HISTORY_FILE)
    const loss = await lossOf(store, file)
    if (loss === undefined) return tellEnd(store)
    if (accept !== true || yes !== true) {
      process.stdout.write(CHOICES)
      throw new CommandError(loss)
    }
    await acceptHistory(store, file, loss)
    process.stdout.write(`accepted: ${loss}\nstart every server again\n`)
  })
}

async function tellEnd({ contracts }: Store): Promise<void> {
  const { offset } = await contracts.ledgerEnd()
  process.stdout.write(`nothing is missing: the ledger ends at offset ${offset}\n`)
}
