// A year of payments in simulated time, on one of the databases: people who pay each other every
// day, the automations with a round a day, and pruning at the end of each day, as the automation
// `prune` does it. What the tables hold is read at the end of each month.
import { stat } from 'node:fs/promises'
import pg from 'pg'
import { postgresMaintenance } from '../../plugins/storage-sql/postgres-maintenance.ts'
import { sqliteMaintenance } from '../../plugins/storage-sql/sqlite-maintenance.ts'
import { simulatedClock } from '../../runtime/host/clock.ts'
import type { Clock } from '../../runtime/host/plugin.ts'
import { Treasury } from '../../runtime/economy/treasury/index.ts'
import type { StorageSizes } from '../../runtime/store/maintenance.ts'
import type { Commit, Store } from '../../runtime/store/store.ts'
import { openCoinWorld, partyName, split, staged } from '../../bench/coin-world.ts'
import type { CoinWorld, Held } from '../../bench/coin-world.ts'
import { setUpAutomations } from '../support/automations.ts'

const START = 1_750_000_000_000_000n
const DAY_MICROS = 86_400_000_000n
/**
 * Every five days PostgreSQL's space is made reusable, which its autovacuum does earlier, and pages
 * of indexes that keep one row are freed, as docs/operations.md advises.
 */
const VACUUM_DAYS = 5
const PAIRS = 10

export interface Year {
  /** A file, or the URL of a PostgreSQL database. */
  readonly place: string
  readonly months: number
  /** Days of a month; 30 where absent. Each has a round. */
  readonly daysPerMonth?: number
  readonly paymentsPerMonth: number
  /** Months whose updates are kept; absent: nothing is pruned. */
  readonly keepMonths?: number
}

export interface Month {
  readonly month: number
  /** Rounds since the beginning, as payments and updates. */
  readonly rounds: number
  readonly payments: number
  readonly updates: bigint
  /** Bytes of the tables with their indexes. */
  readonly bytes: number
  /** Bytes of the file or the database, with what is free in it. */
  readonly storedBytes: number
  readonly sizes: StorageSizes
}

/** Two people who pay in turns, two coins into two, so that their number stays. */
interface Pair {
  readonly names: readonly [string, string]
  readonly coins: [Held[], Held[]]
}

/** Lives through the months; `told` hears of each at its end. */
export async function simulateYear(
  { place, months, daysPerMonth = 30, paymentsPerMonth, keepMonths }: Year,
  told: (month: Month) => void,
): Promise<void> {
  const clock = simulatedClock(START)
  const world = await openCoinWorld(place, (store) => onClock(store, clock), clock)
  const { economy } = world
  const { updates } = economy.store
  const automations = await setUpAutomations(
    { economy, treasury: new Treasury(economy) },
    { options: { 'round-totals': { keptRounds: daysPerMonth } } },
  )
  const ends: bigint[] = []
  try {
    const pairs = await newPairs(world)
    for (let day = 1; day <= months * daysPerMonth; day += 1) {
      clock.moveTo(clock.nowMicros() + DAY_MICROS)
      await automations.run()
      await world.refresh()
      await pay(world, pairs, paymentsOf(day, paymentsPerMonth / daysPerMonth))
      ends.push(await updates.ledgerEnd())
      const upTo = keepMonths === undefined ? undefined : ends.at(-1 - keepMonths * daysPerMonth)
      if (upTo !== undefined) await updates.prune(upTo)
      if (day % VACUUM_DAYS === 0) await vacuum(place)
      if (day % daysPerMonth > 0) continue
      const month = day / daysPerMonth
      const measured = await measure(place)
      const end = await updates.ledgerEnd()
      told({ month, rounds: day, payments: month * paymentsPerMonth, updates: end, ...measured })
    }
  } finally {
    await automations.stop()
    await world.close()
  }
}

function paymentsOf(day: number, paymentsPerDay: number): number {
  const until = (days: number): number => Math.round(days * paymentsPerDay)
  return until(day) - until(day - 1)
}

async function newPairs(world: CoinWorld): Promise<readonly Pair[]> {
  const pairs = Array.from({ length: PAIRS }, (_, index): Pair['names'] => [
    partyName(2 * index),
    partyName(2 * index + 1),
  ])
  await world.mint(pairs.flat(), 2)
  return Promise.all(
    pairs.map(async (names) => ({
      names,
      coins: [await world.coinsOf(names[0]), await world.coinsOf(names[1])],
    })),
  )
}

async function pay(world: CoinWorld, pairs: readonly Pair[], count: number): Promise<void> {
  const each = pairs.map((pair, index) =>
    payWithin(world, pair, Math.floor((count + index) / pairs.length)),
  )
  await Promise.all(each)
}

async function payWithin(
  { economy, transfer }: CoinWorld,
  { names, coins }: Pair,
  count: number,
): Promise<void> {
  for (let paid = 0; paid < count; paid += 1) {
    const from = coins[0].length >= coins[1].length ? 0 : 1
    const inputs = coins[from].splice(0, 2)
    const submission = transfer(names[from], names[1 - from] ?? '', inputs)
    const { result, committed } = staged(await economy.engine.stage(submission))
    const [received, change] = split(inputs, result)
    coins[from].push(change)
    coins[1 - from]?.push(received)
    const outcome = await committed
    if (!outcome.ok) throw new Error(`a payment was refused: ${outcome.kind}`)
  }
}

/** The store's own clock is that of the simulation. */
function onClock(store: Store, clock: Clock): Store {
  const { contracts } = store
  const commit = <T>({ reads, decide }: Commit<T>): Promise<T> =>
    contracts.commit({
      reads,
      decide: (facts) => decide({ ...facts, now: clock.nowMicros() }),
    })
  const history = async (offset: bigint) => ({
    ...(await contracts.history(offset)),
    now: clock.nowMicros(),
  })
  return { ...store, contracts: { ...contracts, commit, history } }
}

async function measure(place: string): Promise<Pick<Month, 'bytes' | 'sizes' | 'storedBytes'>> {
  const isUrl = place.startsWith('postgres:')
  const { sizes: read } = isUrl
    ? postgresMaintenance({ dialect: 'postgres', connection: place, poolSize: 2 })
    : sqliteMaintenance(place)
  const sizes = await read?.(0)
  if (sizes === undefined) throw new TypeError('the storage tells no sizes')
  const bytes = sizes.tables.reduce((sum, table) => sum + table.bytes, 0)
  return { bytes, sizes, storedBytes: isUrl ? bytes : (await stat(place)).size }
}

async function vacuum(place: string): Promise<void> {
  if (!place.startsWith('postgres:')) return
  const client = new pg.Client(place)
  await client.connect()
  await client.query('vacuum')
  await client.query('reindex table contracts')
  await client.end()
}
