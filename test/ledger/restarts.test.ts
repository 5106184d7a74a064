// A transaction that names contracts one after the other begins again for each that has to be read,
// which counts alike on a server that has read them before, and so does what is read to know which.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { list, record, text } from '../../generated/contract-codec.gen.ts'
import { bindTemplate, choice } from '../../runtime/engine/index.ts'
import type { Engine, Tx } from '../../runtime/engine/index.ts'
import { createToy, iou, IouType, issue, must, templates } from './toy.ts'

const CONTRACTS = 10

/** How often a transaction ran that reads these contracts, and where it was told to begin again. */
async function reading(engine: Engine, ids: readonly string[], contractIds: readonly string[]) {
  let runs = 0
  let told: number[] = []
  const outcome = await engine.submit({
    actAs: ['alice'],
    userId: 'u',
    contractIds,
    run: (tx) => {
      runs += 1
      told = []
      let at = 0
      tx.whenAgain(() => void told.push(at))
      return ids.map((id) => {
        at += 1
        return tx.fetch(iou, id).owner
      })
    },
  })
  assert.deepEqual(must(outcome).result, Array(CONTRACTS).fill('alice'))
  return { runs, told }
}

test('what begins again counts alike, whatever a server remembers', async () => {
  const store = createMemoryStore().contracts
  const issuer = await createToy({ store })
  const ids: string[] = []
  for (let count = 0; count < CONTRACTS; count += 1) ids.push(await issue(issuer, 'alice', 1n))
  for (const named of [[], ids.slice(0, 5), ids]) {
    const { engine } = await createToy({ store })
    const cold = await reading(engine, ids, named)
    const late = CONTRACTS - named.length
    assert.equal(cold.runs, 1 + late)
    assert.equal(cold.told.length, late)
    assert.deepEqual(await reading(engine, ids, named), { runs: 1, told: cold.told })
  }
})

interface Reading {
  readonly ids: readonly string[]
  readonly beside: readonly string[]
}

const argument = record<Reading>({ ids: list(text), beside: list(text) })
let told: number[] = []
const readAll = choice(
  iou,
  { name: 'Iou_Read', templateId: IouType.id, consuming: false, argument, result: text },
  {
    controllers: ({ owner }) => [owner],
    run: (tx: Tx, _, { ids }) => {
      told = []
      tx.whenAgain((read) => void told.push(read))
      return ids.map((id) => tx.fetch(iou, id.split('').reverse().join('')).owner).join()
    },
  },
)

/** A choice reads contracts that its argument names so that only its code knows them. */
async function chosen(engine: Engine, [first = '', ...ids]: string[], beside: readonly string[]) {
  const hidden = ids.map((id) => id.split('').reverse().join(''))
  const outcome = await engine.submit({
    actAs: ['alice'],
    userId: 'u',
    contractIds: [first],
    run: (tx) => tx.exercise(readAll, first, { ids: hidden, beside }),
  })
  return { outcome, told }
}

async function rememberedAndNot(beside: readonly string[]) {
  const store = createMemoryStore().contracts
  const all = templates.map((each) =>
    each === templates[0] ? bindTemplate(iou, { Iou_Read: readAll }) : each,
  )
  const issuer = await createToy({ store, templates: all })
  const ids: string[] = []
  for (let count = 0; count < CONTRACTS; count += 1) ids.push(await issue(issuer, 'alice', 1n))
  const { engine } = await createToy({ store, templates: all })
  return { cold: await chosen(engine, ids, beside), warm: await chosen(engine, ids, beside) }
}

test('an argument is read once for all contracts that are named late, and counts', async () => {
  const length = 100_000
  const { cold, warm } = await rememberedAndNot(['x'.repeat(length)])
  must(cold.outcome)
  must(warm.outcome)
  assert.deepEqual(warm.told, cold.told)
  assert.equal(cold.told.length, CONTRACTS - 1)
  const [first = 0, ...others] = cold.told
  assert.ok(first > length, `${first} characters`)
  assert.ok(Math.max(...others) < 1_000, `${others} characters`)
})

test('too many contracts are too many, whatever a server remembers', async () => {
  const named = Array.from({ length: 5_001 }, (_, at) => `00${at.toString(16).padStart(96, '0')}`)
  const { cold, warm } = await rememberedAndNot(named)
  assert.ok(!cold.outcome.ok)
  assert.match(JSON.stringify(cold.outcome), /refers to too many contracts/)
  assert.deepEqual(warm, cold)
})
