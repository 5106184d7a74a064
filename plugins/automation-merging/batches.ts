// Merges many owners in one transaction. All or nothing: a batch that is refused is halved until
// whoever spoils it is alone and passed over. docs/economy-rules.md, "Merging"
import {
  batchMergeUtility,
  batchMergeUtilityMergeHoldings,
  isLostRace,
  isPassing,
  submitForNetwork,
} from '../../runtime/economy.ts'
import type { Economy, EconomyRun, Rejection } from '../../runtime/economy.ts'
import type { Limits, Merge } from './calls.ts'

/** Most holdings that one transaction consumes, beside the number of owners. */
const MAX_INPUTS = 2_000

/** How often an owner's holdings are chosen anew in a run after somebody else was faster. */
const MAX_LOST_RACES = 5

/** One run. */
export interface Work extends EconomyRun, Limits {
  /** Owners that one transaction merges. */
  readonly batchSize: number
  /** Whether traffic is short, so that the rest waits for the next run. */
  isTrafficShort: boolean
  readonly lostRaces: Map<string, number>
  /** Owners who are passed over until the next run. */
  readonly skipped: Set<string>
}

/** Merges these owners, or notes in `work` who is passed over. */
export async function mergeInBatches(work: Work, merges: readonly Merge[]): Promise<void> {
  if (merges.length === 0) return
  const utility = await utilityOf(work.economy)
  if (utility === undefined) {
    work.again.soon()
    for (const { owner } of merges) work.skipped.add(owner)
  } else for (const batch of batches(merges, work.batchSize)) await merge(work, utility, batch)
}

/**
 * One for good, whichever server makes it; undefined while another one does, or traffic is short.
 */
async function utilityOf(
  economy: Pick<Economy, 'engine' | 'parties' | 'reader'>,
): Promise<string | undefined> {
  const {
    reader,
    parties: { operator },
  } = economy
  const [utility] = await reader.active(batchMergeUtility, { operator }, { limit: 1 })
  if (utility !== undefined) return utility.id
  const made = await submitForNetwork(economy, {
    actAs: [operator],
    commandId: 'batch-merge-utility',
    paid: true,
    run: (tx) => tx.create(batchMergeUtility, { operator }),
  })
  return made?.result
}

function batches(merges: readonly Merge[], batchSize: number): readonly (readonly Merge[])[] {
  const all: Merge[][] = []
  let inputs = 0
  for (const one of merges) {
    const last = all.at(-1)
    const fits =
      last !== undefined && last.length < batchSize && inputs + one.inputs.length <= MAX_INPUTS
    if (fits) last.push(one)
    else all.push([one])
    inputs = (fits ? inputs : 0) + one.inputs.length
  }
  return all
}

/** Merges a batch; if traffic is short, what the first half leaves waits. */
async function merge(work: Work, utility: string, batch: readonly Merge[]): Promise<void> {
  const [first, ...others] = batch
  if (first === undefined || work.signal.aborted || work.isTrafficShort) return
  const rejection = await submitBatch(work.economy, utility, batch)
  if (rejection === undefined) return
  if (others.length === 0) return passOver(work, first.owner, rejection)
  const middle = Math.ceil(batch.length / 2)
  await merge(work, utility, batch.slice(0, middle))
  if (rejection.kind === 'no-traffic') work.isTrafficShort = true
  await merge(work, utility, batch.slice(middle))
}

function passOver(work: Work, owner: string, rejection: Rejection): void {
  const { again, log, lostRaces, skipped } = work
  const races = (lostRaces.get(owner) ?? 0) + 1
  lostRaces.set(owner, races)
  if (isLostRace(rejection) && races <= MAX_LOST_RACES) return
  if (rejection.kind === 'no-traffic') work.isTrafficShort = true
  skipped.add(owner)
  if (isPassing(rejection)) again.soon()
  else log.warn({ owner, rejection: rejection.kind }, 'the holdings of an owner cannot be merged')
}

async function submitBatch(
  economy: Pick<Economy, 'engine' | 'network' | 'parties'>,
  utility: string,
  batch: readonly Merge[],
): Promise<Rejection | undefined> {
  const {
    engine,
    network,
    parties: { operator },
  } = economy
  const done = await engine.submit({
    actAs: [operator],
    readAs: batch.map(({ owner }) => owner),
    userId: '',
    lowPriority: true,
    disclosedContracts: [...(await network.disclosures())],
    contractIds: batch.flatMap(({ inputs }) => inputs),
    run: (tx) =>
      void tx.exercise(batchMergeUtilityMergeHoldings, utility, {
        mergeCalls: batch.map(({ call }) => call),
      }),
  })
  return done.ok ? undefined : done
}
