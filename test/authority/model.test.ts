// The model of docs/authority.md against the running service, and against the product with one
// fault planted at a time. The long sizes are `npm run full:authority`; another SEED draws other
// operations.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { planted } from './faults/edit.ts'
import { huntAll, unexplained, withKeys } from './faults/hunt.ts'
import type { Hunted } from './faults/hunt.ts'
import { KEEPING } from './faults/kept.ts'
import { FAULTS, nodesOf } from './faults/list.ts'
import { SEEN } from './faults/seen.ts'

const RUN = fileURLToPath(new URL('./run.ts', import.meta.url))
const GIVEN = process.env['SEED']
const SEED = GIVEN ?? '14'
/** Several nodes are as many processes' work: few steps, and fewer of one node. */
const RUNS = [
  { store: 'memory', nodes: 1, steps: process.env['STEPS'] ?? '220' },
  { store: 'memory', nodes: 3, steps: process.env['STEPS'] ?? '60' },
  { store: 'sqlite', nodes: 1, steps: '60' },
  { store: 'postgres', nodes: 1, steps: '40' },
]
const FAULT_STEPS = 2_000
const run = promisify(execFile)

for (const { store, nodes, steps } of RUNS) {
  test(`nobody has more authority than the model on ${store}, nodes ${nodes}, ${steps} steps with seed ${SEED}`, async (t) => {
    const { stdout } = await run(process.execPath, [
      RUN,
      '--store',
      store,
      '--nodes',
      String(nodes),
      '--steps',
      steps,
      '--seed',
      SEED,
    ]).catch((error: unknown) => {
      assert.fail(Object(error).stdout || String(error))
    })
    t.diagnostic(stdout.trim().split('\n').at(-1) ?? '')
  })
}

test('each fault can still be planted', () => {
  for (const { id, edits } of [...FAULTS, ...KEEPING])
    assert.doesNotThrow(() => planted(edits), `fault ${id}`)
})

test('each fault that was seen is found when it is planted again', async (t) => {
  const faults = process.env['FAULTS'] === 'all' ? FAULTS : SEEN
  const hunted: Hunted[] = []
  await withKeys(nodesOf(faults), async (keys) => {
    const options = { steps: FAULT_STEPS, shrinks: 0, keys }
    await huntAll(
      faults.map((fault) => [fault, Number(GIVEN ?? fault.seed ?? SEED)] as const),
      options,
      (one) => {
        t.diagnostic(
          `${one.fault.id}: ${one.found === undefined ? 'not found' : `step ${one.found.steps}`}, ${one.ms} ms`,
        )
        hunted.push(one)
      },
    )
    assert.deepEqual(await unexplained(hunted, options), [])
  })
  assert.deepEqual(
    hunted.flatMap(({ fault, found }) =>
      found === undefined ? [`${fault.id}: ${fault.what}`] : [],
    ),
    [],
  )
})
