// Unions: what the types admit is what the checks admit, and some value always passes. Ajv judges
// the same values by the document's own schemas.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { generateInto, loadText, put, tempFolder, typeCheck } from './generator-kit.ts'
import { load } from './validators-kit.ts'

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })

const tagged = (kind: object, more: object = {}): object => ({
  type: 'object',
  properties: { kind, ...more },
  required: ['kind'],
})

interface Case {
  readonly name: string
  readonly schemas: Readonly<Record<string, object>>
  /** Values of the schema Pet, as TypeScript and JSON alike. */
  readonly right: readonly unknown[]
  readonly wrong: readonly unknown[]
  /** Left to the discriminator, of which JSON Schema knows nothing. */
  readonly isBeyondAjv?: true
}

const text = { type: 'string' }
const union = (names: readonly string[], mapping?: object): object => ({
  oneOf: names.map(ref),
  discriminator: { propertyName: 'kind', ...(mapping === undefined ? {} : { mapping }) },
})

const CASES: readonly Case[] = [
  {
    name: 'variants that list their tags, without a mapping',
    schemas: {
      Pet: union(['HouseCat', 'Dog']),
      HouseCat: tagged({ type: 'string', enum: ['house_cat'] }),
      Dog: tagged({ const: 'dog' }, { bark: { type: 'boolean' } }),
    },
    right: [{ kind: 'house_cat' }, { kind: 'dog', bark: true }],
    wrong: [{ kind: 'HouseCat' }, { kind: 'Dog' }, { kind: 'cat' }, {}, null],
  },
  {
    name: 'an enumeration that the variants share is no tag of theirs',
    schemas: {
      Kind: { type: 'string', enum: ['cat', 'dog'] },
      Pet: union(['Cat', 'Dog'], {
        cat: '#/components/schemas/Cat',
        dog: '#/components/schemas/Dog',
      }),
      Cat: tagged(ref('Kind')),
      Dog: tagged(ref('Kind'), { bark: { type: 'boolean' } }),
    },
    right: [{ kind: 'cat' }, { kind: 'dog', bark: true }],
    wrong: [{ kind: 'dog', bark: 1 }, { kind: 'cow' }],
    isBeyondAjv: true,
  },
  {
    name: 'names of schemas in small letters',
    schemas: { Pet: union(['house_cat', 'dog']), house_cat: tagged(text), dog: tagged(text) },
    right: [{ kind: 'house_cat' }, { kind: 'dog' }],
    wrong: [{ kind: 'HouseCat' }, { kind: 'Dog' }],
    isBeyondAjv: true,
  },
  {
    name: 'null beside variants by tag',
    schemas: {
      Pet: {
        oneOf: [ref('Cat'), ref('Dog'), { type: 'null' }],
        discriminator: { propertyName: 'kind' },
      },
      Cat: tagged({ const: 'cat' }),
      Dog: tagged({ const: 'dog' }),
    },
    right: [null, { kind: 'cat' }, { kind: 'dog' }],
    wrong: [{ kind: 'Cat' }, { kind: null }, 'cat'],
  },
  {
    name: 'a discriminator in a part of the base',
    schemas: {
      Base: { allOf: [{ ...tagged(text), discriminator: { propertyName: 'kind' } }] },
      Cat: { allOf: [ref('Base'), { type: 'object', properties: { meow: { type: 'boolean' } } }] },
      Dog: { allOf: [ref('Base'), { type: 'object', properties: { kind: { const: 'dog' } } }] },
      Pet: { oneOf: [ref('Cat'), ref('Dog')] },
    },
    right: [{ kind: 'Cat', meow: true }, { kind: 'dog' }],
    wrong: [{ kind: 'Dog' }, { kind: 'cat' }],
    isBeyondAjv: true,
  },
  {
    name: 'tags that do not tell the variants apart',
    schemas: {
      Pet: union(['Cat', 'Dog']),
      Cat: { ...tagged({ const: 'pet' }, { meow: text }), additionalProperties: false },
      Dog: { ...tagged({ const: 'pet' }, { bark: text }), additionalProperties: false },
    },
    right: [
      { kind: 'pet', meow: 'x' },
      { kind: 'pet', bark: 'x' },
    ],
    wrong: [{ kind: 'cow' }, { kind: 'Cat', meow: 'x' }],
  },
]

