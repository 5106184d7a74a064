// What only the network's own party does, for which there is no public operation: by the engine,
// while the service is stopped.
import { dirname } from 'node:path'
import { openSqlStore } from '../../../plugins/storage-sql/open.ts'
import { productVersion } from '../../../runtime/cli/version.ts'
import {
  ansEntry,
  coinRulesAdvanceOpenMiningRounds,
  coinRulesMiningRoundClose,
  dsoRulesAllocateUnclaimedActivityRecord,
  issuingMiningRound,
  unclaimedReward,
} from '../../../runtime/contracts/index.ts'
import { newName, simulatedClock, systemClock } from '../../../runtime/host/clock.ts'
import type { Tx } from '../../../runtime/engine/index.ts'
import { networkSubmission } from '../../../runtime/economy/network/commands.ts'
import type { Economy } from '../../../runtime/economy/economy.ts'
import { createServices } from '../../../runtime/interfaces/index.ts'
import { FAR_MICROS } from './making.ts'

const FAR = BigInt(FAR_MICROS)

export interface Governing {
  /** The SQLite file. */
  readonly file: string
  /** The ledger's time, microseconds. */
  readonly now: bigint
  /** A party that gets a name, and what nobody minted. */
  readonly party: string
}

/** Names, grants, and rounds that are between two of their phases. */
export async function govern({ file, now, party }: Governing): Promise<void> {
  const store = await openSqlStore({ dialect: 'sqlite', file })
  const services = await createServices({
    store,
    auth: [],
    clock: systemClock,
    ledgerClock: simulatedClock(now),
    profile: 'dev',
    seeded: true,
    newName,
    productVersion: productVersion(),
    settings: { ledger: {}, network: {}, validator: {}, wireNames: {} },
    notReady: async () => undefined,
    dataDir: dirname(file),
  })
  await grantName(services.economy, party)
  await allocateUnclaimed(services.economy, party)
  await leaveRoundsBetween(services.economy)
  await services.stop()
  await store.close()
}

async function grantName(economy: Economy, user: string): Promise<void> {
  const { dso } = economy.parties
  const entry = {
    user,
    dso,
    name: 'somebody.unverified.nns',
    url: 'https://names.example',
    description: 'a name',
    expiresAt: FAR,
  }
  await submit(economy, [dso, user], (tx) => tx.create(ansEntry, entry))
}

async function allocateUnclaimed(economy: Economy, beneficiary: string): Promise<void> {
  const {
    reader,
    network,
    parties: { dso },
  } = economy
  const [rules, rewards] = [await network.dsoRules(), await reader.all(unclaimedReward, { dso })]
  const allocation = {
    unclaimedRewardCids: rewards.slice(0, 1).map(({ id }) => id),
    beneficiary,
    amount: 123_456_789_012n,
    reason: 'a good deed',
    expiresAt: FAR,
  }
  await submit(economy, [dso], (tx) =>
    tx.exercise(dsoRulesAllocateUnclaimedActivityRecord, rules.id, allocation),
  )
}

/**
 * The oldest open round ends, and is not summed up yet; the oldest that issues is closed, and not
 * archived yet.
 */
async function leaveRoundsBetween(economy: Economy): Promise<void> {
  const {
    reader,
    network,
    clock,
    parties: { dso },
  } = economy
  const [oldest, middle, latest] = await network.openRounds()
  const [issuing] = await reader.active(issuingMiningRound, { dso }, { order: 'rank' })
  if (oldest === undefined || middle === undefined || latest === undefined || issuing === undefined)
    throw new Error('rounds are missing')
  const now = clock.nowMicros()
  const rules = await network.coinRules()
  const rounds = {
    roundToArchiveCid: oldest.id,
    middleRoundCid: middle.id,
    latestRoundCid: latest.id,
  }
  await submit(economy, [dso], (tx) => {
    tx.exercise(coinRulesMiningRoundClose, rules.id, { issuingRoundCid: issuing.id })
    tx.exercise(coinRulesAdvanceOpenMiningRounds, rules.id, {
      conversionRate: oldest.payload.conversionRate,
      ...rounds,
      now,
    })
  })
}

async function submit(
  economy: Economy,
  actAs: readonly string[],
  run: (tx: Tx) => unknown,
): Promise<void> {
  const done = await economy.engine.submit(networkSubmission({ actAs, run }))
  if (!done.ok) throw new Error(`refused: ${JSON.stringify(done)}`)
}
