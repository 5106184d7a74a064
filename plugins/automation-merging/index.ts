// Merges the holdings of those who let the operator do it: accepts their delegations, and makes few
// holdings of many, as far as it takes. domain/behaviour.md §11; interface.md §1 item 10, §8;
// rulings.md 13, 16
import { z } from 'zod'
import {
  defineAutomation,
  entityOf,
  forEachOf,
  mergeDelegation,
  mergeDelegationProposal,
  Turns,
} from '../../runtime/economy.ts'
import type { Contract, ContractRecord, Economy, MergeDelegation } from '../../runtime/economy.ts'
import { mergeInBatches } from './batches.ts'
import type { Work } from './batches.ts'
import { mergesOf } from './calls.ts'
import { settleAll } from './proposals.ts'

/**
 * Every owner of a node is counted once a period: of one that has many delegations, a few are
 * looked at each time.
 */
const ALL_OWNERS = { parties: 100_000, each: 10, contracts: 200_000 }

/**
 * How often an owner's holdings are merged in one run, so that nobody with very many keeps the
 * others waiting.
 */
const MAX_ROUNDS = 50

/** Proposals are accepted as they come, holdings merged once a period. */
export default defineAutomation({
  name: 'merging',
  summary: 'Merges small coins of parties that have delegated merging.',
  topic: 'wallets',
  options: z.strictObject({
    /**
     * A merge period: how often holdings are counted. An owner is above the threshold for two of
     * them at most.
     */
    everyMs: z.int().min(10).default(30_000),
    /** Whoever has more unlocked holdings is merged. */
    thresholdHoldings: z.int().min(1).max(1_000_000).default(10),
    /**
     * Of an owner's holdings that one transfer takes, the smallest first; never more than the
     * network's rules allow.
     */
    maxInputs: z.int().min(2).max(1_000).default(100),
    /** Owners that one transaction merges. */
    batchSize: z.int().min(1).max(1_000).default(100),
    /** Owners whose holdings are read, and proposals that are accepted, at the same time. */
    parallel: z.int().min(1).max(1_000).default(16),
  }),
  setup: (_host, { everyMs, ...limits }) => {
    const proposals = new Turns(mergeDelegationProposal.by('owner'))
    const delegations = new Turns(mergeDelegation.by('owner'), ALL_OWNERS)
    return {
      trigger: { everyMs, onCreated: [entityOf(mergeDelegationProposal.type.id)] },
      runFor: (created, run) => settleAll(run, byOwner(created), limits.parallel),
      run: async (run) => {
        const {
          economy: { reader },
          signal,
        } = run
        const jobs = [
          async () => {
            // One between synchronizers would keep all others of its transaction from being
            // rejected.
            const inPlace = (await proposals.contracts(reader)).filter(
              ({ synchronizerId }) => synchronizerId !== '',
            )
            await settleAll(run, byOwner(inPlace.map(({ record }) => record)), limits.parallel)
          },
          async () =>
            mergeAll(
              {
                ...run,
                ...limits,
                isTrafficShort: false,
                lostRaces: new Map(),
                skipped: new Set(),
              },
              delegations,
            ),
        ]
        await forEachOf(jobs, 1, signal, (job) => job())
      },
    }
  },
})

function byOwner(
  proposals: readonly ContractRecord[],
): ReadonlyMap<string, readonly ContractRecord[]> {
  return Map.groupBy(proposals, (proposal) => mergeDelegationProposal.keysOf(proposal).owner)
}

/** Round by round, each with those that the one before did not bring below the threshold. */
async function mergeAll(work: Work, turns: Turns<MergeDelegation>): Promise<void> {
  let owners = await delegationsOf(work.economy, turns)
  for (
    let round = 0;
    round < MAX_ROUNDS && owners.length > 0 && !work.signal.aborted && !work.isTrafficShort;
    round += 1
  ) {
    const merges = await mergesOf(work, owners)
    await mergeInBatches(work, merges)
    const again = new Set(
      merges.map(({ owner }) => owner).filter((owner) => !work.skipped.has(owner)),
    )
    owners = owners.filter(({ payload }) => again.has(payload.owner))
  }
}

/** One of each owner. */
async function delegationsOf(
  { reader, parties: { operator } }: Pick<Economy, 'parties' | 'reader'>,
  turns: Turns<MergeDelegation>,
): Promise<readonly Contract<MergeDelegation>[]> {
  const ours = (await turns.contracts(reader)).filter(
    ({ payload }) => payload.operator === operator,
  )
  return [...new Map(ours.map((delegation) => [delegation.payload.owner, delegation])).values()]
}
