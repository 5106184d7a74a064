// The engine's side of bench/postgres.ts as a process: `node postgres-engine.ts URL prepare` makes
// a network with 64 parties; `… parties|hot INDEX OF SECONDS` says `ready`, waits for SIGUSR2, and
// pays with its share of the parties: each the others of the share, or all of them one and the same
// receiver. It prints what the second half of the time brought.
import { once } from 'node:events'
import { openCoinWorld, partyName, split } from './coin-world.ts'
import type { CoinWorld, Held } from './coin-world.ts'
import { PARTIES, timed } from './transfer-common.ts'

const COINS = 16
const [url = '', kind = 'parties', index = '0', of = '1', seconds = '1'] = process.argv.slice(2)

const everybody = Array.from({ length: PARTIES }, (_, number) => partyName(number))
const owners = everybody.filter((_, number) => number % Number(of) === Number(index))

/** The result that a process of the benchmark prints. */
export interface Share {
  readonly count: number
  readonly seconds: number
  readonly cpuSeconds: number
}

type Pay = (sender: string, turn: number) => Promise<void>

async function transfer(
  world: CoinWorld,
  sender: string,
  receiver: string,
  inputs: readonly Held[],
): Promise<readonly [Held, Held]> {
  if (inputs.length === 0) throw new Error(`${sender} has no coin`)
  const outcome = await world.economy.engine.submit(world.transfer(sender, receiver, inputs))
  if (!outcome.ok) throw new Error(`a transfer was refused: ${outcome.kind}`)
  return split(inputs, outcome.result)
}

/**
 * Two coins of the sender become one of the receiver and one of the change, so that nobody runs
 * out.
 */
function amongAll(world: CoinWorld, purses: ReadonlyMap<string, Held[]>): Pay {
  return async (sender, turn) => {
    const receiver =
      owners[(owners.indexOf(sender) + 1 + (turn % (owners.length - 1))) % owners.length] ?? ''
    const [paid, change] = await transfer(
      world,
      sender,
      receiver,
      purses.get(sender)?.splice(0, 2) ?? [],
    )
    purses.get(receiver)?.push(paid)
    purses.get(sender)?.push(change)
  }
}

/** A third of one coin each time: what is left of it lasts for long. */
function toOne(world: CoinWorld, purses: ReadonlyMap<string, Held[]>, receiver: string): Pay {
  return async (sender) => {
    const [, change] = await transfer(
      world,
      sender,
      receiver,
      purses.get(sender)?.splice(0, 1) ?? [],
    )
    purses.get(sender)?.push(change)
  }
}

/** One payment under way for each sender. */
async function payFor(senders: readonly string[], pay: Pay, milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds
  let count = 0
  await Promise.all(
    senders.map(async (sender) => {
      for (let turn = 1; performance.now() < end; turn++) {
        await pay(sender, turn)
        count += 1
      }
    }),
  )
  return count
}

async function measure(): Promise<void> {
  const world = await openCoinWorld(url)
  const purses = new Map<string, Held[]>()
  for (const owner of owners) purses.set(owner, await world.coinsOf(owner))
  const [hot = '', ...others] = owners
  const [senders, pay] =
    kind === 'hot' ? [others, toOne(world, purses, hot)] : [owners, amongAll(world, purses)]
  const go = once(process, 'SIGUSR2')
  console.log('ready')
  await go
  const milliseconds = (Number(seconds) * 1e3) / 2
  await payFor(senders, pay, milliseconds)
  let count = 0
  const run = await timed(async () => {
    count = await payFor(senders, pay, milliseconds)
  })
  await world.close()
  console.log(JSON.stringify({ count, ...run } satisfies Share))
}

async function prepare(): Promise<void> {
  const world = await openCoinWorld(url)
  await world.mint(everybody, COINS)
  await world.close()
}

await (kind === 'prepare' ? prepare() : measure())
