// What is generated grows with the document, however its schemas are knotted: references that meet
// again and again, unions beside unions, types that reach themselves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emitForConformance } from '../../codegen/index.ts'
import { printed } from './arbitraries-kit.ts'
import { loadText, tempFolder } from './generator-kit.ts'

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

/** From the first to the last there are 2^20 ways. */
const diamonds: Schemas = {
  ...numbered(20, (index) => ({ allOf: refs(`A${index}`, `B${index}`) })),
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, index) =>
      ['A', 'B'].map(
        (side) =>
          [
            `${side}${index}`,
            {
              allOf: [
                ...(index < 19 ? refs(`S${index + 1}`) : []),
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

function documentOf(schemas: Schemas): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Knots', version: '1' },
    paths: {},
    components: { schemas },
  })
}

for (const [what, schemas] of Object.entries({ circles, everything, diamonds, unions })) {
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
