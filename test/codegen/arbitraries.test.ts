// Every schema of every document: what is called valid passes the printed validators, what is
// called flawed does not. Operations are asked over HTTP, by the round trip.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { loadInterface } from '../../codegen/index.ts'
import type { FlawedCase } from '../../codegen/emit/support/arbitrary.ts'
import { draw, printed, schemaBodies, SEED, show } from './arbitraries-kit.ts'
import {
  fixture,
  NO_PUBLIC_DOCUMENTS,
  OWN_DOCUMENTS,
  PUBLIC_DOCUMENTS,
  tempFolder,
} from './generator-kit.ts'

const DRAWS = Number(process.env['DRAWS'] ?? 10)
/** Draws values of all schemas, then sound and flawed bodies of each; how many and how long. */
async function schemasHold(
  t: TestContext,
  files: readonly string[],
  draws: number,
): Promise<string> {
  const times = { values: 0, flawed: 0, ms: 0 }
  for (const file of files) {
    const loaded = loadInterface(file)
    const { made, check } = await printed(tempFolder(t), schemaBodies(loaded), false)
    const start = performance.now()
    for (const name of Object.keys(loaded.ir.schemas)) {
      const [valid, operation] = [made.schemas[name], made.operations[name]]
      assert.ok(valid !== undefined && operation !== undefined, name)
      for (const value of draw(valid, draws)) {
        assert.deepEqual(check(name, value), [], `${file} ${name} ${show(value)}`)
        times.values += 1
      }
      for (const { body, flaw } of draw<FlawedCase>(operation.flawed ?? assert.fail(name), draws)) {
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

for (const [label, files, draws] of [
  ['our documents', OWN_DOCUMENTS, DRAWS],
  ['the public documents', PUBLIC_DOCUMENTS, DRAWS],
  ['every keyword', [fixture('arbitraries.yaml')], 150],
] as const) {
  const skip = files.length === 0 && NO_PUBLIC_DOCUMENTS
  test(
    `${label}: values of all schemas pass their checks, flawed ones do not`,
    { skip },
    async (t) => {
      t.diagnostic(await schemasHold(t, files, draws))
    },
  )
}
