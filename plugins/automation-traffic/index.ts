// The network's side of traffic: makes purchases count, a while after they were made, and keeps their contracts few.
// domain/behaviour.md §8
import { z } from 'zod'
import {
  coinRulesMergeMemberTrafficContracts, defineAutomation, memberTraffic, submitForNetwork, TRAFFIC_LIMIT, trafficGrant, trafficLimitFact,
} from '../../runtime/economy.ts'
import type { Contract, Economy, MemberTraffic } from '../../runtime/economy.ts'

const MERGE_PAGE = 100

/** Raises limits to what was bought long enough ago, then merges. */
export default defineAutomation({
  name: 'traffic',
  options: z.strictObject({
    /** How often it looks for purchases. */
    everyMs: z.int().min(10).optional(),
  }),
  setup: (_host, trigger) => ({
    trigger,
    run: async ({ economy, signal }) => {
      const byMember = Map.groupBy(await applied(economy), ({ payload }) => payload.memberId)
      for (const [member, purchases] of byMember) {
        if (signal.aborted) return
        await raiseLimit(economy, member, purchases)
        await merge(economy, purchases)
      }
    },
  }),
})

/** Purchases on this synchronizer that were made long enough ago. */
async function applied({ reader, clock, node, settings: { network } }: Economy): Promise<readonly Contract<MemberTraffic>[]> {
  const until = clock.nowMicros() - 1_000_000n * BigInt(network.traffic.applySeconds)
  return (await reader.all(memberTraffic)).filter(({ createdAt, payload }) =>
    createdAt <= until && payload.synchronizerId === node.synchronizerId && payload.migrationId === BigInt(network.migrationId))
}

/** Never lowers it: what a merge has just made counts as fresh again for a while. */
async function raiseLimit({ engine, store }: Economy, member: string, purchases: readonly Contract<MemberTraffic>[]): Promise<void> {
  const limit = purchases.reduce((sum, { payload }) => sum + payload.totalPurchased, 0n)
  const known = await store.contracts.fact(TRAFFIC_LIMIT, member)
  if (trafficGrant(known?.body).limit >= limit) return
  await engine.recordFacts([{ kind: TRAFFIC_LIMIT, key: member }], ({ facts }) => {
    const granted = trafficGrant(facts.get(TRAFFIC_LIMIT)?.get(member))
    return granted.limit < limit ? [trafficLimitFact(member, limit, granted)] : []
  })
}

async function merge(economy: Economy, purchases: readonly Contract<MemberTraffic>[]): Promise<void> {
  const { network, parties: { dso } } = economy
  const [rules, { payload: { config } }] = await Promise.all([network.coinRules(), network.dsoRules()])
  if (BigInt(purchases.length) <= config.numMemberTrafficContractsThreshold) return
  const trafficCids = purchases.slice(0, MERGE_PAGE).map(({ id }) => id)
  await submitForNetwork(economy, {
    actAs: [dso], run: (tx) => tx.exercise(coinRulesMergeMemberTrafficContracts, rules.id, { trafficCids }),
  })
}
