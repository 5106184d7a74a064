// One process of bench/storage.ts: `node storage-run.ts fill PLACE SIZE` makes a network of so many
// holdings, 100 for each party, in a file or at a URL; `… measure ROUNDS SIZE PLACE…` prints what
// operations of a few parties, spread over all of them, cost at each size.
import { balanceOf, positionsOf } from '../runtime/interfaces/validator/wallet/holdings.ts'
import { coin } from '../runtime/contracts/index.ts'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { shuffled } from './measure.ts'
import { openCoinWorld, partyName, split } from './coin-world.ts'
import type { CoinWorld, Held } from './coin-world.ts'
import { timed } from './transfer-common.ts'

const COINS = 100
/** Active parties: as many as the smallest size has, so that every size has the same work. */
const ACTIVE = 10
const PAGE = 50
/** Turns of each active party within one measurement. */
const TURNS = 10

const [task = '', ...given] = process.argv.slice(2)

/**
 * CPU and wall time of one operation in each round, microseconds, by size; that of a database's
 * sessions counts.
 */
export type Costs = Readonly<
  Record<number, readonly { readonly cpu: number; readonly wall: number }[]>
>

type Operation = (
  world: CoinWorld,
  owner: string,
  purses: ReadonlyMap<string, Held[]>,
) => Promise<unknown>

const OPERATIONS: Readonly<Record<string, Operation>> = {
  balance: ({ economy }, owner) => balanceOf(economy, owner),
  total: ({ economy }, owner) => economy.reader.total('unlocked', owner),
  'page of 50': ({ economy }, owner) => economy.reader.active(coin, { owner }, { limit: PAGE }),
  'all holdings (100)': ({ economy }, owner) =>
    positionsOf(economy, owner, { signal: new AbortController().signal }),
  transfer,
}

/**
 * To the next of the active parties; they pay at the same time, so that commits are as large at
 * every size.
 */
async function transfer(
  world: CoinWorld,
  sender: string,
  purses: ReadonlyMap<string, Held[]>,
): Promise<void> {
  const owners = [...purses.keys()]
  const receiver = owners[(owners.indexOf(sender) + 1) % owners.length] ?? ''
  const inputs = purses.get(sender)?.splice(0, 2) ?? []
  const outcome = await world.economy.engine.submit(world.transfer(sender, receiver, inputs))
  if (!outcome.ok) throw new Error(`a transfer was refused: ${outcome.kind}`)
  const [paid, change] = split(inputs, outcome.result)
  purses.get(receiver)?.push(paid)
  purses.get(sender)?.push(change)
}

async function fill(where: string, size: number): Promise<void> {
  const world = await openCoinWorld(where)
  await world.mint(
    Array.from({ length: size / COINS }, (_, index) => partyName(index)),
    COINS,
  )
  await world.close()
}

interface Place {
  readonly size: number
  /**
   * CPU time of the sessions so far, microseconds; nothing where the database is in this process.
   */
  readonly sessionCpu: () => Promise<number>
  readonly close: () => Promise<void>
  readonly world: CoinWorld
  readonly purses: ReadonlyMap<string, Held[]>
}

async function open(size: number, where: string): Promise<Place> {
  const world = await openCoinWorld(where)
  const purses = new Map<string, Held[]>()
  for (let index = 0; index < ACTIVE; index++) {
    const owner = partyName(Math.floor(((size / COINS) * index) / ACTIVE))
    purses.set(owner, await world.coinsOf(owner))
  }
  const sessions = await watchSessions(where)
  const close = async (): Promise<void> => {
    await sessions.close()
    await world.close()
  }
  return { size, world, purses, sessionCpu: sessions.cpu, close }
}

/** Each place is a database of its own, so that its sessions are those of this size. */
async function watchSessions(
  where: string,
): Promise<{ cpu(): Promise<number>; close(): Promise<void> }> {
  if (!where.startsWith('postgres:')) return { cpu: async () => 0, close: async () => undefined }
  const client = new pg.Client(where)
  await client.connect()
  const others =
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  return {
    cpu: async () =>
      (await client.query<{ pid: number }>(others)).rows.reduce(
        (sum, { pid }) => sum + cpuMicros(pid),
        0,
      ),
    close: () => client.end(),
  }
}

/**
 * To the nanosecond, as a round is shorter than the ticks that are counted elsewhere; nothing where
 * there is no /proc.
 */
function cpuMicros(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e3
  } catch {
    return 0
  }
}

async function block({ world, purses }: Place, operation: Operation): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++)
    await Promise.all([...purses.keys()].map((owner) => operation(world, owner, purses)))
}

/**
 * All sizes take turns in every round, so that whatever else the machine does befalls all of them.
 */
async function measure(rounds: number, sizes: ReadonlyMap<number, string>): Promise<void> {
  const places: Place[] = []
  for (const [size, where] of sizes) places.push(await open(size, where))
  const all: Record<string, Costs> = {}
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const costs = new Map(
      places.map(({ size }): [number, { cpu: number; wall: number }[]] => [size, []]),
    )
    for (let round = -Math.ceil(rounds / 2); round < rounds; round++) {
      for (const place of shuffled(places)) {
        const before = await place.sessionCpu()
        const { seconds, cpuSeconds } = await timed(() => block(place, operation))
        const cpu = cpuSeconds * 1e6 + (await place.sessionCpu()) - before
        const each = TURNS * ACTIVE
        if (round >= 0)
          costs.get(place.size)?.push({ cpu: cpu / each, wall: (seconds * 1e6) / each })
      }
    }
    all[name] = Object.fromEntries(costs)
  }
  for (const { close } of places) await close()
  console.log(JSON.stringify(all))
}

async function run(): Promise<void> {
  const [first = '', ...rest] = given
  if (task === 'fill') return fill(first, Number(rest[0]))
  const pairs = Array.from({ length: rest.length / 2 }, (_, at): [number, string] => [
    Number(rest[2 * at]),
    rest[2 * at + 1] ?? '',
  ])
  return measure(Number(first), new Map(pairs))
}

await run()
