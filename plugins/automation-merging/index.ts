// Merges the holdings of those who let the operator do it: accepts their delegations, and makes few holdings of many, as far as it takes.
// domain/behaviour.md §11; interface.md §1 item 10, §8; rulings.md 13, 16
import { z } from 'zod'
import {
  committedUnlessPassing, defineAutomation, entityOf, forEachOf, isServedHere, mergeDelegation, mergeDelegationProposal,
  mergeDelegationProposalAccept, submitFor,
} from '../../runtime/economy.ts'
import type { Contract, ContractRecord, Economy, EconomyRun, MergeDelegation } from '../../runtime/economy.ts'
import { mergeInBatches } from './batches.ts'
import type { Work } from './batches.ts'
import { mergesOf } from './calls.ts'

/** Proposals are accepted as they come, holdings merged once a period. */
export default defineAutomation({
  name: 'merging',
  options: z.strictObject({
    /** A merge period: how often holdings are counted. An owner is above the threshold for two of them at most. */
    everyMs: z.int().min(10).default(30_000),
    /** Whoever has more unlocked holdings is merged. */
    thresholdHoldings: z.int().min(1).max(1_000_000).default(10),
    /** Of an owner's holdings that one transfer takes, the smallest first; never more than the network's rules allow. */
    maxInputs: z.int().min(2).max(1_000).default(100),
    /** Owners that one transaction merges. */
    batchSize: z.int().min(1).max(1_000).default(100),
    /** Owners whose holdings are read, and proposals that are accepted, at the same time. */
    parallel: z.int().min(1).max(1_000).default(16),
  }),
  setup: (_host, { everyMs, ...limits }) => ({
    trigger: { everyMs, onCreated: [entityOf(mergeDelegationProposal.type.id)] },
    runFor: (created, run) => acceptAll(run, created, limits.parallel),
    run: async (run) => {
      const { economy, signal } = run
      const jobs = [
        async () => {
          const waiting = await economy.reader.all(mergeDelegationProposal, [2, economy.parties.operator])
          await acceptAll(run, waiting.map(({ record }) => record), limits.parallel)
        },
        async () => mergeAll({ ...run, ...limits, isTrafficShort: false, lostRaces: new Map(), skipped: new Set() }),
      ]
      await forEachOf(jobs, 1, signal, (job) => job())
    },
  }),
})

/** Those of hosted parties, be their keys here or outside. */
function acceptAll({ economy, signal }: EconomyRun, proposals: readonly ContractRecord[], parallel: number): Promise<void> {
  const { parties: { operator } } = economy
  const ours = proposals.filter(({ key2 }) => key2 === operator)
  return forEachOf(ours, parallel, signal, async ({ contractId, key1: owner }) => {
    if (!await isServedHere(economy, owner)) return
    committedUnlessPassing(await submitFor(economy, operator, {
      run: (tx) => tx.exercise(mergeDelegationProposalAccept, contractId, {}),
    }))
  })
}

/** Round by round, each with those that the one before did not bring below the threshold. */
async function mergeAll(work: Work): Promise<void> {
  let owners = await delegations(work.economy)
  while (owners.length > 0 && !work.signal.aborted && !work.isTrafficShort) {
    const merges = await mergesOf(work, owners)
    await mergeInBatches(work, merges)
    const again = new Set(merges.map(({ owner }) => owner).filter((owner) => !work.skipped.has(owner)))
    owners = owners.filter(({ payload }) => again.has(payload.owner))
  }
}

/** One of each owner. */
async function delegations({ reader, parties: { operator } }: Economy): Promise<readonly Contract<MergeDelegation>[]> {
  const all = await reader.all(mergeDelegation, [2, operator])
  return [...new Map(all.map((delegation) => [delegation.payload.owner, delegation])).values()]
}