const document = (schemas: object): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pet': {
        get: {
          operationId: 'getPet',
          responses: {
            200: { description: 'd', content: { 'application/json': { schema: ref('Pet') } } },
          },
        },
      },
    },
    components: { schemas },
  })

function ajvOf(schemas: object): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, logger: false })
  return ajv.compile({ ...ref('Pet'), components: { schemas } })
}

for (const { name, schemas, right, wrong, isBeyondAjv } of CASES) {
  test(`unions: ${name}`, async (t) => {
    const { ir } = loadText(tempFolder(t), document(schemas), 'pets.json')
    const module = await load(ir)
    const passes = (value: unknown): boolean => module.check('Pet', value).length === 0
    assert.deepEqual(
      right.map(passes),
      right.map(() => true),
    )
    assert.deepEqual(
      wrong.map(passes),
      wrong.map(() => false),
    )
    if (isBeyondAjv === true) return
    const judge = ajvOf(schemas)
    assert.deepEqual([...right, ...wrong].map(judge), [...right, ...wrong].map(passes))
  })
}

test('the types of unions admit what the checks admit', async (t) => {
  const out = tempFolder(t)
  const specs = CASES.map(({ schemas }, index) => {
    put(out, { [`spec/u${index}.json`]: document(schemas) })
    return join(out, `spec/u${index}.json`)
  })
  await generateInto(join(out, 'gen'), ...specs)
  const values = CASES.map(({ right, wrong }, index) => {
    const lines = [
      ...right.map((value) => `  pet(${JSON.stringify(value)})`),
      ...wrong.map((value) => `  // @ts-expect-error\n  pet(${JSON.stringify(value)})`),
    ]
    return `export function u${index}(pet: (value: U${index}) => void): void {\n${lines.join('\n')}\n}\n`
  })
  const imports = CASES.map((_, index) => {
    return `import type { Pet as U${index} } from './gen/u${index}/types.gen.ts'\n`
  })
  put(out, { 'values.ts': `${imports.join('')}${values.join('')}` })
  assert.equal(typeCheck(out), '')
})

test('what is int64 in one part of allOf is bigint, whatever the others say of numbers', async (t) => {
  const out = tempFolder(t)
  const spec = document({
    Count: { type: 'integer', minimum: 0 },
    Big: {
      type: 'integer',
      allOf: [{ type: 'integer', format: 'int64' }, ref('Count')],
    },
    Base: {
      type: 'object',
      properties: {
        id: { type: ['integer', 'null'] },
        near: { type: 'array', items: ref('Base') },
      },
    },
    Pet: {
      allOf: [
        { type: 'object', properties: { big: ref('Big') }, required: ['big'] },
        { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } },
        { type: 'object', properties: { near: { type: 'array', items: ref('Pet') } } },
        ref('Base'),
      ],
    },
  })
  put(out, {
    'spec.json': spec,
    'use.ts': `import type { Pet } from './gen/spec/types.gen.ts'\nexport const pet: Pet = { big: 1n, id: 1n, near: [{ big: 1n, id: 2n }] }\n`,
  })
  await generateInto(join(out, 'gen'), join(out, 'spec.json'))
  assert.equal(typeCheck(out), '')
  const { ir } = loadText(out, spec, 'spec.json')
  const module = await load(ir)
  assert.deepEqual(module.check('Pet', { big: -1 }).length, 1)
  assert.deepEqual(module.lift('Pet', { big: 1 }), { big: 1n })
  assert.deepEqual(module.lift('Pet', { big: 1, id: 1, near: [{ big: 1, id: 2 }] }), {
    big: 1n,
    id: 1n,
    near: [{ big: 1n, id: 2n }],
  })
  assert.deepEqual(module.lift('Pet', { big: 2n ** 60n + 1n }), { big: 2n ** 60n + 1n })
})

test('a discriminator chooses the variant whose faults are said', async (t) => {
  const { ir } = loadText(tempFolder(t), document(CASES[1]?.schemas ?? {}), 'pets.json')
  const { check } = await load(ir)
  assert.deepEqual(
    check('Pet', { kind: 'dog', bark: 'loud' }).map(({ pointer }) => pointer),
    ['/bark'],
  )
})
