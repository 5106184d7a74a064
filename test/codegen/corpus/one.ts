// One document of the corpus, in a process of its own: generated, type-checked with the options of
// a new project, served with random answers and tested against itself. Prints the outcome as JSON.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from '../../../codegen/index.ts'
import { conformExamples, serveExamples } from '../../support/example-server.ts'
import { PROJECT, put, typeCheck } from '../generator-kit.ts'

/** The outcome of a document. */
export interface Outcome {
  readonly operations: number
  /** Faults that cost something. */
  readonly findings: number
  /** Seconds of generating. */
  readonly seconds: number
  readonly typeErrors: number
  readonly requests: number
  readonly violations: number
  /** Operations that `conform` leaves out: nothing finite fits them. */
  readonly skipped: number
  /** Bodies that Ajv judges otherwise than the generated checks. */
  readonly differences: number
  readonly unread: number
  /** Faults, for people. */
  readonly texts: readonly string[]
}

const RUNS = { runs: 2, extremes: 2, isReadTwice: true }
const FIRST = 5

async function outcomeOf(spec: string, folder: string): Promise<Outcome> {
  const config = { spec, name: 'document' }
  const out = join(folder, 'generated')
  const start = performance.now()
  const { status, findings } = await generate({ config: { interfaces: [config], out } })
  const seconds = Number(((performance.now() - start) / 1_000).toFixed(1))
  if (status === 'invalid' || status === 'refused')
    throw new Error(`${status}: ${findings.find(({ severity }) => severity === 'error')?.message}`)
  const errors = typeCheck(folder)
    .split('\n')
    .filter((line) => line.includes('error TS'))
  await using server = await serveExamples([config], { out })
  const reports = await conformExamples(server, RUNS)
  const violations = reports.flatMap(({ report }) => report.violations)
  const differences = reports.flatMap((report) => report.differences)
  return {
    operations: server.interfaces.flatMap(({ wire }) => wire.operations).length,
    findings: findings.filter(({ loss }) => loss !== undefined).length,
    seconds,
    typeErrors: errors.length,
    requests: reports.reduce((sum, { report }) => sum + report.requests, 0),
    violations: violations.length,
    skipped: reports.reduce((sum, { report }) => sum + report.unaskable.length, 0),
    differences: differences.length,
    unread: reports.reduce((sum, { unread }) => sum + unread.length, 0),
    texts: [
      ...errors.slice(0, FIRST),
      ...differences.slice(0, FIRST),
      ...violations
        .slice(0, FIRST)
        .map(({ operationId, check, sentence }) => `${operationId} ${check}: ${sentence}`),
    ],
  }
}

const [spec = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'corpus-'))
try {
  put(folder, { 'package.json': '{"type":"module"}' })
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  process.stdout.write(`${JSON.stringify(await outcomeOf(spec, folder))}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
