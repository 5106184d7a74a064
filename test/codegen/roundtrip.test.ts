// The round trip of every document that we have: a server is generated and answers at random, a
// client is generated from the same document; each gets what the other gave, and the conformance
// run between the two finds nothing. A small size here; `npm run full:roundtrip` is the large one.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { InterfaceConfig } from '../../codegen/index.ts'
import { conformExamples, serveExamples } from '../support/example-server.ts'
import { PROJECT } from './generator-kit.ts'
import { callAll } from './roundtrip-kit.ts'

const RUNS = Number(process.env['RUNS'] ?? 1)
const EXTREMES = Number(process.env['EXTREMES'] ?? 4)
const SEED = Number(process.env['SEED'] ?? 1)
const UPSTREAM = resolve(PROJECT, '../shared/upstream')
const OWN = ['ledger', 'validator', 'scan', 'registry'].map((name) => ({
  spec: join(PROJECT, `spec/${name}.yaml`),
  name,
}))

function upstream(): readonly InterfaceConfig[] {
  return readdirSync(UPSTREAM, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/u.test(file) && basename(file) !== 'asyncapi.yaml')
    .sort()
    .map((file) => ({
      spec: join(UPSTREAM, file),
      name: `public-${basename(file).replace(/\.ya?ml$/u, '')}`,
    }))
}

async function roundTrip(t: TestContext, documents: readonly InterfaceConfig[]): Promise<void> {
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

test('our documents', (t) => roundTrip(t, OWN))

test(
  'the public documents',
  { skip: existsSync(UPSTREAM) ? false : 'the public documents are not on this machine' },
  (t) => {
    return roundTrip(t, upstream())
  },
)
