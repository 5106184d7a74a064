// Whoever keeps everything that was signed or issued, and sends it again in every later state, at
// every node of three ledgers, gets nothing by it; and finds each fault that is planted. The long
// size is `npm run full:replay`; another SEED draws other states.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { KEEPING } from './faults/kept.ts'
import { huntAll, unexplained, withKeys } from './faults/hunt.ts'
import type { Hunted } from './faults/hunt.ts'

const RUN = fileURLToPath(new URL('./run.ts', import.meta.url))
const GIVEN = process.env['SEED']
const SEED = GIVEN ?? '4'
/** Whole episodes are played: more than 10,000 tries together. */
const RUNS = [
  { nodes: '1', tries: process.env['TRIES'] ?? '4000' },
  { nodes: '3', tries: process.env['TRIES'] ?? '5000' },
]
const STORE = process.env['STORE'] ?? 'sqlite'
const LENGTH = '30'
const FAULT_STEPS = 120
const run = promisify(execFile)

for (const { nodes, tries } of RUNS) {
  test(`nothing is good for more than it was made for, nodes ${nodes}, ${tries} tries with seed ${SEED}`, async (t) => {
    const size = ['--nodes', nodes, '--tries', tries, '--steps', tries, '--length', LENGTH]
    const args = [RUN, '--replay', '--store', STORE, '--seed', SEED, ...size]
    const { stdout } = await run(process.execPath, args).catch((error: unknown) => {
      assert.fail(Object(error).stdout || String(error))
    })
    const [, played] = /(\d+) tries/.exec(stdout) ?? []
    assert.ok(Number(played) >= Number(tries), stdout)
    t.diagnostic(`${played} tries; ${stdout.trim().split('\n').at(-1) ?? ''}`)
  })
}

test('each fault that makes something good for more is found', async (t) => {
  const hunted: Hunted[] = []
  await withKeys(1, async (keys) => {
    const options = { steps: FAULT_STEPS, shrinks: 0, keys }
    await huntAll(
      KEEPING.map((fault) => [fault, Number(GIVEN ?? fault.seed ?? SEED)] as const),
      options,
      (one) => {
        t.diagnostic(`${one.fault.id}: ${one.found?.steps ?? 'not found'}, ${one.ms} ms`)
        hunted.push(one)
      },
    )
    assert.deepEqual(await unexplained(hunted, options), [])
  })
  assert.deepEqual(
    hunted.flatMap(({ fault, found }) => (found === undefined ? [fault.id] : [])),
    [],
  )
})
