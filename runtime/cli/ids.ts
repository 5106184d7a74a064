// `ids`: the id of the ledger's synchronizer, and another one for a copy that a database's own
// tools have made, so that what is signed for one is not valid in the other. docs/operations.md
import { NO_WRITES } from '../engine/index.ts'
import { copyFact } from '../economy/network/copies.ts'
import { synchronizerOf } from '../economy/network/ids.ts'
import { CommandError } from '../host/problem.ts'
import type { Store } from '../store/store.ts'
import type { Flags } from './flags.ts'
import { EXIT } from './outcome.ts'
import { withStore } from './storage.ts'

const COPY = `With --copy --yes this ledger gets other ids of synchronizer and participants. Do that for a copy whose original goes on, before a server opens it,
and never for the original: what was signed for this ledger, and not executed yet, is refused from then on.
`

/** Shows; with `copy` and `yes`, draws. Servers see it when they start. */
export async function ids({
  copy,
  yes,
  ...flags
}: Flags & { readonly copy?: true; readonly yes?: true }): Promise<void> {
  await withStore(flags, async (store) => {
    if (copy !== true) return tell(store)
    if (yes !== true) {
      process.stdout.write(COPY)
      throw new CommandError('nothing was changed', EXIT.usage)
    }
    await store.contracts.commit({
      reads: { contractIds: [], commandKeys: [], facts: [] },
      decide: () => ({ writes: { ...NO_WRITES, facts: [copyFact()] }, result: undefined }),
    })
    await tell(store)
  })
}

async function tell(store: Store): Promise<void> {
  const id = await synchronizerOf(store)
  process.stdout.write(
    id === undefined ? 'its ids are written down at the next start\n' : `synchronizer ${id}\n`,
  )
}
