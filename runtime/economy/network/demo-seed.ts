// Something to try things out with: on a new development network alice and bob have wallets and
// coin, the operator is a featured provider with coin and traffic. One transaction beside the
// onboarding, at the first start only.
import {
  coinRulesBuyMemberTraffic,
  coinRulesDevNetFeatureApp,
  coinRulesDevNetTap,
} from '../../contracts/index.ts'
import { decimalOf, trafficLimitFact } from '../../engine/index.ts'
import type { Tx } from '../../engine/index.ts'
import type { Economy } from '../economy.ts'
import type { Onboarding } from '../wallets/onboarding.ts'
import { submitForNetwork } from './commands.ts'
import { SEEDED_USERS } from './seeded-users.ts'

const USER_COIN = decimalOf(20_000n)
const OPERATOR_COIN = decimalOf(20_000_000n)
const TRAFFIC_BYTES = 1_000_000_000n
const KIND = 'development-seed'

/**
 * Does nothing where it was done before, or where nobody may tap coin. A node that comes later has
 * its operator alone.
 */
export async function seedDevelopmentNetwork(
  economy: Economy,
  onboarding: Onboarding,
): Promise<void> {
  if (
    !economy.settings.network.isDevNet ||
    (await economy.store.contracts.fact(KIND, economy.node.key)) !== undefined
  )
    return
  const onboarded = await Promise.all(
    (economy.node.key === '' ? SEEDED_USERS : []).map((name) =>
      onboarding.onboardUser({ name, identityProviderId: '' }),
    ),
  )
  const users = onboarded.flatMap((outcome) => (outcome.ok ? [outcome.partyId] : []))
  await endow(economy, users)
  // Its traffic counts at once: whoever tries things out should not meet the base rate in the first
  // seconds.
  const fact = { kind: KIND, key: economy.node.key, body: '{}' }
  const facts = [fact, trafficLimitFact(economy.parties.member, TRAFFIC_BYTES)]
  await economy.engine.recordFacts(facts, () => facts)
}

async function endow(economy: Economy, users: readonly string[]): Promise<void> {
  const {
    network,
    parties: { dso, operator },
  } = economy
  const [rules, round] = await Promise.all([network.coinRules(), network.earliestRound()])
  if (round === undefined) throw new Error('the network has no open round')
  await submitForNetwork(economy, {
    actAs: [...new Set([dso, operator, ...users])],
    commandId: 'development-seed',
    run: (tx) => {
      for (const receiver of users) tap(tx, rules.id, round.id, receiver, USER_COIN)
      const coinCid = tap(tx, rules.id, round.id, operator, OPERATOR_COIN)
      buyTraffic(tx, economy, { coinRulesCid: rules.id, openRoundCid: round.id, coinCid })
      tx.exercise(coinRulesDevNetFeatureApp, rules.id, { provider: operator })
    },
  })
}

function tap(
  tx: Tx,
  coinRulesCid: string,
  openRoundCid: string,
  receiver: string,
  amount: bigint,
): string {
  return tx.exercise(coinRulesDevNetTap, coinRulesCid, { receiver, amount, openRoundCid }).coinSum
    .coin
}

interface Purchase {
  readonly coinRulesCid: string
  readonly openRoundCid: string
  readonly coinCid: string
}

function buyTraffic(
  tx: Tx,
  { parties, node, settings: { network } }: Pick<Economy, 'node' | 'parties' | 'settings'>,
  { coinRulesCid, openRoundCid, coinCid }: Purchase,
): void {
  tx.exercise(coinRulesBuyMemberTraffic, coinRulesCid, {
    inputs: [{ tag: 'InputCoin', value: coinCid }],
    context: {
      openMiningRound: openRoundCid,
      issuingMiningRounds: [],
      validatorRights: [],
      featuredAppRight: null,
    },
    provider: parties.operator,
    memberId: parties.member,
    synchronizerId: node.synchronizerId,
    migrationId: BigInt(network.migrationId),
    trafficAmount: TRAFFIC_BYTES,
    expectedDso: parties.dso,
  })
}
