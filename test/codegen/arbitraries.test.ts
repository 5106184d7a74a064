// Every schema and operation of every document: what is called valid passes the printed validators
// and decoders, what is called flawed does not, and the flaw is where it is said to be.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { loadInterface } from '../../codegen/index.ts'
import type { FlawedCase } from '../../codegen/emit/support/arbitrary.ts'
import { draw, problems, printed, schemaBodies, SEED, show } from './arbitraries-kit.ts'
import { PROJECT, tempFolder } from './generator-kit.ts'

const DRAWS = Number(process.env['DRAWS'] ?? 10)
const UPSTREAM = resolve(PROJECT, '../shared/upstream')
const OWN = ['ledger', 'validator', 'scan', 'registry'].map((name) =>
  join(PROJECT, `spec/${name}.yaml`),
)

function upstream(): readonly string[] {
  return readdirSync(UPSTREAM, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/u.test(file) && basename(file) !== 'asyncapi.yaml')
    .sort()
    .map((file) => join(UPSTREAM, file))
}

/** Draws values of all schemas, then sound and flawed bodies of each; how many and how long. */
async function schemasHold(t: TestContext, files: readonly string[]): Promise<string> {
  const times = { values: 0, flawed: 0, ms: 0 }
  for (const file of files) {
    const loaded = loadInterface(file)
    const { made, check } = await printed(tempFolder(t), schemaBodies(loaded), false)
    const start = performance.now()
    for (const name of Object.keys(loaded.ir.schemas)) {
      const [valid, operation] = [made.schemas[name], made.operations[name]]
      assert.ok(valid !== undefined && operation !== undefined, name)
      for (const value of draw(valid, DRAWS)) {
        assert.deepEqual(check(name, value), [], `${file} ${name} ${show(value)}`)
        times.values += 1
      }
      for (const { body, flaw } of draw<FlawedCase>(operation.flawed ?? assert.fail(name), DRAWS)) {
        if (body === undefined || body.raw !== undefined) continue
        const issues = check(name, body.value)
        assert.ok(issues.length > 0, `${file} ${name} ${show(flaw)} ${show(body.value)}`)
        times.flawed += 1
      }
    }
    times.ms += performance.now() - start
  }
  return `${times.values} values, ${times.flawed} flawed, ${((times.ms / (times.values + times.flawed)) * 1000).toFixed()} µs each, seed ${SEED}`
}

/** Sends sound and flawed requests of all operations through encoder, decoders and checks. */
async function operationsHold(t: TestContext, files: readonly string[]): Promise<string> {
  const counts = { valid: 0, flawed: 0, placed: 0, ms: 0 }
  for (const file of files) {
    const loaded = loadInterface(file)
    const { made, routes } = await printed(tempFolder(t), loaded)
    for (const operation of loaded.ir.operations) {
      const drawn = made.operations[operation.operationId]
      const route = routes.operations.find((one) => one.operationId === operation.operationId)
      assert.ok(drawn !== undefined && route !== undefined, operation.operationId)
      const start = performance.now()
      const [valid, flawed] = [
        draw(drawn.valid, DRAWS),
        drawn.flawed === undefined ? [] : draw<FlawedCase>(drawn.flawed, 2 * DRAWS),
      ]
      counts.ms += performance.now() - start
      for (const one of valid)
        assert.deepEqual(
          problems(operation, route, one),
          [],
          `${file} ${operation.operationId} ${show(one)}`,
        )
      for (const one of flawed) {
        const issues = problems(operation, route, one)
        const place = issues.filter((issue) => issue.in === one.flaw.place)
        assert.ok(
          place.length > 0 && place.length === issues.length,
          `${file} ${operation.operationId} ${show(one)} ${show(issues)}`,
        )
        if (place.some((issue) => one.flaw.place !== 'body' || issue.pointer === one.flaw.pointer))
          counts.placed += 1
      }
      counts.valid += valid.length
      counts.flawed += flawed.length
    }
  }
  const each = ((counts.ms / (counts.valid + counts.flawed)) * 1000).toFixed()
  return `${counts.valid} valid, ${counts.flawed} flawed (${counts.placed} found where they were put), ${each} µs each, seed ${SEED}`
}

test('values of our schemas pass their checks, flawed ones do not', async (t) => {
  t.diagnostic(await schemasHold(t, OWN))
})

test('requests of our operations are understood, flawed ones refused for the flaw', async (t) => {
  t.diagnostic(await operationsHold(t, OWN))
})

const skip = existsSync(UPSTREAM) ? false : `no public documents at ${UPSTREAM}`

test(
  'values of all schemas of the public documents pass their checks, flawed ones do not',
  { skip },
  async (t) => {
    t.diagnostic(await schemasHold(t, upstream()))
  },
)

test(
  'requests of all operations of the public documents are understood, flawed ones refused for the flaw',
  { skip },
  async (t) => {
    t.diagnostic(await operationsHold(t, upstream()))
  },
)
