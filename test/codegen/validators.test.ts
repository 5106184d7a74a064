// What the printed validators report, and where: pointers, keywords, x-error, odd keys, depth,
// integers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from '../../codegen/ir.ts'
import { factsOf } from '../../codegen/emit/validators-facts.ts'
import { checkName, printValidators } from '../../codegen/emit/validators.ts'
import { brief, irOf, load } from './validators-kit.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

async function issuesOf(
  schema: Schema,
  value: unknown,
  others: Readonly<Record<string, Schema>> = {},
) {
  const printed = await load(irOf({ ...others, Tested: schema }))
  return printed.check('Tested', value)
}

test('all violations are reported together, each at its own pointer', async () => {
  const schema: Schema = {
    type: 'object',
    required: ['id', 'a/b~c'],
    properties: {
      id: { type: 'string' },
      'a/b~c': {},
      list: { type: 'array', items: { type: 'string', minLength: 2, pattern: '^x' } },
    },
    additionalProperties: false,
  }
  const issues = await issuesOf(schema, { list: ['xx', 'y', 5], 'e/f': 1 })
  assert.deepEqual(brief(issues).toSorted(), [
    '/a~1b~0c required',
    '/e~1f additionalProperties',
    '/id required',
    '/list/1 minLength',
    '/list/1 pattern',
    '/list/2 type',
  ])
})

test('an issue has the shape of the wire contract, with the value of a scalar only', async () => {
  const schema: Schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
  }
  assert.deepEqual(await issuesOf(schema, { a: 5, b: [] }), [
    { in: 'body', pointer: '/a', keyword: 'type', message: 'must be string', value: 5 },
    { in: 'body', pointer: '/b', keyword: 'type', message: 'must be string' },
  ])
})

const variants = {
  Create: { type: 'object', required: ['template'], properties: { template: { type: 'string' } } },
  Exercise: {
    type: 'object',
    required: ['choice'],
    properties: { choice: { type: 'string', minLength: 1 } },
  },
} as const satisfies Record<string, Schema>

const command: Schema = {
  oneOf: [
    { type: 'object', required: ['Create'], properties: { Create: ref('Create') } },
    { type: 'object', required: ['Exercise'], properties: { Exercise: ref('Exercise') } },
  ],
}

test('findings in an externally tagged union point into the variant that the tag names', async () => {
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [{ Create: { template: 5 } }, ['/Create/template type']],
    [{ Exercise: { choice: '' } }, ['/Exercise/choice minLength']],
    [{ Exercise: {} }, ['/Exercise/choice required']],
    [{}, [' oneOf']],
    [{ Create: { template: 'a' }, Exercise: { choice: 'b' } }, [' oneOf']],
    [{ Create: { template: 'a' }, Exercise: 5 }, []],
    ['text', [' type']],
  ]
  const printed = await load(irOf({ ...variants, Tested: { type: 'array', items: command } }))
  for (const [value, expected] of cases) {
    assert.deepEqual(
      brief(printed.check('Tested', [value])),
      expected.map((one) => `/0${one}`),
      JSON.stringify(value),
    )
  }
})

test('a discriminator chooses the variant by mapping and by schema name', async () => {
  const schema: Schema = {
    oneOf: [ref('Create'), ref('Exercise')],
    discriminator: { propertyName: 'kind', mapping: { make: '#/components/schemas/Create' } },
  }
  const printed = await load(irOf({ ...variants, Tested: schema }))
  assert.deepEqual(brief(printed.check('Tested', { kind: 'make' })), ['/template required'])
  assert.deepEqual(brief(printed.check('Tested', { kind: 'Exercise', choice: 1 })), [
    '/choice type',
  ])
  assert.deepEqual(brief(printed.check('Tested', { kind: 'other' })), ['/kind discriminator'])
  assert.deepEqual(brief(printed.check('Tested', {})), ['/kind required'])
})

test('constants of a shared required property choose the variant', async () => {
  const branch = (kind: string, type: 'integer' | 'string'): Schema => ({
    type: 'object',
    required: ['kind', 'x'],
    properties: { kind: { type: 'string', enum: [kind] }, x: { type } },
  })
  const schema: Schema = {
    anyOf: [branch('i', 'integer'), branch('s', 'string'), { type: 'null' }],
  }
  const printed = await load(irOf({ Tested: schema }))
  assert.deepEqual(brief(printed.check('Tested', { kind: 's', x: 1 })), ['/x type'])
  assert.deepEqual(brief(printed.check('Tested', { kind: 'q', x: 1 })), ['/kind anyOf'])
  assert.deepEqual(printed.check('Tested', null), [])
})

