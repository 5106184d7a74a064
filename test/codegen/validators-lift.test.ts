// What lifting makes of checked JSON: bigint for int64, doubles for other numbers, defaults,
// through unions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from '../../codegen/ir.ts'
import { factsOf } from '../../codegen/emit/validators-facts.ts'
import { liftName, needsLift } from '../../codegen/emit/validators.ts'
import { irOf, load } from './validators-kit.ts'

const int64: Schema = { type: 'integer', format: 'int64' }
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

async function lifted(
  schema: Schema,
  value: unknown,
  others: Readonly<Record<string, Schema>> = {},
): Promise<unknown> {
  const printed = await load(irOf({ ...others, Tested: schema }))
  assert.deepEqual(printed.check('Tested', value), [])
  return printed.lift('Tested', value)
}

test('int64 becomes bigint wherever it stands, other long numbers become doubles', async () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      offset: int64,
      none: int64,
      list: { type: 'array', items: ref('Offset') },
      size: { type: 'number' },
      any: {},
    },
    additionalProperties: { anyOf: [int64, { type: 'null' }] },
    patternProperties: { '^p': { type: ['integer', 'null'], format: 'int64' } },
  }
  const numbers = {
    offset: 1,
    list: [1, 9007199254740993n],
    size: 12345678901234567890n,
    any: 9007199254740993n,
  }
  const value = { ...numbers, x: 2, y: null, p: 3, pn: null }
  assert.deepEqual(await lifted(schema, value, { Offset: int64 }), {
    offset: 1n,
    list: [1n, 9007199254740993n],
    size: 12345678901234567890,
    any: 9007199254740993n,
    x: 2n,
    y: null,
    p: 3n,
    pn: null,
  })
})

test('defaults fill in what is missing, and are lifted themselves', async () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      limit: { ...int64, default: 10 },
      name: { type: 'string', default: "a'b" },
      list: { type: 'array', default: [] },
      on: ref('Flag'),
      given: { type: 'boolean', default: true },
      inner: { type: 'object', properties: { deep: { type: 'integer', default: 1 } } },
    },
  }
  const expected = {
    limit: 10n,
    name: "a'b",
    list: [],
    on: false,
    given: false,
    inner: { deep: 1 },
  }
  const others: Record<string, Schema> = { Flag: { type: 'boolean', default: false } }
  assert.deepEqual(await lifted(schema, { given: false, inner: {} }, others), expected)
})

test('a default never turns one variant of a union into another', async () => {
  const wrapped = (key: string): Schema => {
    return { type: 'object', required: [key], properties: { [key]: { ...int64, default: 1 } } }
  }
  assert.deepEqual(await lifted({ oneOf: [wrapped('A'), wrapped('B')] }, { A: 2 }), { A: 2n })
})

test('unions lift the variant that was checked', async () => {
  const others: Record<string, Schema> = {
    Event: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, at: int64 },
    },
    Note: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' }, at: { type: 'integer' } },
    },
  }
  const tagged: Schema = {
    oneOf: [ref('Event'), ref('Note')],
    discriminator: { propertyName: 'kind' },
  }
  assert.deepEqual(await lifted(tagged, { kind: 'Event', at: 1 }, others), {
    kind: 'Event',
    at: 1n,
  })
  assert.deepEqual(await lifted(tagged, { kind: 'Note', at: 1 }, others), { kind: 'Note', at: 1 })
  const tried: Schema = {
    anyOf: [
      { type: 'object', required: ['a'], properties: { a: int64, c: { type: 'string' } } },
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'integer' } },
      },
    ],
  }
  assert.deepEqual(await lifted(tried, { a: 1, b: 2 }), { a: 1n, b: 2 })
  assert.deepEqual(await lifted(tried, { a: 1, b: 2, c: 3 }), { a: 1, b: 2, c: 3 })
})

test('recursive schemas lift to the last level', async () => {
  const tree: Schema = {
    type: 'object',
    properties: { at: int64, next: { oneOf: [ref('Tested'), { type: 'null' }] } },
  }
  assert.deepEqual(await lifted(tree, { at: 1, next: { at: 2, next: null } }), {
    at: 1n,
    next: { at: 2n, next: null },
  })
})

test('a property called __proto__ is lifted as data', async () => {
  const schema: Schema = {
    type: 'object',
    properties: JSON.parse('{"__proto__":{"type":"integer","format":"int64","default":4}}'),
  }
  const result = await lifted(schema, {})
  assert.deepEqual(Object.entries(result ?? {}), [['__proto__', 4n]])
  assert.equal(Object.getPrototypeOf(result), Object.prototype)
})

test('lifts are printed only where something can change', async () => {
  const far: Schema = { type: 'array', items: ref('Near') }
  const ir = irOf({
    Plain: { type: 'string' },
    Number: { type: 'number' },
    Far: far,
    Near: { allOf: [int64] },
  })
  const printed = await load(ir)
  const names = Object.keys(printed.exports).filter((name) => name.startsWith('lift_'))
  assert.deepEqual(names.sort(), ['Far', 'Near', 'Number'].map(liftName))
  assert.deepEqual(
    Object.keys(ir.schemas).map((name) => [
      factsOf(ir).hasInt64(ref(name)),
      needsLift(ir, ref(name)),
    ]),
    [
      [false, false],
      [false, false],
      [true, true],
      [true, true],
    ],
  )
  assert.equal(
    needsLift(ir, { type: 'object', properties: { a: { type: 'string', default: 'x' } } }),
    true,
  )
})
