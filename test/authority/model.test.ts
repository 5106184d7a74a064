// The model of docs/authority.md against the running service, and against the product with one
// fault planted at a time. The long sizes are `npm run full:authority`; another SEED draws other
// operations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editedBy } from '../support/source-edit.ts'
import { assertFound } from './faults/hunt.ts'
import { KEEPING } from './faults/kept.ts'
import { FAULTS } from './faults/list.ts'
import type { Fault } from './faults/list.ts'
import { SEEN } from './faults/seen.ts'
import { assertSound } from './sound.ts'

const SEED = process.env['SEED'] ?? '14'
/** Several nodes are as many processes' work: few steps, and fewer of one node. */
const RUNS = [
  { store: 'memory', nodes: '1', steps: process.env['STEPS'] ?? '220' },
  { store: 'memory', nodes: '3', steps: process.env['STEPS'] ?? '60' },
  { store: 'sqlite', nodes: '1', steps: '60' },
  { store: 'postgres', nodes: '1', steps: '40' },
]

for (const size of RUNS) {
  const { store, nodes, steps } = size
  test(`nobody has more authority than the model on ${store}, nodes ${nodes}, ${steps} steps with seed ${SEED}`, async (t) => {
    await assertSound({ ...size, seed: SEED }, (line) => t.diagnostic(line))
  })
}

test('each fault can still be planted', () => {
  for (const { id, edits } of [...FAULTS, ...KEEPING])
    assert.doesNotThrow(() => editedBy(edits), `fault ${id}`)
})

test('each fault is found that few steps find', (t) => {
  const isQuick = (fault: Fault): boolean => fault.seed !== undefined || SEEN.includes(fault)
  const faults = process.env['FAULTS'] === 'all' ? FAULTS : FAULTS.filter(isQuick)
  return assertFound(faults, SEED, (line) => t.diagnostic(line))
})