test('names that every object inherits are plain data', async () => {
  const properties =
    '{"__proto__":{"type":"integer"},"constructor":{"type":"string"},"toString":{"type":"integer"}}'
  const schema: Schema = {
    type: 'object',
    required: ['constructor', '__proto__'],
    properties: JSON.parse(properties),
    additionalProperties: { type: 'boolean' },
  }
  const printed = await load(irOf({ Tested: schema }))
  assert.deepEqual(brief(printed.check('Tested', {})).toSorted(), [
    '/__proto__ required',
    '/constructor required',
  ])
  const right: unknown = JSON.parse('{"__proto__":1,"constructor":"a"}')
  assert.deepEqual(printed.check('Tested', right), [])
  const wrong: unknown = JSON.parse(
    '{"__proto__":"x","constructor":1,"toString":{},"hasOwnProperty":1}',
  )
  assert.deepEqual(brief(printed.check('Tested', wrong)).toSorted(), [
    '/__proto__ type',
    '/constructor type',
    '/hasOwnProperty type',
    '/toString type',
  ])
})

test('a recursive schema follows 500 levels, refuses more, and never overflows', async () => {
  const printed = await load(
    irOf({
      Tree: {
        type: 'object',
        properties: { next: ref('Tree'), at: { type: 'integer', format: 'int64' } },
      },
      Any: { type: 'object', additionalProperties: true },
    }),
  )
  const nested = (levels: number): unknown =>
    JSON.parse('{"next":'.repeat(levels) + '{"at":1}' + '}'.repeat(levels))
  assert.deepEqual(printed.check('Tree', nested(500)), [])
  const [issue, ...others] = printed.check('Tree', nested(100_000))
  assert.equal(others.length, 0)
  assert.equal(issue?.keyword, 'type')
  assert.equal(issue?.pointer, '/next'.repeat(501))
  assert.match(issue?.message ?? '', /nested deeper than 500 levels/u)
  assert.deepEqual(printed.check('Any', nested(100_000)), [])
  printed.lift('Tree', nested(100_000))
})

test('at most 1000 violations are kept, and unions still tell right from wrong', async () => {
  const wrong = Array.from({ length: 5000 }, () => 0)
  const schema: Schema = {
    oneOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'boolean' } },
      { type: 'array', minItems: 5000 },
    ],
  }
  assert.equal((await issuesOf({ type: 'array', items: { type: 'string' } }, wrong)).length, 1000)
  assert.deepEqual(await issuesOf(schema, wrong), [])
})

test('uniqueItems compares deeply, whatever the order of keys, and survives deep values', async () => {
  const schema: Schema = { type: 'array', uniqueItems: true }
  assert.deepEqual(
    brief(
      await issuesOf(schema, [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ]),
    ),
    [' uniqueItems'],
  )
  assert.deepEqual(
    await issuesOf(schema, [1, '1', true, null, 'null', [1], ['1'], { a: 1 }, { a: '1' }]),
    [],
  )
  assert.deepEqual(brief(await issuesOf(schema, [5, 5n])), [' uniqueItems'])
  const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))
  assert.deepEqual(await issuesOf(schema, [deep, deep]), [])
})

test('x-error comes from the nearest schema, also through a reference', async () => {
  const schema: Schema = {
    type: 'object',
    required: ['id', 'name', 'meta'],
    'x-error': 'outer',
    properties: {
      id: { type: 'string', 'x-error': { code: 'MISSING_FIELD', field: 'id' } },
      name: { type: 'string' },
      meta: { $ref: '#/components/schemas/Meta', 'x-error': 'meta' },
      list: { type: 'array', 'x-error': 'list', items: { type: 'string' } },
    },
  }
  const others: Record<string, Schema> = {
    Meta: {
      type: 'object',
      required: ['version'],
      properties: {
        key: { type: 'string', pattern: '^k', 'x-error': 'key' },
        size: { type: 'integer' },
      },
    },
  }
  const issues = await issuesOf(schema, { list: [1], meta: { key: 'x', size: 'x' } }, others)
  assert.deepEqual(Object.fromEntries(issues.map((one) => [one.pointer, one.error])), {
    '/id': { code: 'MISSING_FIELD', field: 'id' },
    '/name': 'outer',
    '/list/0': 'list',
    '/meta/key': 'key',
    '/meta/size': 'meta',
    '/meta/version': undefined,
  })
  const missing = await issuesOf(schema, { id: 'a', name: 'b' }, others)
  assert.deepEqual(
    missing.map((one) => [one.pointer, one.keyword, one.error]),
    [['/meta', 'required', 'meta']],
  )
})

