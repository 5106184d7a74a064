// The round trip of every document that we have: a server is generated and answers at random, a
// client is generated from the same document; each gets what the other gave, and the conformance
// run between the two finds nothing. A small size here; `npm run full:roundtrip` is the large one.
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { conformExamples, serveExamples } from '../support/example-server.ts'
import { fixture, NO_PUBLIC_DOCUMENTS, OWN_DOCUMENTS, PUBLIC_DOCUMENTS } from './generator-kit.ts'
import { callAll } from './roundtrip-kit.ts'

const RUNS = Number(process.env['RUNS'] ?? 1)
const EXTREMES = Number(process.env['EXTREMES'] ?? 4)
const SEED = Number(process.env['SEED'] ?? 1)
async function roundTrip(t: TestContext, files: readonly string[]): Promise<void> {
  const documents = files.map((spec) => ({ spec, name: basename(spec, '.yaml') }))
  await using server = await serveExamples(documents, { seed: SEED })
  const reports = await conformExamples(server, { runs: RUNS, extremes: EXTREMES, seed: SEED })
  const operations = reports.flatMap(({ report }) => report.operations)
  const requests = reports.reduce((sum, { report }) => sum + report.requests, 0)
  let calls = 0
  for (const served of server.interfaces) calls += await callAll(server, served, RUNS, SEED)
  t.diagnostic(
    `${documents.length} documents, ${operations.length} operations, ${requests} requests, ${calls} calls by clients, seed ${SEED}`,
  )
  const found = reports.map(({ text }) => text).join('')
  assert.ok(found === '', found)
  assert.deepEqual(
    operations.filter((one) => one.requests === 0).map(({ operationId }) => operationId),
    [],
    'operations that were not asked',
  )
  const unanswered = operations
    .filter((one) => one.examples === 0)
    .map(({ operationId }) => operationId)
  assert.deepEqual(unanswered, [], 'operations of which no request was accepted')
}

test('our documents and fixtures', (t) =>
  roundTrip(t, [...OWN_DOCUMENTS, fixture('features.yaml'), fixture('nullable.yaml')]))

test('the public documents', { skip: NO_PUBLIC_DOCUMENTS }, (t) => roundTrip(t, PUBLIC_DOCUMENTS))
