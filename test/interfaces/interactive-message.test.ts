// What the service writes of a prepared transaction: for any values of any template and choice it
// reads its own bytes back, and its hash is the one that the independent reading computes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { templateTypes } from '../../generated/contracts.gen.ts'
import { decimal, int, time } from '../../generated/contract-codec.gen.ts'
import type { Shaped } from '../../generated/contract-codec.gen.ts'
import { fromJson, toJson } from '../../runtime/participant/interactive/ledger-value.ts'
import { decodeMessage, encodeMessage } from '../../runtime/participant/interactive/message.ts'
import type {
  CreateMessage,
  ExerciseMessage,
  PreparedMessage,
} from '../../runtime/participant/interactive/message.ts'
import { hashPrepared } from '../../runtime/participant/interactive/prepared-hash.ts'
import { OWN_WORDS } from '../../runtime/participant/interactive/wire-words.ts'
import { publicHashes } from './public-hash.ts'

/** Levels of values that are drawn at random; below them they are as small as can be. */
const LEVELS = 6
const MAX_NODES = 6

const bytesHex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => hexOf(bytes))
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((one) => !one.includes('\0'))
const contractId = bytesHex(49).map((hex) => `00${hex.slice(2)}`)
const micros = fc.bigInt({ min: 0n, max: 4_102_444_800_000_000n })
const days = fc.integer({ min: 0, max: 40_000 })
const decimals = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
const ints = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

/** JSON forms of a type's values. */
function valuesOf({ shape }: Shaped, level = 0): fc.Arbitrary<unknown> {
  const isDeep = level >= LEVELS
  const inner = (of: Shaped): fc.Arbitrary<unknown> => valuesOf(of, level + 1)
  switch (shape.kind) {
    case 'unit':
      return fc.constant({})
    case 'bool':
      return fc.boolean()
    case 'int':
      return ints.map((value) => int.encode(value))
    case 'date':
      return days.map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
    case 'decimal':
    case 'numeric':
      return decimals.map((value) => decimal.encode(value))
    case 'time':
      return micros.map((value) => time.encode(value))
    case 'text':
    case 'party':
      return text
    case 'contractId':
      return contractId
    case 'enum':
      return fc.constantFrom('One', 'Other')
    case 'optional':
      return isDeep ? fc.constant(null) : fc.option(inner(shape.of))
    case 'list':
      return isDeep ? fc.constant([]) : fc.array(inner(shape.of), { maxLength: 3 })
    case 'textMap':
      return isDeep
        ? fc.constant({})
        : fc.dictionary(text, inner(shape.of), { maxKeys: 3, noNullPrototype: true })
    case 'map':
      return isDeep
        ? fc.constant([])
        : fc.array(fc.tuple(inner(shape.key), inner(shape.value)), { maxLength: 3 })
    case 'record':
      return fc.record(Object.fromEntries(shape.fields.map(([name, of]) => [name, inner(of)])), {
        noNullPrototype: true,
      })
    case 'variant': {
      const cases = [...shape.cases].slice(0, isDeep ? 1 : undefined)
      return fc.oneof(
        ...cases.map(([tag, of]) => inner(of).map((value) => ({ tag: String(tag), value }))),
      )
    }
  }
}

const parties = fc.uniqueArray(text, { maxLength: 3 })
const identifier = fc.record({ packageId: text, moduleName: text, entityName: text })
const templates = Object.values(templateTypes).map((type) => ({
  name: type.name,
  payload: type.payload,
  choices: Object.values({ ...type.interfaceChoices, ...type.choices }),
}))
const naming = { of: '', words: OWN_WORDS }
const valueOf = (of: Shaped) => valuesOf(of).map((json) => fromJson(of, json, naming))
const head = fc.record({
  lfVersion: fc.constant('2.1'),
  contractId,
  packageName: text,
  templateId: identifier,
  signatories: parties,
  stakeholders: parties,
})
const create: fc.Arbitrary<CreateMessage> = fc
  .constantFrom(...templates)
  .chain(({ payload }) => fc.tuple(head, valueOf(payload)))
  .map(([one, argument]) => ({ kind: 'create', ...one, argument }))