test('integers are exact: safe range, int32, int64 as bigint', async () => {
  const table: readonly (readonly [Schema, unknown, readonly string[]])[] = [
    [{ type: 'integer' }, 9007199254740991, []],
    [{ type: 'integer' }, 9007199254740991n, []],
    [{ type: 'integer' }, 9007199254740993n, [' type']],
    [{ type: 'integer' }, 1e300, [' type']],
    [{ type: 'integer', format: 'int32' }, 2147483648, [' format']],
    [{ type: 'integer', format: 'int32' }, 1.5, [' type']],
    [{ type: 'integer', format: 'int64' }, 9223372036854775807n, []],
    [{ type: 'integer', format: 'int64' }, 9223372036854775808n, [' format']],
    [{ type: 'integer', format: 'int64' }, 9007199254740992, [' format']],
    [{ type: ['integer', 'null'], format: 'int64' }, 9223372036854775808n, [' format']],
    [{ type: ['string', 'integer'], format: 'int32' }, 2147483648, [' format']],
    [{ type: ['integer', 'null'], format: 'int64' }, 1.5, [' type']],
    [{ type: 'integer', format: 'int64', minimum: 0 }, -1n, [' minimum']],
    [
      { type: 'integer', format: 'int64', maximum: 9223372036854775806n },
      9223372036854775807n,
      [' maximum'],
    ],
    [{ type: 'integer', format: 'int64', enum: [5] }, 5n, []],
    [{ type: 'number' }, 12345678901234567890n, []],
    [{ type: 'number' }, Infinity, [' type']],
    [{ type: 'number', multipleOf: 0.1 }, 0.3, []],
    [{ type: 'number', multipleOf: 0.01 }, 0.015, [' multipleOf']],
    [{ type: 'integer', format: 'int64', multipleOf: 10 }, 9223372036854775800n, []],
    [{ type: 'number', multipleOf: 1e-7 }, 1.5, []],
  ]
  for (const [schema, value, expected] of table) {
    const told = `${JSON.stringify(schema, literalText)} ${String(value)}`
    assert.deepEqual(brief(await issuesOf(schema, value)), expected, told)
  }
})

function literalText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

test('a check changes nothing and accepts properties that are undefined as absent', async () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      a: { type: 'integer', default: 5, format: 'int64' },
      b: { type: 'array', uniqueItems: true },
    },
    additionalProperties: false,
  }
  const value = Object.freeze({ a: 1, b: Object.freeze([{ c: 1 }]), d: undefined })
  assert.deepEqual(await issuesOf(schema, value), [])
})

test("a schema that is defined by itself alone, or a root with a component's name, is refused when printing", () => {
  const loop = irOf({ A: { allOf: [ref('B')] }, B: ref('A') })
  assert.throws(() => printValidators(loop, []), /A of fixture is defined by itself/u)
  assert.throws(
    () => printValidators(irOf({ A: true }), [{ name: 'A', schema: true }]),
    /root A of fixture/u,
  )
})

test('different names stay different, and roots get functions of their own', async () => {
  assert.notEqual(checkName('a-b'), checkName('a_b'))
  const ir = irOf({ 'a-b': { type: 'string' }, a_b: { type: 'integer' } })
  const printed = await load(ir, [{ name: 'listBody', schema: ref('a-b') }])
  assert.deepEqual(printed.check('a-b', 'x'), [])
  assert.deepEqual(printed.check('a_b', 1), [])
  assert.deepEqual(brief(printed.check('listBody', 1)), [' type'])
})

test('the same schemas are printed as the same bytes', () => {
  const ir = () => irOf({ ...variants, Tested: command })
  assert.equal(printValidators(ir(), []), printValidators(ir(), []))
  assert.equal(factsOf(ir()).hasInt64(ref('Tested')), false)
})
