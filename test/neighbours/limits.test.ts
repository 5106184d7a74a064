// Limits hold for what is written, never for what is there: contracts of before stay readable and
// can be ended.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  list,
  maxItems,
  maxLength,
  party,
  record,
  text,
  unit,
} from '../../generated/contract-codec.gen.ts'
import type { Codec } from '../../generated/contract-codec.gen.ts'
import {
  bindTemplate,
  choice,
  createEngine,
  createReader,
  defineTemplate,
  seedSource,
} from '../../runtime/engine/index.ts'
import type { Submission } from '../../runtime/engine/index.ts'
import type { ContractStore } from '../../runtime/store/store.ts'
import { newStore } from '../support/test-store.ts'
import { payersInTurn } from '../../runtime/work/order.ts'

interface Note {
  readonly owner: string
  readonly text: string
  readonly tags: readonly string[]
}

const ID = `${'cd'.repeat(32)}:Toy:Note`
const NAMES = {
  id: ID,
  reference: 'toy:Toy:Note',
  packageId: 'cd'.repeat(32),
  packageName: 'toy',
  packageVersion: '1.0.0',
  name: 'Note',
  keys: {},
  interfaces: [],
  earlier: [],
}

/** A ledger of notes, whose payloads and arguments are read by these codecs. */
function notebook(store: ContractStore, payload: Codec<Note>, words: Codec<string>) {
  const note = defineTemplate({ ...NAMES, payload }, { signatories: ({ owner }) => [owner] })
  const type = { name: 'Note_Say', templateId: ID, consuming: false, argument: words, result: unit }
  const say = choice(note, type, { controllers: ({ owner }) => [owner], run: () => ({}) })
  const engine = createEngine({
    order: payersInTurn,
    store,
    clock: { nowMicros: () => 1_800_000_000_000_000n },
    newSeed: seedSource(randomBytes),
    templates: [bindTemplate(note, { Note_Say: say })],
    synchronizerId: 'toy::1220',
  })
  const submit = <R>(run: Submission<R>['run'], limits?: Submission<R>['limits']) =>
    engine.submit({
      actAs: ['alice'],
      userId: 'alice',
      run,
      ...(limits === undefined ? {} : { limits }),
    })
  return { note, say, submit, reader: createReader(store, engine.synchronizerId) }
}

const unlimited = record<Note>({ owner: party, text, tags: list(text) })
const limited = record<Note>({
  owner: party,
  text: maxLength(text, 5),
  tags: maxItems(list(text), 2),
})
const LONG: Note = { owner: 'alice', text: 'a long text', tags: ['a', 'b', 'c'] }

test('a contract that was written before there were limits is read, used and archived', async () => {
  const { contracts: store } = await newStore()
  const former = notebook(store, unlimited, text)
  const created = await former.submit((tx) => tx.create(former.note, LONG))
  assert.ok(created.ok)
  const { note, say, submit, reader } = notebook(store, limited, maxLength(text, 5))
  assert.deepEqual((await reader.get(note, created.result))?.payload, LONG)
  assert.ok((await submit((tx) => tx.exercise(say, created.result, 'hello'))).ok)
  assert.ok((await submit((tx) => tx.archive(note, created.result))).ok)
})

test('what is created and asked for is refused beyond them, with the place and the limit', async () => {
  const { note, say, submit } = notebook((await newStore()).contracts, limited, maxLength(text, 5))
  const reasonOf = async (run: Submission<unknown>['run']) => {
    const done = await submit(run)
    assert.ok(!done.ok && done.kind === 'invalid')
    return done.reason
  }
  assert.equal(
    await reasonOf((tx) => tx.create(note, LONG)),
    'Note/text: has more than 5 characters',
  )
  assert.equal(
    await reasonOf((tx) => tx.create(note, { ...LONG, text: '' })),
    'Note/tags: has more than 2 items',
  )
  assert.equal(
    await reasonOf((tx) =>
      tx.exercise(say, tx.create(note, { ...LONG, text: '', tags: [] }), 'too long'),
    ),
    'Note_Say: has more than 5 characters',
  )
})

test('a transaction has a size, of whatever parts', async () => {
  const { note, say, submit } = notebook((await newStore()).contracts, unlimited, text)
  const limits = { maxTransactionNodes: 100, maxTransactionBytes: 100_000 }
  const small = { ...LONG, text: 'x'.repeat(900) }
  const make = (count: number) =>
    submit((tx) => Array.from({ length: count }, () => tx.create(note, small)), limits)
  assert.ok((await make(50)).ok)
  assert.deepEqual(await make(100), {
    ok: false,
    kind: 'too-large',
    of: 'maxTransactionBytes',
    limit: 100_000,
  })
  assert.deepEqual(await make(101), {
    ok: false,
    kind: 'too-large',
    of: 'maxTransactionNodes',
    limit: 100,
  })
  const spoken = await submit(
    (tx) => tx.exercise(say, tx.create(note, small), 'y'.repeat(100_000)),
    limits,
  )
  assert.deepEqual(spoken, {
    ok: false,
    kind: 'too-large',
    of: 'maxTransactionBytes',
    limit: 100_000,
  })
})
