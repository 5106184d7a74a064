// The real thing: engine, contracts and wallet services over a store, with the clock and the
// parties of the property tests. What is wrapped is said by a seam: troubles of the store, and
// planted faults.
import type { Clock, HostClock } from '../../../runtime/host/plugin.ts'
import { PrincipalDirectory } from '../../../runtime/access/principal.ts'
import type { Economy } from '../../../runtime/economy/economy.ts'
import { createEconomy } from '../../../runtime/economy/network/create-economy.ts'
import { ensureNetwork } from '../../../runtime/economy/network/genesis.ts'
import { settleIds } from '../../../runtime/economy/network/ids.ts'
import type { Context } from '../../../runtime/interfaces/reply.ts'
import { readServiceSettings } from '../../../runtime/interfaces/settings.ts'
import { walletHandlers } from '../../../runtime/interfaces/validator/wallet/handlers.ts'
import { createOnboarding } from '../../../runtime/economy/wallets/onboarding.ts'
import type { Onboarding } from '../../../runtime/economy/wallets/onboarding.ts'
import { preapprovalHandlers } from '../../../runtime/interfaces/validator/wallet/preapproval-handlers.ts'
import { walletProjectors } from '../../../runtime/economy/wallets/projectors.ts'
import { Treasury } from '../../../runtime/economy/treasury/index.ts'
import { createUserKeeper } from '../../../runtime/economy/wallets/user-keeper.ts'
import type { ContractStore, Store } from '../../../runtime/store/store.ts'
import { contextOf, feature } from '../../drive/people.ts'
import type { OpenStore } from '../../support/open-store.ts'
import { textOf } from '../model/arithmetic.ts'
import type { Config } from '../model/state.ts'
import { Parties } from './seen.ts'

/**
 * Where tests may put something between the parts; each answers what it is given where nothing is
 * wrong.
 */
export interface Seam {
  store(inner: ContractStore): ContractStore
  economy(inner: Economy): Economy
  /** Clock of the engine and the services, not of those who judge. */
  clock(inner: Clock): Clock
}

export interface Network {
  readonly config: Config
  readonly parties: Parties
  /** The true one, for those who judge. */
  readonly raw: Economy
  /** The one that commands see. */
  readonly economy: Economy
  readonly treasury: Treasury
  readonly wallets: ReturnType<typeof walletHandlers> & ReturnType<typeof preapprovalHandlers>
  readonly onboarding: Onboarding
  readonly clock: HostClock & { now: bigint }
  /** Context of a user, as a guard hands it on. */
  as(name: string): Promise<Context>
  close(): Promise<void>
}

interface NetworkOptions {
  readonly store: OpenStore
  readonly config: Config
  /** The clock at the start. */
  readonly start: bigint
}

const SECOND = 1_000_000n

/** A network with all parties of the configuration onboarded, before its first coin. */
export async function openNetwork(
  { store, config, start }: NetworkOptions,
  seam: Seam,
): Promise<Network> {
  const opened = await store()
  const clock = {
    now: start,
    nowMicros: () => clock.now,
    monotonicMs: () => Number(clock.now / 1_000n),
  }
  const truth = await economyOver(opened.store, config, clock)
  const contracts = seam.store(opened.store.contracts)
  const economy = seam.economy(
    await economyOver({ ...opened.store, contracts }, config, seam.clock(clock)),
  )
  const directory = new PrincipalDirectory(opened.store, clock)
  const keeper = createUserKeeper(opened.store, directory)
  await ensureNetwork(economy, keeper, '1.0.0')
  const onboarding = createOnboarding(economy, keeper)
  const parties = await onboardAll(economy, onboarding, config)
  for (const provider of config.featured) await feature(economy, parties.idOf(provider))
  const treasury = new Treasury(economy)
  return {
    config,
    parties,
    raw: truth,
    economy,
    treasury,
    onboarding,
    clock,
    wallets: {
      ...walletHandlers(economy, treasury, onboarding),
      ...preapprovalHandlers(economy, treasury),
    },
    as: (party) => contextOf(directory, party, clock),
    close: async () => {
      await treasury.settled()
      await economy.engine.drain()
      await opened.close()
    },
  }
}

async function economyOver(store: Store, config: Config, clock: Clock): Promise<Economy> {
  const read = readServiceSettings({
    ledger: {},
    network: networkSection(config),
    validator: {},
    wireNames: {},
  })
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  let names = 0
  return createEconomy({
    store,
    clock,
    ids: await settleIds({ store, settings: read.settings, profile: 'dev' }),
    settings: read.settings,
    profile: 'dev',
    newName: () => `n${names++}`,
    projectors: walletProjectors,
  })
}

/** Traffic is cheap here: what it costs has tests of its own. */
function networkSection(config: Config): object {
  return {
    tickSeconds: Number(config.tick / SECOND),
    conversionRate: textOf(config.price),
    holdingFeeUsd: textOf(config.holdingFeeUsd),
    extraFeaturedAppRewardAmount: textOf(config.extraFeaturedUsd),
    transferPreapprovalFeeUsdPerDay: textOf(config.preapprovalUsdPerDay),
    transferPreapprovalBaseSeconds: Number(config.preapprovalBase / SECOND),
    tokenStandardMaxTtlSeconds: Number(config.maxTtl / SECOND),
    legacyTransferRewardRate: textOf(config.legacyRewardRate),
    developmentFundPercentage: textOf(config.fundShare),
    traffic: {
      extraTrafficPriceUsdPerMb: textOf(config.trafficUsdPerMegabyte),
      minTopupBytes: Number(config.minTopupBytes),
      baseBurstBytes: 1_000_000_000_000,
      baseWindowSeconds: 1,
    },
  }
}

async function onboardAll(
  economy: Economy,
  onboarding: Onboarding,
  { parties, network }: Config,
): Promise<Parties> {
  const ids = new Map([[network, economy.parties.dso]])
  for (const name of parties) {
    const done = await onboarding.onboardUser({ name, identityProviderId: '' })
    if (!done.ok) throw new Error(done.message)
    ids.set(name, done.partyId)
  }
  return new Parties(ids)
}
