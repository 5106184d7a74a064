// The network's side of traffic: makes purchases count, a while after they were made, and keeps
// their contracts few. docs/economy-rules.md, "Traffic"
import { z } from 'zod'
import {
  coinRulesMergeMemberTrafficContracts,
  defineAutomation,
  entityOf,
  memberTraffic,
  submitForNetwork,
  TRAFFIC_LIMIT,
  trafficGrant,
  trafficLimitFact,
} from '../../runtime/economy.ts'
import type { Economy } from '../../runtime/economy.ts'
import { Purchases } from './purchases.ts'
import type { Counted } from './purchases.ts'

const MERGE_PAGE = 100

/**
 * Members besides this node's own that one look serves: anybody may buy for any number of made-up
 * ones.
 */
const MAX_MEMBERS = 100

/** Raises limits to what was bought long enough ago, then merges. */
export default defineAutomation({
  name: 'traffic',
  summary: 'Credits purchased traffic to members of the network.',
  topic: 'network',
  scope: 'ledger',
  options: z.strictObject({
    /** The pause before it goes on with what one look leaves. */
    everyMs: z.int().min(10).optional(),
  }),
  setup: (_host, { everyMs }) => {
    const purchases = new Purchases()
    let after = ''
    return {
      trigger: { pauseMs: everyMs, wakes: [{ templates: [entityOf(memberTraffic.type.id)] }] },
      run: async (run) => {
        const { economy, signal, again } = run
        const {
          reader,
          parties: { member: own },
        } = economy
        const others = await reader.keys(memberTraffic.by('memberId'), after, MAX_MEMBERS)
        after = others.length < MAX_MEMBERS ? '' : (others.at(-1) ?? '')
        if (after !== '') again.soon()
        for (const member of new Set([own, ...others])) {
          if (signal.aborted) return
          const counted = await purchases.count(run, member)
          if (counted === undefined) continue
          await raiseLimit(economy, member, counted.bytes)
          if (!(await merge(economy, counted))) again.soon()
        }
      },
    }
  },
})

/** Never lowers it: what a merge has just made counts as fresh again for a while. */
async function raiseLimit(
  { engine, store }: Pick<Economy, 'engine' | 'store'>,
  member: string,
  bought: bigint,
): Promise<void> {
  const known = await store.contracts.fact(TRAFFIC_LIMIT, member)
  const { limit: before, brought } = trafficGrant(known?.body)
  const limit = brought + bought
  if (before >= limit) return
  await engine.recordFacts([{ kind: TRAFFIC_LIMIT, key: member }], ({ facts }) => {
    const granted = trafficGrant(facts.get(TRAFFIC_LIMIT)?.get(member))
    return granted.limit < limit ? [trafficLimitFact(member, limit, granted)] : []
  })
}

/** Answers whether nothing is left to merge for now. */
async function merge(
  economy: Pick<Economy, 'engine' | 'network' | 'parties'>,
  { number, oldest }: Counted,
): Promise<boolean> {
  const {
    network,
    parties: { dso },
  } = economy
  const [
    rules,
    {
      payload: { config },
    },
  ] = await Promise.all([network.coinRules(), network.dsoRules()])
  if (BigInt(number) <= config.numMemberTrafficContractsThreshold) return true
  const trafficCids = oldest.slice(0, MERGE_PAGE).map(({ id }) => id)
  const done = await submitForNetwork(economy, {
    actAs: [dso],
    run: (tx) => tx.exercise(coinRulesMergeMemberTrafficContracts, rules.id, { trafficCids }),
  })
  return done !== undefined
}
