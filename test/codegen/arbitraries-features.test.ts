// Keywords and styles one by one in a small document: values and flaws hold, types are exact,
// recursion ends, and the rules that a schema states are the ones that get broken.
import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadInterface } from '../../codegen/index.ts'
import type { FlawedCase, InterfaceArbitraries } from '../../codegen/emit/support/arbitrary.ts'
import { draw, problems, printed, schemaBodies, show } from './arbitraries-kit.ts'
import {
  fixture,
  generateInto,
  loadText,
  PROJECT,
  put,
  tempFolder,
  typeCheck,
} from './generator-kit.ts'

const loaded = loadInterface(fixture('arbitraries.yaml'))
const DRAWS = 150
const INTEGER = `openapi: 3.1.0
info: { title: Counts, version: '1' }
paths: { /counts: { get: { operationId: counts, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Count' } } } } } } } }
components: { schemas: { Count: { type: integer, maximum: -9007199254740990 } } }
`

function drawn(made: InterfaceArbitraries, name: string): readonly FlawedCase[] {
  const arbitrary = made.operations[name]?.flawed
  return arbitrary === undefined ? [] : draw(arbitrary, DRAWS)
}

test('each rule of a schema is among its flaws', async (t) => {
  const { made } = await printed(tempFolder(t), schemaBodies(loaded))
  const rules = (name: string): readonly string[] => {
    return [...new Set(drawn(made, name).map(({ flaw }) => `${flaw.pointer} ${flaw.rule}`))]
      .filter((rule) => rule !== ' syntax')
      .sort()
  }
  assert.deepEqual(rules('Point'), [
    ' type',
    '/unexpected additionalProperties',
    '/x required',
    '/x type',
    '/y required',
    '/y type',
  ])
  assert.deepEqual(rules('NotThree'), [' maximum', ' minimum', ' type'])
  assert.deepEqual(rules('Overlap'), [' type'])
  assert.deepEqual(rules('Whatever'), [])
  const numbers = rules('Numbers')
  for (const rule of [
    '/small maximum',
    '/above exclusiveMinimum',
    '/step multipleOf',
    '/cents multipleOf',
    '/third enum',
    '/long format',
  ]) {
    assert.ok(numbers.includes(rule), `${rule} is not in ${numbers.join(', ')}`)
  }
  const maps = rules('Maps')
  for (const rule of [
    '/sizes minProperties',
    '/sizes maxProperties',
    '/shut/unexpected additionalProperties',
  ]) {
    assert.ok(maps.includes(rule), `${rule} is not in ${maps.join(', ')}`)
  }
  const lists = rules('Lists')
  for (const rule of [
    '/unique uniqueItems',
    '/few maxItems',
    '/full minItems',
    '/pair minItems',
    '/pair/2 items',
  ]) {
    assert.ok(lists.includes(rule), `${rule} is not in ${lists.join(', ')}`)
  }
})

test('parameters of every style and bodies of every kind survive the wire', async (t) => {
  const { made, routes } = await printed(tempFolder(t), loaded)
  for (const operation of loaded.ir.operations) {
    const route =
      routes.operations.find((one) => one.operationId === operation.operationId) ??
      assert.fail(operation.operationId)
    const arbitraries = made.operations[operation.operationId] ?? assert.fail(operation.operationId)
    for (const one of draw(arbitraries.valid, DRAWS)) {
      assert.deepEqual(problems(operation, route, one), [], `${operation.operationId} ${show(one)}`)
    }
    for (const one of drawn(made, operation.operationId)) {
      const places = new Set(problems(operation, route, one).map((issue) => issue.in))
      assert.deepEqual([...places], [one.flaw.place], `${operation.operationId} ${show(one)}`)
    }
  }
})

test('integers without a format are those that decoders of texts take', async (t) => {
  const folder = tempFolder(t)
  const { made } = await printed(folder, loadText(folder, INTEGER))
  const all = draw(made.schemas['Count'] ?? assert.fail(), DRAWS)
  assert.deepEqual(
    all.filter((value) => !Number.isSafeInteger(value)),
    [],
  )
})

test('limits, examples and optional members all occur; members that are read only stay out of requests', async (t) => {
  const { made } = await printed(tempFolder(t), loaded)
  const sized = draw(made.operations['text']?.valid ?? assert.fail(), DRAWS).map(
    ({ body }) => String(body?.value).length,
  )
  assert.ok(sized.includes(0) && sized.includes(8))
  const things = draw(made.operations['putThing']?.valid ?? assert.fail(), DRAWS).map(({ body }) =>
    show(body?.value),
  )
  assert.ok(
    things.some((thing) => thing.includes('exampled')) &&
      !things.some((thing) => thing.includes('"name":1')),
  )
  assert.ok(things.every((thing) => thing.includes('exampled') || !/"(?:id|kept)"/u.test(thing)))
  assert.ok(
    things.some((thing) => thing.includes('"secret"')) &&
      things.some((thing) => !thing.includes('"secret"')),
  )
  const values = draw(made.schemas['Exampled'] ?? assert.fail(), DRAWS)
  assert.ok(values.some((value) => show(value) === '{"id":"4711n","name":"exampled"}'))
  const trees = draw(made.schemas['Tree'] ?? assert.fail(), DRAWS).map(show)
  assert.ok(
    trees.some((tree) => tree.includes('left')) && trees.some((tree) => !tree.includes('left')),
  )
})

test('a schema that no finite value fits is named when it is read, and hurts no other', async (t) => {
  const folder = tempFolder(t)
  const document = `
openapi: 3.1.0
info: { title: Endless, version: '1' }
x-interface: { name: endless }
paths: {}
components:
  schemas:
    Endless: { type: object, required: [next], properties: { next: { $ref: '#/components/schemas/Endless' } } }
    Fine: { type: object, properties: { next: { $ref: '#/components/schemas/Endless' } } }
`
  const { made } = await printed(folder, loadText(folder, document))
  assert.throws(() => made.schemas['Endless'], /no finite value/u)
  assert.deepEqual(draw(made.schemas['Fine'] ?? assert.fail(), 1), [{}])
})

const USE = `
import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { arbitraries } from './features/arbitraries.gen.ts'
import type { InterfaceArbitraries } from './arbitrary.gen.ts'
import type * as types from './features/types.gen.ts'

const made = arbitraries(fc)
export const common: InterfaceArbitraries = made
export const pet: Arbitrary<types.Pet> = made.schemas.Pet
export const numbers: Arbitrary<{ long: bigint; small: number }> = made.schemas.Numbers
export const thing = made.operations.putThing.valid
// @ts-expect-error a pet is no number
export const wrong: Arbitrary<number> = made.schemas.Pet
// @ts-expect-error there is no such operation
export const none = made.operations.getThing
`

// Without fast-check other tests compile: what they generate has no node_modules beside it.
test('printed arbitraries have exact types where fast-check is there', async (t) => {
  const folder = tempFolder(t)
  await generateInto(folder, fixture('arbitraries.yaml'))
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  put(folder, { 'use.ts': USE })
  assert.equal(typeCheck(folder), '')
})
