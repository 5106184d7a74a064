// The beginning of a network: one transaction makes its rules, first rounds and operator. Safe to
// run at every start, and by several servers at once: the command's id is the same for all.
// docs/economy-rules.md, "Genesis"
import {
  ansRules,
  coinRules,
  coinRulesBootstrapRounds,
  coinRulesSetConfig,
  configOf,
  dsoRules,
  dsoRulesOnboardValidator,
  dsoRulesUpdateCoinPriceVote,
  externalPartyCoinRules,
  testTokenRules,
  validatorLicense,
  validatorRight,
  walletAppInstall,
} from '../../contracts/index.ts'
import type { CoinRules, DsoRules } from '../../../generated/contracts.gen.ts'
import type { Contract, Tx } from '../../engine/index.ts'
import { trafficLimitFact } from '../../engine/index.ts'
import type { FactRecord } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import type { UserKeeper } from '../wallets/user-keeper.ts'
import { submitForNetwork } from './commands.ts'
import { initialAnsConfig, initialCoinConfig, initialDsoConfig } from './initial-config.ts'
import { nodeFact } from './nodes.ts'
import { partiesFact } from './parties.ts'

const SV_REWARD_WEIGHT = 10_000n

/** The operator's user and party, then the network where there is none. */
export async function ensureNetwork(
  economy: Economy,
  users: UserKeeper,
  version: string,
): Promise<void> {
  const { parties, reader, settings } = economy
  await users.ensureOperator({
    name: settings.validator.validatorWalletUser,
    party: parties.operator,
  })
  const [existing] = await reader.active(coinRules, { dso: parties.dso }, { limit: 1 })
  if (existing !== undefined) return ensureSynchronizer(economy, existing)
  await writeDown(economy)
  const { dso, sv, operator } = parties
  const now = economy.clock.nowMicros()
  await submitForNetwork(economy, {
    actAs: [...new Set([dso, sv, operator])],
    commandId: 'genesis',
    run: (tx) => makeNetwork(tx, economy, { now, version }),
  })
}

/** The rules of a copy name the synchronizer of its origin until the copy is opened. */
async function ensureSynchronizer(economy: Economy, rules: Contract<CoinRules>): Promise<void> {
  const { synchronizerId } = economy.node
  const baseConfig = configOf(rules.payload)
  const { decentralizedSynchronizer } = baseConfig
  if (decentralizedSynchronizer.requiredSynchronizers.includes(synchronizerId)) return
  const newConfig = {
    ...baseConfig,
    decentralizedSynchronizer: {
      ...decentralizedSynchronizer,
      requiredSynchronizers: [synchronizerId],
      activeSynchronizer: synchronizerId,
    },
  }
  await submitForNetwork(economy, {
    actAs: [economy.parties.dso],
    commandId: `synchronizer/${synchronizerId}`,
    run: (tx) => tx.exercise(coinRulesSetConfig, rules.id, { newConfig, baseConfig }),
  })
}

/** The operator of a node that comes later: user, party and, where there is none, its licence. */
export async function ensureValidator(
  economy: Economy,
  users: UserKeeper,
  version: string,
): Promise<void> {
  const { parties, reader, settings, network, node } = economy
  const name = settings.validator.validatorWalletUser
  await users.ensureOperator({ name, party: parties.operator })
  const validator = { validator: parties.operator }
  const [licence] = await reader.active(validatorLicense, validator, { limit: 1 })
  if (licence !== undefined) return
  await recordMissing(economy, [trafficLimitFact(parties.member, 0n)])
  const rules = await network.dsoRules()
  const now = economy.clock.nowMicros()
  await submitForNetwork(economy, {
    actAs: [parties.dso, parties.sv, parties.operator],
    commandId: `node/${node.key}`,
    run: (tx) => {
      makeLicence(tx, economy, rules.id, { now, version })
      makeWallet(tx, economy)
    },
  })
}

interface Coming {
  readonly now: bigint
  readonly version: string
}

