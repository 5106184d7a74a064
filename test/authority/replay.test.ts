// Whoever keeps everything that was signed or issued, and sends it again in every later state, at
// every node of three ledgers, gets nothing by it; and finds each fault that is planted. The long
// size is `npm run full:replay`; another SEED draws other states.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFound } from './faults/hunt.ts'
import { KEEPING } from './faults/kept.ts'
import { assertSound } from './sound.ts'

const SEED = process.env['SEED'] ?? '4'
/** Whole episodes are played. */
const RUNS = [
  { nodes: '1', length: '12', tries: process.env['TRIES'] ?? '700' },
  { nodes: '3', length: '12', tries: process.env['TRIES'] ?? '2500' },
]
const STORE = process.env['STORE'] ?? 'sqlite'

for (const size of RUNS) {
  const { nodes, tries } = size
  test(`nothing is good for more than it was made for, nodes ${nodes}, ${tries} tries with seed ${SEED}`, async (t) => {
    const options = { ...size, store: STORE, seed: SEED, steps: tries }
    const stdout = await assertSound(options, (line) => t.diagnostic(line), '--replay')
    const [, played] = /(\d+) tries/.exec(stdout) ?? []
    assert.ok(Number(played) >= Number(tries), stdout)
  })
}

test('each fault that makes something good for more is found', (t) =>
  assertFound(KEEPING, SEED, (line) => t.diagnostic(line)))
