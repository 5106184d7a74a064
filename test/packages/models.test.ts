// Nothing is made or lost, nobody acts without authority and nobody sees what is not theirs, where
// uploaded contracts run beside the coin: random commands (STEPS, SEED), and each planted fault is
// found. The faults are in the sources that this process loads, so it has them to itself.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { search } from '../drive/search.ts'
import { seedsOf } from '../drive/dice.ts'
import { FAULTS, plant, turnOn } from './models/faults.ts'

plant()
const { playEpisode } = await import('./models/episode.ts')
const { startModels } = await import('./models/service.ts')
const { skip } = await import('./released.ts')

const STEPS = Number(process.env['STEPS'] ?? 100)
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
/** Seeds that find a fault soon. */
const SEEDS: Readonly<Record<string, number>> = {
  'unchecked-exercise': 6,
  'unchecked-create': 2,
  'inherited-authority': 7,
  'wrong-actors': 5,
  'one-actor': 6,
  'unchecked-fetch': 1,
  unseen: 2,
  'spent-twice': 6,
  'kept-undone': 10,
  'observer-lost': 4,
  'observers-sign': 4,
  'choice-observer-lost': 3,
  'parent-hidden': 3,
  'observers-told': 4,
  divulged: 6,
  'contracts-of-others': 4,
  'blob-of-others': 4,
  inexact: 6,
}
const LENGTH = 80

let service: Awaited<ReturnType<typeof startModels>>

before(async () => {
  if (skip === false) service = await startModels({ use: 'memory' })
})
after(() => service?.stop())

const found = (seed: number, steps: number) =>
  search({
    seed,
    steps,
    length: LENGTH,
    shrinks: 0,
    draw: seedsOf,
    play: (drafts) => playEpisode(service, drafts),
  })

test(`authority, privacy and sums hold in ${STEPS} commands, seed ${SEED}`, { skip }, async () => {
  const failed = await found(SEED, STEPS)
  assert.equal(failed, undefined, JSON.stringify(failed?.shortest, null, 1))
})

for (const { id, what, foundBy } of FAULTS)
  test(`found: ${what} (${id})`, { skip }, async () => {
    turnOn(id)
    try {
      const failed = await found(SEEDS[id] ?? 1, 400)
      const rules = failed?.failure.rules ?? []
      assert.ok(
        foundBy.some((rule) => rules.includes(rule)),
        JSON.stringify(failed?.failure ?? 'nothing was found'),
      )
    } finally {
      turnOn(undefined)
    }
  })
