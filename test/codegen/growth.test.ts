// What is generated grows with the document, however its schemas are knotted: references that meet
// again and again, unions beside unions, types that reach themselves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emitForConformance, generate } from '../../codegen/index.ts'
import { emitTypes } from '../../codegen/emit/hey-api.ts'
import { printed } from './arbitraries-kit.ts'
import { contents, loadText, put, tempFolder, typeCheck } from './generator-kit.ts'

type Schemas = Readonly<Record<string, object>>

const MOST_GROWTH = 40

function refs(...names: readonly string[]): readonly object[] {
  return names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
}

function numbered(count: number, schema: (index: number) => object): Schemas {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`S${index}`, schema(index)]),
  )
}

/** Every member leads to two others, and two of all are taken together. */
const circles: Schemas = {
  ...numbered(5, (index) => {
    const [x, y] = refs(`S${(index + 1) % 5}`, `S${(index + 2) % 5}`)
    return { type: 'object', properties: { x, y, [`own${index}`]: { type: 'string' } } }
  }),
  Root: { allOf: refs('S0', 'S1') },
}

/** Every schema takes all of them together. */
const everything: Schemas = numbered(6, (index) => ({
  type: 'object',
  properties: {
    all: { type: 'array', items: { allOf: refs('S0', 'S1', 'S2', 'S3', 'S4', 'S5') } },
    next: { type: 'object', allOf: refs(`S${(index + 1) % 6}`) },
  },
}))

/** Schemas with 2^15 ways from the first to the last. */
const diamonds: Schemas = {
  ...numbered(15, (index) => ({ allOf: refs(`A${index}`, `B${index}`) })),
  ...Object.fromEntries(
    Array.from({ length: 15 }, (_, index) =>
      ['A', 'B'].map(
        (side) =>
          [
            `${side}${index}`,
            {
              allOf: [
                ...(index < 14 ? refs(`S${index + 1}`) : []),
                { type: 'object', properties: { [`${side}${index}`]: { type: 'integer' } } },
              ],
            },
          ] as const,
      ),
    ).flat(),
  ),
}

/** 4^10 values of tags. */
const unions: Schemas = {
  ...numbered(10, (index) => ({
    oneOf: Array.from({ length: 4 }, (_, tag) => ({
      type: 'object',
      properties: { [`tag${index}`]: { const: `t${tag}` } },
      required: [`tag${index}`],
    })),
  })),
  Root: { allOf: refs(...Array.from({ length: 10 }, (_, index) => `S${index}`)) },
}

/** Each adds to the one before, and demands a member of it. */
const rows: Schemas = {
  S0: { type: 'object', properties: { own0: { type: 'integer' } }, examples: [{ own0: 7 }] },
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, before) => {
      const index = before + 1
      const properties = {
        [`own${index}`]: { type: 'string', minLength: index, readOnly: index % 7 === 0 },
        ...(index % 10 === 0 ? { [`back${index}`]: refs(`S${before}`)[0] } : {}),
      }
      const added = { required: [`own${before}`], properties }
      return [`S${index}`, { allOf: [...refs(`S${before}`), added] }]
    }),
  ),
}

function documentOf(schemas: Schemas): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Knots', version: '1' },
    paths: {},
    components: { schemas },
  })
}

for (const [what, schemas] of Object.entries({ circles, everything, diamonds, unions, rows })) {
  test(`${what}: the output grows with the document, and its values fit`, async (t) => {
    const folder = tempFolder(t)
    const document = documentOf(schemas)
    const loaded = loadText(folder, document, 'knots.json')
    const own = [...emitForConformance(loaded)].filter(([file]) => file.startsWith('knots/'))
    const size = own.reduce((sum, [, code]) => sum + code.length, 0)
    assert.ok(size < MOST_GROWTH * document.length, `${size} of ${document.length}`)
    const { made, check } = await printed(folder, loaded)
    for (const [name, kind] of Object.entries(made.schemas)) {
      for (const value of fc.sample(kind, { numRuns: 3, seed: 1 })) {
        assert.deepEqual(check(name, value), [], name)
      }
    }
  })
}

test('arbitraries are left out where the configuration says so', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'knots.json': documentOf(circles) })
  const config = { interfaces: [{ spec: 'knots.json', arbitraries: false }], out: 'generated' }
  await generate({ config, root: folder })
  const files = Object.keys(contents(folder))
  assert.ok(files.includes('generated/knots/validators.gen.ts'))
  assert.deepEqual(
    files.filter((file) => file.includes('arbitrar')),
    [],
  )
})

test('a chain of references at which the foreign generator gives up is typed', async (t) => {
  const members = numbered(1_000, (index) => ({
    type: 'object',
    properties: Object.fromEntries(refs(`S${index + 1}`).map((next) => ['next', next])),
  }))
  const document = documentOf({ ...members, S1000: { type: 'string' } })
  const types = await emitTypes(loadText(tempFolder(t), document, 'chain.json').ir)
  assert.match(types, /^export type S998 = \{\n +next\?: S999;?\n\};?$/mu)
})

test('a union of thousands of variants is typed at once', { timeout: 60_000 }, async (t) => {
  const variants = numbered(4_000, (index) => ({
    type: 'object',
    properties: { tag: { const: `t${index}` } },
    required: ['tag'],
  }))
  const document = documentOf({ ...variants, Any: { oneOf: refs(...Object.keys(variants)) } })
  const types = await emitTypes(loadText(tempFolder(t), document, 'union.json').ir)
  assert.match(types, /^export type Any =[\s|]+S0[\s|]+S1\b/mu)
})

test('an object that is printed once for several places takes no name from the document', async (t) => {
  const folder = tempFolder(t)
  const texts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, { type: 'string' }])
  const repeated = { type: 'object', properties: Object.fromEntries(texts) }
  const schemas = {
    Pet: { type: 'object', properties: { owner: repeated, keeper: repeated } },
    pet_keeper: { type: 'object', properties: { mine: { type: 'string' } } },
  }
  put(folder, { 'pets.json': documentOf(schemas) })
  await generate({
    config: { interfaces: [{ spec: 'pets.json' }], out: 'generated' },
    root: folder,
  })
  const types = contents(folder)['generated/pets/types.gen.ts'] ?? ''
  assert.match(types, /export type PetKeeper = \{\s+mine\?: string/u)
})

/** A schema as wide as rows of a spreadsheet. */
const wide: Schemas = {
  Row: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [
        `column${index}`,
        index % 2 === 0
          ? { type: 'integer', format: 'int64', default: 1 }
          : { type: ['string', 'null'], maxLength: 9 },
      ]),
    ),
  },
}

test('the validator of an object with more members than one function bears compiles', (t) => {
  const folder = tempFolder(t)
  const loaded = loadText(folder, documentOf(wide), 'knots.json')
  const files = [...emitForConformance(loaded)].filter(([file]) => file.includes('valid'))
  put(folder, Object.fromEntries(files))
  assert.equal(typeCheck(folder), '')
})

test('a value of such an object is checked and filled in to its last member', async (t) => {
  const folder = tempFolder(t)
  const { check, made } = await printed(folder, loadText(folder, documentOf(wide), 'knots.json'))
  assert.deepEqual(
    check('Row', { column0: 1, column1: 1, column999: 'more than nine' }).map(
      ({ pointer }) => pointer,
    ),
    ['/column1', '/column999'],
  )
  assert.ok(
    fc
      .sample(made.schemas['Row'] ?? fc.constant(0), 1)
      .every((row) => check('Row', row).length === 0),
  )
})
