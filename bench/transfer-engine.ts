// The engine's side of bench/transfer.ts as a process: `node transfer-engine.ts FILE
// prepare|parties|chain WARMUP COUNT` makes a network in FILE, or transfers on it, and prints what
// the counted ones took.
import { split, openCoinWorld, partyName, staged } from './coin-world.ts'
import type { CoinWorld, Held } from './coin-world.ts'
import { PARTIES, printRun, timed } from './transfer-common.ts'

const COINS = 16
const [file = '', kind = 'parties', warmup = '0', count = '0'] = process.argv.slice(2)

const owners = Array.from({ length: PARTIES }, (_, index) => partyName(index))

/** Every party pays the others in turn, one payment at a time: 64 clients. */
async function payAll(
  world: CoinWorld,
  purses: ReadonlyMap<string, Held[]>,
  transfers: number,
): Promise<void> {
  let left = transfers
  await Promise.all(
    owners.map(async (sender, index) => {
      for (let turn = 1; left > 0; turn++) {
        const receiver = owners[(index + 1 + (turn % (owners.length - 1))) % owners.length] ?? ''
        const inputs = purses.get(sender)?.splice(0, 2) ?? []
        if (inputs.length < 2) throw new Error(`${sender} has no two coins`)
        left -= 1
        const outcome = await world.economy.engine.submit(world.transfer(sender, receiver, inputs))
        if (!outcome.ok) throw new Error(`a transfer was refused: ${outcome.kind}`)
        const [paid, change] = split(inputs, outcome.result)
        purses.get(receiver)?.push(paid)
        purses.get(sender)?.push(change)
      }
    }),
  )
}

/**
 * Two parties pay each other back and forth out of what the last payment made, at most 64 of them
 * not yet committed.
 */
async function payInChain(
  world: CoinWorld,
  purses: ReadonlyMap<string, Held[]>,
  transfers: number,
): Promise<void> {
  const [one = '', other = ''] = purses.keys()
  const open: Promise<unknown>[] = []
  for (let turn = 0; turn < transfers; turn++) {
    const [sender, receiver] = turn % 2 === 0 ? [one, other] : [other, one]
    const inputs = purses.get(sender)?.splice(-2) ?? []
    const { result, committed } = staged(
      await world.economy.engine.stage(world.transfer(sender, receiver, inputs)),
    )
    const [paid, change] = split(inputs, result)
    purses.get(receiver)?.push(paid)
    purses.get(sender)?.push(change)
    open.push(committed)
    if (open.length >= PARTIES) await open.shift()
  }
  await Promise.all(open)
}

async function prepare(): Promise<void> {
  const world = await openCoinWorld(file)
  await world.mint(owners, COINS)
  await world.close()
}

async function measure(pay: typeof payAll, parties: number): Promise<void> {
  const world = await openCoinWorld(file)
  const offset = async () => Number((await world.economy.store.contracts.ledgerEnd()).offset)
  const purses = new Map<string, Held[]>()
  for (const owner of owners.slice(0, parties)) purses.set(owner, await world.coinsOf(owner))
  const before = await offset()
  await pay(world, purses, Number(warmup))
  const start = await offset()
  const run = await timed(() => pay(world, purses, Number(count)))
  const end = await offset()
  await world.close()
  printRun({ ...run, before, start, count: end - start })
}

if (kind === 'prepare') await prepare()
else if (kind === 'chain') await measure(payInChain, 2)
else await measure(payAll, PARTIES)
