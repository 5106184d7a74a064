// Values are the judge: what was valid and is no longer must be called breaking, other spelling
// must not. Printed validators say which values are valid, the schemas and their edits are drawn
// from a SEED. DIFF_SCHEMAS sets how many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change } from '../../codegen/diff/change.ts'
import type { Side } from '../../codegen/diff/level.ts'
import { diffInterfaces } from '../../codegen/diff/diff-interfaces.ts'
import type { LoadedInterface } from '../../codegen/index.ts'
import { dice } from './diff-edits.ts'
import type { Json } from './diff-edits.ts'
import { loadData } from './diff-kit.ts'
import { CHANGES, editedBy, REFACTORINGS, schemaOf, SHARED } from './diff-semantics.ts'
import { load } from './validators-kit.ts'
import type { PrintedModule } from './validators-kit.ts'
import { damaged, randomOf, valueOf } from './validators-values.ts'

const SEED = Number(process.env['SEED'] ?? 1)
const COUNT = Number(process.env['DIFF_SCHEMAS'] ?? 120)
const VALUES = 90

type Pair = readonly [before: Json, after: Json]

function pairs(edits: typeof CHANGES): readonly Pair[] {
  return Array.from({ length: COUNT }, (_, index) => {
    const draw = dice(SEED * 1000 + index)
    const before = schemaOf(draw)
    return [before, editedBy(before, edits, draw)]
  })
}

/** A document that sends and receives values of each schema. */
function documentOf(schemas: readonly Json[]): LoadedInterface {
  const content = (name: string): Json => ({
    'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
  })
  const paths = schemas.map((_, index): [string, Json] => [
    `/t${index}`,
    {
      put: {
        operationId: `Sent${index}`,
        requestBody: { content: content(`Sent${index}`) },
        responses: { 204: { description: 'ok' } },
      },
      get: {
        operationId: `Received${index}`,
        responses: { 200: { description: 'ok', content: content(`Received${index}`) } },
      },
    },
  ])
  const twice = schemas.flatMap((schema, index): [string, Json][] => [
    [`Sent${index}`, schema],
    [`Received${index}`, schema],
  ])
  return loadData({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: { ...SHARED, ...Object.fromEntries(twice) } },
  })
}

/** Values that are valid on one side only, where some are found. */
function differing(
  name: string,
  [before, after]: readonly [LoadedInterface, LoadedInterface],
  old: PrintedModule,
  now: PrintedModule,
): {
  readonly lost: unknown
  readonly won: unknown
} {
  const random = randomOf(SEED)
  const found: { lost: unknown; won: unknown } = { lost: undefined, won: undefined }
  for (let round = 0; round < VALUES; round += 1) {
    const isOld = round % 2 === 0
    const { ir } = isOld ? before : after
    const drawn = valueOf(ir, ir.schemas[name] ?? true, random)
    const value = round % 3 === 0 ? damaged(drawn, random) : drawn
    const [was, is] =
      value === undefined
        ? [true, true]
        : [old.check(name, value).length === 0, now.check(name, value).length === 0]
    if (was && !is && isOld) found.lost ??= value
    if (is && !was && !isOld) found.won ??= value
  }
  return found
}

/** Changes by the operation that they reach. */
function byOperation(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const reached = changes.flatMap((change) =>
    [...new Set([change.place, ...change.operations.map(({ operationId }) => operationId)])].map(
      (place) => [place, change] as const,
    ),
  )
  return new Map(
    [...Map.groupBy(reached, ([place]) => place)].map(([place, list]) => [
      place,
      list.map(([, change]) => change),
    ]),
  )
}

/**
 * What adds a property is additive by agreement, whatever open objects and strict readers held
 * under its name.
 */
const GROWTH: ReadonlySet<string> = new Set([
  'property-added-optional',
  'property-added-required',
  'additional-properties-allowed',
])

test(`values that are no longer valid, or newly, are breaking: seed ${SEED}`, async (t) => {
  const drawn = pairs(CHANGES)
  const sides = [
    documentOf(drawn.map(([before]) => before)),
    documentOf(drawn.map(([, after]) => after)),
  ] as const
  const [old, now] = [await load(sides[0].ir), await load(sides[1].ir)]
  const changes = byOperation(diffInterfaces(...sides))
  let count = 0
  for (const [index, pair] of drawn.entries()) {
    const { lost, won } = differing(`Sent${index}`, sides, old, now)
    const must = (name: string, side: Side, value: unknown): void => {
      const found = changes.get(name) ?? []
      const isExempt =
        found.some(({ rule }) => GROWTH.has(rule)) &&
        (side === 'callers') === name.startsWith('Received')
      const shown = found.map(({ rule, message }) => `${message} [${rule}]`).join('\n')
      const isSaid = found.some((change) => change[side] === 'breaking')
      assert.ok(
        isSaid || isExempt,
        `SEED=${SEED} ${name} for ${side}: ${JSON.stringify([...pair, value])}\n${shown}`,
      )
    }
    if (lost !== undefined) must(`Sent${index}`, 'callers', lost)
    if (lost !== undefined) must(`Received${index}`, 'implementers', lost)
    if (won !== undefined) must(`Received${index}`, 'callers', won)
    count += lost === undefined && won === undefined ? 0 : 1
  }
  t.diagnostic(`${count} of ${drawn.length} edits change what is valid`)
  assert.ok(count > 0)
})

test(`what is only written in another way is editorial: seed ${SEED}`, () => {
  const drawn = pairs(REFACTORINGS)
  const changes = byOperation(
    diffInterfaces(
      documentOf(drawn.map(([before]) => before)),
      documentOf(drawn.map(([, after]) => after)),
    ),
  )
  for (const [index, pair] of drawn.entries()) {
    const found = [
      ...(changes.get(`Sent${index}`) ?? []),
      ...(changes.get(`Received${index}`) ?? []),
    ].filter(({ level }) => level !== 'editorial')
    assert.deepEqual(
      found.map(({ rule, message }) => `${message} [${rule}]`),
      [],
      `SEED=${SEED} ${JSON.stringify(pair)}`,
    )
  }
})