function makeLicence(
  tx: Tx,
  { parties: { sv, operator }, node }: Pick<Economy, 'node' | 'parties'>,
  dsoRulesCid: string,
  { now, version }: Coming,
): void {
  tx.exercise(dsoRulesOnboardValidator, dsoRulesCid, {
    sponsor: sv,
    validator: operator,
    version,
    contactPoint: node.participantId,
    now,
  })
}

/** The operator's own. */
function makeWallet(
  tx: Tx,
  { parties: { dso, operator }, settings }: Pick<Economy, 'parties' | 'settings'>,
): void {
  tx.create(walletAppInstall, {
    dsoParty: dso,
    validatorParty: operator,
    endUserName: settings.validator.validatorWalletUser,
    endUserParty: operator,
  })
  tx.create(validatorRight, { dso, user: operator, validator: operator })
}

function makeNetwork(
  tx: Tx,
  economy: Pick<Economy, 'node' | 'parties' | 'settings'>,
  { now, version }: Coming,
): void {
  const {
    parties: { dso, sv },
    settings: { network },
  } = economy
  makeRules(tx, economy, now)
  const dsoRulesCid = tx.create(dsoRules, dsoRulesOf(economy))
  tx.exercise(dsoRulesUpdateCoinPriceVote, dsoRulesCid, {
    sv,
    coinPrice: network.conversionRate,
    optCoinPriceVoteCid: null,
    now,
  })
  makeLicence(tx, economy, dsoRulesCid, { now, version })
  if (network.isDevNet) tx.create(testTokenRules, { admin: dso })
  makeWallet(tx, economy)
}

function makeRules(
  tx: Tx,
  { parties, node, settings: { network } }: Pick<Economy, 'node' | 'parties' | 'settings'>,
  now: bigint,
): void {
  const { dso } = parties
  const initialValue = initialCoinConfig(network, parties, node.synchronizerId)
  const coinRulesCid = tx.create(coinRules, {
    dso,
    configSchedule: { initialValue, futureValues: [] },
    isDevNet: network.isDevNet,
  })
  tx.create(externalPartyCoinRules, { dso })
  tx.create(ansRules, { dso, config: initialAnsConfig(network) })
  tx.exercise(coinRulesBootstrapRounds, coinRulesCid, {
    conversionRate: network.conversionRate,
    round0Duration: initialValue.tickDuration,
    initialRound: BigInt(network.initialRound),
    now,
  })
}

function dsoRulesOf({
  parties: { dso, sv },
  node,
  settings: { network },
}: Pick<Economy, 'node' | 'parties' | 'settings'>): DsoRules {
  const { svName, initialRound, isDevNet } = network
  const info = {
    name: svName,
    joinedAsOfRound: BigInt(initialRound),
    svRewardWeight: SV_REWARD_WEIGHT,
    participantId: node.participantUid,
  }
  return {
    dso,
    epoch: 0n,
    svs: [[sv, info]],
    offboardedSvs: [],
    dsoDelegate: sv,
    config: initialDsoConfig(network),
    initialTrafficState: [],
    isDevNet,
  }
}

/**
 * Who is who, for good; and the member is known from the start, with no extra traffic. The first
 * server's word holds.
 */
async function writeDown(economy: Pick<Economy, 'engine' | 'parties' | 'settings'>): Promise<void> {
  const { parties, settings } = economy
  await recordMissing(economy, [
    trafficLimitFact(parties.member, 0n),
    partiesFact(parties, settings.validator.validatorWalletUser),
  ])
}

/** Records the node on the ledger: its identity and its operator. */
export async function writeDownNode(economy: Economy, name: string): Promise<void> {
  const { node, parties, settings } = economy
  const { key, participantUid } = node
  const { operator } = parties
  const operatorUser = settings.validator.validatorWalletUser
  await recordMissing(economy, [nodeFact({ key, name, participantUid, operator, operatorUser })])
}

async function recordMissing(
  { engine }: Pick<Economy, 'engine'>,
  first: readonly FactRecord[],
): Promise<void> {
  await engine.recordFacts(first, ({ facts }) =>
    first.filter(({ kind, key }) => facts.get(kind)?.has(key) !== true),
  )
}
