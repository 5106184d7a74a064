// Holds the database against what this server has seen of it: at the start, with each look at the
// ledger's end and each commit, and on each new connection. One that went back, or was replaced by
// another one, is not served until an operator decides. docs/decisions/0025-one-history.md
import type { Logger } from '../../host/log.ts'
import { messageOf } from '../../host/problem.ts'
import type { Invariants, Link } from '../../engine/index.ts'
import { HistoryWatch, lossIn, NO_LINK } from '../../engine/index.ts'
import type { CommitWrites, ContractStore, History, Store } from '../../store/store.ts'
import { NO_WRITES } from '../../engine/index.ts'
import { readLinks, removeDrafts, writeLinks } from './history-file.ts'

const NOT_REMEMBERED = 'what was seen of the ledger cannot be remembered'
/** Facts of this kind say that an operator went on in spite of a loss; their key is when. */
const ACCEPTED = 'history-accepted'

interface LedgerHistoryOptions {
  readonly store: Store
  /** The file in which this server remembers; absent: nowhere. */
  readonly file: string | undefined
  readonly invariants: Invariants
  readonly log: Logger | undefined
}

export interface LedgerHistory {
  readonly watch: HistoryWatch
  /**
   * A look at the ledger's end, to be made once a second; what is seen is remembered. Rejects with
   * a CommitRejected, or as the store does.
   */
  look(): Promise<History>
  /** Remembers what was seen last. Never rejects. */
  stop(): Promise<void>
}

/**
 * Throws an Error with one line for people where the database is not the one that this server
 * remembers.
 */
export async function ledgerHistory(options: LedgerHistoryOptions): Promise<LedgerHistory> {
  const { store, invariants } = options
  const remembered = await rememberedLinks(options)
  const watch = new HistoryWatch(invariants, remembered)
  const read: ContractStore['history'] = (offset) => store.contracts.history(offset)
  await watch.check(read)
  // Once nothing is served any more, connections are there to say what is missing.
  store.guard?.(async (history) => {
    if (watch.problem === undefined) await watch.check(history)
  })
  const save = saving(options, watch)
  return {
    watch,
    look: () => watch.check(read).finally(() => void save()),
    stop: async () => {
      // A database that cannot be reached is its own health's matter, and a loss has been told.
      await watch.check(read).catch(() => undefined)
      await save()
    },
  }
}

async function rememberedLinks({
  store,
  file,
  log,
}: LedgerHistoryOptions): Promise<readonly Link[]> {
  if (file === undefined || !store.features.durable) return []
  await removeDrafts(file)
  const links = await readLinks(file)
  const loss = await lossIn(links, (offset) => store.contracts.history(offset))
  if (loss === undefined) return links
  if (!(await isAccepted(store, links.at(-1) ?? NO_LINK)))
    throw new Error(`${loss}; "ledgerwright history" says more, and how to go on`)
  log?.warn({ loss }, 'an operator has accepted that the database has another history')
  return []
}

/** Remembers what was seen last, one write after the other. Never rejects. */
function saving({ store, file, log }: LedgerHistoryOptions, watch: HistoryWatch) {
  let saved = NO_LINK
  let isTold = false
  const save = async (): Promise<void> => {
    const { last, links, problem } = watch
    if (file === undefined || !store.features.durable) return
    if (problem !== undefined || last === saved) return
    try {
      await writeLinks(file, links)
      saved = last
      isTold = false
    } catch (error) {
      if (!isTold) log?.warn({ reason: messageOf(error) }, NOT_REMEMBERED)
      isTold = true
    }
  }
  let saves = Promise.resolve()
  return (): Promise<void> => (saves = saves.then(save))
}

/** The loss of a database against a data folder's memory; undefined if there is none. */
export async function lossOf(store: Store, file: string): Promise<string | undefined> {
  return lossIn(await readLinks(file), (offset) => store.contracts.history(offset))
}

/** Servers that saw what is missing before now go on with the database as it is. */
export async function acceptHistory(store: Store, file: string, loss: string): Promise<void> {
  const { contracts } = store
  const { now, end, last } = await contracts.history(0n)
  const fact = { kind: ACCEPTED, key: timeText(now), body: JSON.stringify({ loss }) }
  const writes: CommitWrites = { ...NO_WRITES, facts: [fact] }
  await contracts.commit({
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: () => ({ writes, result: undefined }),
  })
  await writeLinks(file, last === undefined ? [] : [{ ...end, updateId: last }])
}

/** A decision covers what was seen before it. */
async function isAccepted(
  { contracts }: Store,
  { recordTime }: Pick<Link, 'recordTime'>,
): Promise<boolean> {
  return (await contracts.facts(ACCEPTED, timeText(recordTime), 1)).length > 0
}

function timeText(micros: bigint): string {
  return new Date(Number(micros / 1_000n)).toISOString()
}