const exercise: fc.Arbitrary<ExerciseMessage> = fc
  .constantFrom(...templates.flatMap(({ choices }) => choices))
  .chain(({ argument, result }) =>
    fc.tuple(
      head,
      fc.record({
        actingParties: parties,
        interfaceId: fc.option(identifier, { nil: undefined }),
        choiceId: text,
        chosenValue: valueOf(argument),
        consuming: fc.boolean(),
        exerciseResult: fc.option(valueOf(result), { nil: undefined }),
        choiceObservers: parties,
      }),
    ),
  )
  .map(([one, other]) => ({ kind: 'exercise', ...one, ...other, children: [] }))

/** Nodes in pre-order: each is below one of those that are open, or below none. */
const nodes = fc
  .array(fc.tuple(fc.oneof(create, exercise), fc.nat(MAX_NODES)), {
    minLength: 1,
    maxLength: MAX_NODES,
  })
  .map((drawn) => {
    const roots: string[] = []
    const children = drawn.map((): string[] => [])
    let open: number[] = []
    for (const [at, [node, depth]] of drawn.entries()) {
      open = open.slice(0, depth)
      const above = open.at(-1)
      const siblings = above === undefined ? roots : children[above]
      siblings?.push(String(at))
      if (node.kind === 'exercise') open.push(at)
    }
    const made = drawn.map(([node], at) => ({
      nodeId: String(at),
      node: node.kind === 'exercise' ? { ...node, children: children[at] ?? [] } : node,
    }))
    return { roots, nodes: made }
  })

const message: fc.Arbitrary<PreparedMessage> = fc
  .tuple(
    nodes,
    fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), {
      minLength: MAX_NODES,
      maxLength: MAX_NODES,
    }),
    fc.record({
      submitter: fc.record({ actAs: parties, commandId: text }),
      synchronizerId: text,
      mediatorGroup: fc.nat(),
      transactionUuid: fc.uuid(),
      preparationTime: micros,
      inputs: fc.array(
        fc.record({ create, createdAt: micros, eventBlob: fc.uint8Array({ maxLength: 9 }) }),
        { maxLength: 2 },
      ),
      minLedgerTime: fc.option(micros, { nil: undefined }),
      maxLedgerTime: fc.option(micros, { nil: undefined }),
      maxRecordTime: micros,
    }),
  )
  .map(([tree, seeds, metadata]) => ({
    transaction: {
      version: '2.1',
      ...tree,
      seeds: seeds.slice(0, tree.nodes.length).map((seed, node) => ({ node, seed })),
    },
    metadata,
  }))

test('the hash of any transaction is the public one, and its bytes say what it was', () => {
  fc.assert(
    fc.property(message, (given) => {
      const bytes = encodeMessage(given)
      const decoded = decodeMessage(bytes)
      assert.ok(typeof decoded !== 'string', String(decoded))
      const [own, read] = [hashPrepared(given), hashPrepared(decoded)]
      const expected = publicHashes(bytes)
      for (const hashes of [own, read]) {
        assert.equal(hexOf(hashes.transaction), hexOf(expected.transaction))
        assert.equal(hexOf(hashes.metadata), hexOf(expected.metadata))
        assert.equal(hexOf(hashes.prepared), hexOf(expected.prepared))
      }
      assert.deepEqual(encodeMessage(decoded), bytes)
    }),
    { numRuns: 150 },
  )
})

test('values of every template and choice come back as they were', () => {
  for (const { name, payload, choices } of templates) {
    const types = [payload, ...choices.flatMap(({ argument, result }) => [argument, result])]
    for (const of of types)
      fc.assert(
        fc.property(valuesOf(of), (json) => {
          assert.deepEqual(toJson(of, fromJson(of, json, naming), naming), json, name)
        }),
        { numRuns: 5 },
      )
  }
})
