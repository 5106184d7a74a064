// Makes purchases of traffic count, a while after they were made, and keeps their contracts few. domain/behaviour.md §8
import type { MemberTraffic } from '../../../generated/contracts.gen.ts'
import { coinRulesMergeMemberTrafficContracts, memberTraffic } from '../../contracts/index.ts'
import type { Contract } from '../../ledger/index.ts'
import { TRAFFIC_LIMIT, trafficLimit, trafficLimitFact } from '../../ledger/index.ts'
import type { Economy } from '../economy.ts'
import { submitForNetwork } from './commands.ts'
import { micros } from './initial-config.ts'
import type { ServiceTask } from './task.ts'

const MERGE_PAGE = 100

/** Raises limits to what was bought long enough ago, then merges. */
export function trafficKeeper(economy: Economy): ServiceTask {
  return {
    name: 'traffic',
    everyMs: economy.settings.validator.pollMs,
    run: async (signal) => {
      const byMember = Map.groupBy(await applied(economy), ({ payload }) => payload.memberId)
      for (const [member, purchases] of byMember) {
        if (signal.aborted) return
        await raiseLimit(economy, member, purchases)
        await merge(economy, purchases)
      }
    },
  }
}

/** Purchases on this synchronizer that were made long enough ago. */
async function applied({ reader, clock, node, settings: { network } }: Economy): Promise<readonly Contract<MemberTraffic>[]> {
  const until = clock.nowMicros() - micros(1) * BigInt(network.traffic.applySeconds)
  return (await reader.all(memberTraffic)).filter(({ createdAt, payload }) =>
    createdAt <= until && payload.synchronizerId === node.synchronizerId && payload.migrationId === BigInt(network.migrationId))
}

/** Never lowers it: what a merge has just made counts as fresh again for a while. */
async function raiseLimit({ engine, store }: Economy, member: string, purchases: readonly Contract<MemberTraffic>[]): Promise<void> {
  const limit = purchases.reduce((sum, { payload }) => sum + payload.totalPurchased, 0n)
  const known = await store.contracts.fact(TRAFFIC_LIMIT, member)
  if (trafficLimit(known?.body) >= limit) return
  await engine.recordFacts([{ kind: TRAFFIC_LIMIT, key: member }], ({ facts }) =>
    trafficLimit(facts.get(TRAFFIC_LIMIT)?.get(member)) < limit ? [trafficLimitFact(member, limit)] : [])
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
