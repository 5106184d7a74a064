// The coin against itself: the same random commands by our templates and by the released packages,
// which are evaluated. What they answer, create, archive and refuse is the same.
import { ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { adoptNames } from '../../runtime/contracts/index.ts'
import { newestCoin } from './coin-transfers.ts'
import { contractNames, released, skip, wire } from './released.ts'
import { following, starting } from './twins/coin-kinds.ts'
import { mergeFollowing, mergeStarting } from './twins/merge-kinds.ts'
import { nameFollowing, nameStarting } from './twins/name-kinds.ts'
import { paymentFollowing, paymentStarting } from './twins/payment-kinds.ts'
import { walletFollowing, walletStarting } from './twins/wallet-kinds.ts'
import { CoinWorld } from './twins/coin-world.ts'
import type { Kinds } from './twins/coin-world.ts'
import { Draw, numbers } from './twins/draw.ts'
import type { Numbers } from './twins/draw.ts'
import { releasedTemplates } from './twins/released-templates.ts'

/** Sequences of each group of commands. */
const RUNS = Number(process.env['RUNS'] ?? 12)
/** The search for a shorter sequence ends some time. */
const LIMIT_MS = 120_000 + RUNS * 5_000
/** Two of three commands go on with what others began. */
const step = fc.record({ isNew: fc.nat(2).map((of) => of === 0), kind: fc.nat(10_000), numbers })
const sequences = fc.array(step, { minLength: 1, maxLength: 30, size: 'max' })

before(() => {
  adoptNames(contractNames)
})

/** The command of a step, by the kinds that the ledgers have something for. */
function commandOf(world: CoinWorld, kinds: Kinds, of: { kind: number; numbers: Numbers }) {
  const fit = Object.entries(kinds).flatMap(([name, kind]) => {
    const command = kind(world, new Draw(of.numbers))
    return command === undefined ? [] : [{ name, command }]
  })
  return fit[of.kind % fit.length]
}

interface Group {
  readonly what: string
  /** Archives, of which the first has the coin. */
  readonly dars: readonly string[]
  readonly begin: Kinds
  readonly goOn: Kinds
}

const WALLET = `${released('wallet')}-0.1.15.dar`
const SHARED = ['tap', 'advance', 'featureApp', 'createPreapproval', 'wait']
const shared = Object.fromEntries(
  Object.entries(starting).filter(([name]) => SHARED.includes(name)),
)

const groups: readonly Group[] = [
  { what: 'coin', dars: [newestCoin()], begin: starting, goOn: following },
  {
    what: 'coin and offers',
    dars: [WALLET],
    begin: { ...starting, ...walletStarting },
    goOn: { ...following, ...walletFollowing },
  },
  {
    what: 'payments and installs',
    dars: [WALLET],
    begin: { ...shared, ...paymentStarting },
    goOn: paymentFollowing,
  },
  {
    what: 'names',
    dars: [`${released(wire('coin-name-service'))}-0.1.15.dar`],
    begin: { ...shared, ...nameStarting },
    goOn: nameFollowing,
  },
  {
    what: 'merges',
    dars: [newestCoin(), `${released('util-token-standard-wallet')}-1.1.0.dar`],
    begin: { ...shared, ...mergeStarting },
    goOn: mergeFollowing,
  },
]

for (const { dars, what, begin, goOn } of groups)
  test(`the same commands, the same ledger: ${what}`, { skip }, async () => {
    const templates = await releasedTemplates(...dars)
    const counts = new Map<string, Record<'done' | 'refused' | 'apart', number>>()
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const world = await CoinWorld.start(templates)
        const names: string[] = []
        for (const { isNew, ...of } of sequence) {
          const [first, second] = isNew ? [begin, goOn] : [goOn, begin]
          const found = commandOf(world, first, of) ?? commandOf(world, second, of)
          ok(found !== undefined)
          const { name, command } = found
          names.push(name)
          const outcome = await world.do(command).catch((error: unknown) => {
            throw new Error(`${names.join(', ')}: ${String(error)}`, { cause: error })
          })
          const count = counts.get(name) ?? { done: 0, refused: 0, apart: 0 }
          counts.set(name, { ...count, [outcome]: count[outcome] + 1 })
          if (outcome === 'apart') return
        }
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: false },
    )
    const all = [...counts.values()]
    ok(all.some(({ done }) => done > 0) && all.some(({ refused }) => refused > 0))
    for (const [name, { done, refused, apart }] of counts)
      console.log(`${name}: ${done} done, ${refused} refused, ${apart} by one alone`)
  })
