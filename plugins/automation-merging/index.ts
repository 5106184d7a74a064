// Merges the holdings of those who let the operator do it: accepts their delegations, and makes few
// holdings of many, as far as it takes. docs/economy-rules.md, "Merging"
import { z } from 'zod'
import {
  coin,
  defineAutomation,
  entityOf,
  forEachOf,
  mergeDelegation,
  mergeDelegationProposal,
  Turns,
} from '../../runtime/economy.ts'
import type {
  Contract,
  ContractRecord,
  EconomyRun,
  MergeDelegation,
} from '../../runtime/economy.ts'
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
     * A merge period: how soon after it gets another coin an owner's holdings are counted. An owner
     * is above the threshold for two of them at most.
     */
    everyMs: z.int().min(10).default(30_000),
    /** Unlocked holdings above which an owner's are merged. */
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
    const owners = new Set<string>()
    return {
      trigger: {
        pauseMs: everyMs,
        onCreated: [entityOf(mergeDelegationProposal.type.id)],
        wakes: [
          { templates: [entityOf(coin.type.id)], of: owners, isPatient: true },
          { templates: [entityOf(mergeDelegation.type.id)], isPatient: true },
        ],
      },
      runFor: (created, run) => settleAll(run, byOwner(created), limits.parallel),
      run: async (run) => {
        const jobs = [
          async () => {
            // One between synchronizers would keep all others of its transaction from being
            // rejected.
            const inPlace = (await proposals.contracts(run)).filter(
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
              await delegationsOf(run, delegations, owners),
            ),
        ]
        await forEachOf(jobs, 1, run.signal, (job) => job())
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
async function mergeAll(work: Work, all: readonly Contract<MergeDelegation>[]): Promise<void> {
  let owners = all
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
  if (owners.length > 0) work.again.soon()
}

/** One of each owner, who are noted. */
async function delegationsOf(
  run: EconomyRun,
  turns: Turns<MergeDelegation>,
  owners: Set<string>,
): Promise<readonly Contract<MergeDelegation>[]> {
  const { operator } = run.economy.parties
  const ours = (await turns.contracts(run)).filter(({ payload }) => payload.operator === operator)
  owners.clear()
  for (const { payload } of ours) owners.add(payload.owner)
  return [...new Map(ours.map((delegation) => [delegation.payload.owner, delegation])).values()]
}
