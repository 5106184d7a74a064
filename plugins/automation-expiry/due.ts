// What all endings share: lists by rank, page by page, and a bound on how much is ended at the same time. The refusal of one contract
// is reported after all others had their turn.
import { forEachOf, submitForNetwork } from '../../runtime/economy.ts'
import type { ActivePosition, Contract, Economy, NetworkCommand, Template } from '../../runtime/economy.ts'

const PAGE = 100

export interface Bound {
  readonly parallel: number
  readonly signal: AbortSignal
}

export interface Due<T> {
  readonly template: Template<T>
  readonly maxRank: bigint
  /** Undefined for one that is not over. */
  readonly command: (contract: Contract<T>) => NetworkCommand<unknown> | Promise<NetworkCommand<unknown>> | undefined
}

/** Ends those up to `maxRank`. What is in flight, or could not be ended now, is passed by until the next run. */
export async function endUpTo<T>(economy: Economy, { template, maxRank, command }: Due<T>, { parallel, signal }: Bound): Promise<void> {
  await forEachOf(upTo(economy, template, maxRank), parallel, signal, async (contract) => {
    const ended = contract.synchronizerId === '' ? undefined : await command(contract)
    if (ended !== undefined) await submitForNetwork(economy, ended)
  })
}

/** Of the network's party alone. */
export function byNetwork(economy: Economy, run: NetworkCommand<unknown>['run']): NetworkCommand<unknown> {
  return { actAs: [economy.parties.dso], run }
}

async function* upTo<T>({ reader }: Economy, template: Template<T>, maxRank: bigint): AsyncGenerator<Contract<T>> {
  let after: ActivePosition | undefined
  for (;;) {
    const page = await reader.active(template, { order: 'rank', maxRank, limit: PAGE, ...after === undefined ? {} : { after } })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { rank: last.record.rank, sequence: last.sequence }
  }
}
