// A network with hosted parties on an empty store, in this process: what the service makes at its
// first start, with a clock to move.
import assert from 'node:assert/strict'
import type { TestAutomations } from '../support/automations.ts'
import { contextOf } from '../drive/people.ts'
import { newStore } from '../support/test-store.ts'
import type { HostClock } from '../../runtime/host/plugin.ts'
import { formatDecimal } from '../../runtime/engine/index.ts'
import { PrincipalDirectory } from '../../runtime/access/principal.ts'
import type { Economy } from '../../runtime/economy/economy.ts'
import { createEconomy } from '../../runtime/economy/network/create-economy.ts'
import { ensureNetwork } from '../../runtime/economy/network/genesis.ts'
import { settleIds } from '../../runtime/economy/network/ids.ts'
import type { Handlers } from '../../generated/validator/handlers.gen.ts'
import type { Context } from '../../runtime/interfaces/reply.ts'
import { readServiceSettings } from '../../runtime/interfaces/settings.ts'
import { walletHandlers } from '../../runtime/interfaces/validator/wallet/handlers.ts'
import { createOnboarding } from '../../runtime/economy/wallets/onboarding.ts'
import { walletProjectors } from '../../runtime/economy/wallets/projectors.ts'
import { Treasury } from '../../runtime/economy/treasury/index.ts'
import { createUserKeeper } from '../../runtime/economy/wallets/user-keeper.ts'
import type { Store } from '../../runtime/store/store.ts'

export const START_MICROS = 1_800_000_000_000_000n

export interface World {
  readonly store: Store
  readonly economy: Economy
  readonly treasury: Treasury
  readonly handlers: Pick<Handlers<Context>, keyof ReturnType<typeof walletHandlers>>
  readonly clock: HostClock & { now: bigint }
  /** The caller's context, as the guard passes it on. */
  as(userId: string): Promise<Context>
  partyOf(userId: string): Promise<string>
  /** Waits until nothing is under way, also of automations that watch. */
  settle(watching?: Pick<TestAutomations, 'settled'>): Promise<void>
}

export interface WorldOptions {
  readonly users?: readonly string[]
  readonly network?: object
  readonly validator?: object
  readonly quotas?: object
  readonly store?: Store
}

export async function createWorld({
  users = ['alice', 'bob'],
  network = {},
  validator = {},
  quotas = {},
  ...given
}: WorldOptions = {}): Promise<World> {
  const read = readServiceSettings({ ledger: {}, network, validator, quotas, wireNames: {} })
  assert.ok(read.ok)
  const store = given.store ?? (await newStore())
  const clock = {
    now: START_MICROS,
    nowMicros: () => clock.now,
    monotonicMs: () => Number(clock.now / 1_000n),
  }
  let names = 0
  const economy = await createEconomy({
    store,
    clock,
    monotonicMs: clock.monotonicMs,
    ids: await settleIds({ store, settings: read.settings, profile: 'dev' }),
    settings: read.settings,
    profile: 'dev',
    newName: () => `n${names++}`,
    projectors: walletProjectors,
  })
  const directory = new PrincipalDirectory(store, clock)
  const keeper = createUserKeeper(store, directory)
  await ensureNetwork(economy, keeper, '1.0.0')
  const onboarding = createOnboarding(economy, keeper)
  for (const name of users) await onboarding.onboardUser({ name, identityProviderId: '' })
  const treasury = new Treasury(economy)
  const as = (userId: string): Promise<Context> => contextOf(directory, userId, clock)
  return {
    store,
    economy,
    treasury,
    clock,
    as,
    handlers: walletHandlers(economy, treasury, onboarding),
    partyOf: async (userId) => (await as(userId)).principal?.user.primaryParty ?? '',
    settle: async (watching) => {
      for (let turns = 0; turns < 5; turns++) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        await watching?.settled()
        await treasury.settled()
        await economy.engine.drain()
      }
    },
  }
}

/** The empty input of an operation without parameters. */
export const NOTHING = { path: {}, query: {}, headers: {}, cookies: {}, body: undefined } as const

/** Gives a user coin by taps: `coin` whole coins, each tap one. */
export async function tapCoins(
  world: World,
  userId: string,
  ...coins: readonly bigint[]
): Promise<void> {
  for (const amount of coins) {
    const done = await world.treasury.enqueue(await world.partyOf(userId), {
      tag: 'CO_Tap',
      value: { tapAmount: amount * 10_000_000_000n },
    })
    assert.ok(
      done.ok,
      JSON.stringify(done, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    )
  }
}

/** A party's balance by what the store keeps. */
export async function balance(
  world: World,
  userId: string,
): Promise<{ readonly unlocked: string; readonly coins: number }> {
  const total = await world.economy.reader.total('unlocked', await world.partyOf(userId))
  return { unlocked: formatDecimal(total.amount), coins: Number(total.count) }
}
