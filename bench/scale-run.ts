// One process of bench/scale.ts: `node scale-run.ts fill FOLDER SIZE` makes a network of so many holdings, 100 for each party;
// `… measure FOLDER ROUNDS SIZE…` prints what operations of a few parties, spread over all of them, cost at each size.
import { balanceOf, positionsOf } from '../runtime/services/wallet/holdings.ts'
import { coin } from '../runtime/contracts/index.ts'
import { join } from 'node:path'
import { shuffled } from './measure.ts'
import { openCoinWorld, partyName, split } from './coin-world.ts'
import type { CoinWorld, Held } from './coin-world.ts'
import { timed } from './transfer-common.ts'

const COINS = 100
/** As many as the smallest size has, so that every size has the same work. */
const ACTIVE = 10
const PAGE = 50
/** Of each active party within one measurement. */
const TURNS = 10

const [task = '', folder = '', ...numbers] = process.argv.slice(2)

/** CPU and wall time of one operation in each round, microseconds, by size. */
export type Costs = Readonly<Record<number, readonly { readonly cpu: number; readonly wall: number }[]>>

type Operation = (world: CoinWorld, owner: string, purses: ReadonlyMap<string, Held[]>) => Promise<unknown>

const OPERATIONS: Readonly<Record<string, Operation>> = {
  balance: ({ economy }, owner) => balanceOf(economy, owner),
  total: ({ economy }, owner) => economy.reader.total('unlocked', owner),
  'page of 50': ({ economy }, owner) => economy.reader.active(coin, { key: [1, owner], limit: PAGE }),
  'all holdings (100)': ({ economy }, owner) => positionsOf(economy, owner),
  transfer,
}

/** To the next of the active parties; they pay at the same time, so that commits are as large at every size. */
async function transfer(world: CoinWorld, sender: string, purses: ReadonlyMap<string, Held[]>): Promise<void> {
  const owners = [...purses.keys()]
  const receiver = owners[(owners.indexOf(sender) + 1) % owners.length] ?? ''
  const inputs = purses.get(sender)?.splice(0, 2) ?? []
  const outcome = await world.economy.engine.submit(world.transfer(sender, receiver, inputs))
  if (!outcome.ok) throw new Error(`a transfer was refused: ${outcome.kind}`)
  const [paid, change] = split(inputs, outcome.result)
  purses.get(receiver)?.push(paid)
  purses.get(sender)?.push(change)
}

const fileOf = (size: number): string => join(folder, `${size}.sqlite`)

async function fill(size: number): Promise<void> {
  const world = await openCoinWorld(fileOf(size))
  await world.mint(Array.from({ length: size / COINS }, (_, index) => partyName(index)), COINS)
  await world.close()
}

interface Place {
  readonly size: number
  readonly world: CoinWorld
  readonly purses: ReadonlyMap<string, Held[]>
}

async function open(size: number): Promise<Place> {
  const world = await openCoinWorld(fileOf(size))
  const purses = new Map<string, Held[]>()
  for (let index = 0; index < ACTIVE; index++) {
    const owner = partyName(Math.floor(size / COINS * index / ACTIVE))
    purses.set(owner, await world.coinsOf(owner))
  }
  return { size, world, purses }
}

async function block({ world, purses }: Place, operation: Operation): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await Promise.all([...purses.keys()].map((owner) => operation(world, owner, purses)))
}

/** All sizes take turns in every round, so that whatever else the machine does befalls all of them. */
async function measure(rounds: number, sizes: readonly number[]): Promise<void> {
  const places: Place[] = []
  for (const size of sizes) places.push(await open(size))
  const all: Record<string, Costs> = {}
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const costs = new Map(sizes.map((size): [number, { cpu: number; wall: number }[]] => [size, []]))
    for (let round = -Math.ceil(rounds / 2); round < rounds; round++) {
      for (const place of shuffled(places)) {
        const { seconds, cpuSeconds } = await timed(() => block(place, operation))
        const each = 1e6 / TURNS / ACTIVE
        if (round >= 0) costs.get(place.size)?.push({ cpu: cpuSeconds * each, wall: seconds * each })
      }
    }
    all[name] = Object.fromEntries(costs)
  }
  for (const { world } of places) await world.close()
  console.log(JSON.stringify(all))
}

const [first = 0, ...rest] = numbers.map(Number)
await (task === 'fill' ? fill(first) : measure(first, rest))
