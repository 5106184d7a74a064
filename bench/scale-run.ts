// One process of bench/scale.ts: `node scale-run.ts FILE PARTIES fill` makes a network with 100 coins for each party;
// `… measure ROUNDS` prints what operations of a few parties, spread over all of them, cost.
import { balanceOf, positionsOf } from '../runtime/services/wallet/holdings.ts'
import { coin } from '../runtime/contracts/index.ts'
import { openCoinWorld, partyName, split } from './coin-world.ts'
import type { CoinWorld, Held } from './coin-world.ts'
import { timed } from './transfer-common.ts'

const COINS = 100
/** As many as the smallest size has, so that every size has the same work. */
const ACTIVE = 10
const PAGE = 50

const [file = '', parties = '0', task = '', rounds = '0'] = process.argv.slice(2)
const count = Number(parties)

/** CPU and wall time of one operation, microseconds. */
export interface Cost {
  readonly cpu: number
  readonly wall: number
}

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

async function fill(): Promise<void> {
  const world = await openCoinWorld(file)
  await world.mint(Array.from({ length: count }, (_, index) => partyName(index)), COINS)
  await world.close()
}

async function measure(): Promise<void> {
  const world = await openCoinWorld(file)
  const purses = new Map<string, Held[]>()
  for (let index = 0; index < ACTIVE; index++) {
    const owner = partyName(Math.floor(count * index / ACTIVE))
    purses.set(owner, await world.coinsOf(owner))
  }
  const costs: Record<string, Cost> = {}
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const all = async (turns: number): Promise<void> => {
      for (let turn = 0; turn < turns; turn++) await Promise.all([...purses.keys()].map((owner) => operation(world, owner, purses)))
    }
    await all(Math.ceil(Number(rounds) / 2))
    const { seconds, cpuSeconds } = await timed(() => all(Number(rounds)))
    const operations = Number(rounds) * purses.size
    costs[name] = { cpu: cpuSeconds * 1e6 / operations, wall: seconds * 1e6 / operations }
  }
  await world.close()
  console.log(JSON.stringify(costs))
}

await (task === 'fill' ? fill() : measure())
