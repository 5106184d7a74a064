// The runner against a library that is right, and against the same with one planted fault at a
// time, each of which it must find. `npm run full:conform` asks far more of it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type {
  ConformOptions,
  ConformReport,
  InterfaceFacts,
} from '../../runtime/testing/conform.ts'
import { CHECKS, faults } from './faulty/faults.ts'
import { operations as documented } from './faulty/document.ts'
import { startLibrary } from './faulty/server.ts'
import type { RunningLibrary } from './faulty/server.ts'
import { conform, documentsOf, shown } from './kit.ts'

const SPEC = fileURLToPath(new URL('./faulty/library.yaml', import.meta.url))
const RUNS = Number(process.env['RUNS'] ?? 5)
const EXTREMES = Number(process.env['EXTREMES'] ?? 25)
/** A fault of one operation is looked for harder, there alone. */
const FAULT_EXTREMES = Number(process.env['EXTREMES'] ?? 70)
/** What shows at other operations than the faulty one. */
const ELSEWHERE = new Set(['created-is-there', 'use-after-delete'])
const SLOW_MS = 1_500
const operations = documented.map(({ operationId }) => operationId)

describe('the conformance runner', { concurrency: 4 }, () => {
  let interfaces: readonly InterfaceFacts[]
  before(async () => {
    interfaces = await documentsOf(SPEC)
  })

  /** Runs it against a library of its own, which is closed afterwards. */
  async function run(
    options: Partial<ConformOptions>,
    fault?: string,
  ): Promise<{ readonly library: RunningLibrary; readonly report: ConformReport }> {
    const library = await startLibrary(fault === undefined ? {} : { fault })
    const { url, token } = library
    const size = { seed: 1, runs: RUNS, extremes: EXTREMES }
    const report = await conform(interfaces, url, { token, ...size, ...options })
    await library.close()
    return { library, report }
  }

  for (const seed of [1, 2, 3]) {
    test(`finds nothing where all is right, and leaves the rest alone: seed ${seed}`, async () => {
      const { library, report } = await run({ seed })
      assert.equal(report.violations.length, 0, shown(report, library.url))
      assert.ok(library.isUntouched(), 'the runner has changed what it did not make')
      assert.ok(
        report.operations.every(({ accepted }) => accepted > 0),
        shown(report, library.url),
      )
    })
  }

  for (const { name, check, sentence } of faults) {
    test(`finds ${name}: ${sentence}`, async () => {
      const isEnough: ConformOptions['isEnough'] = (one) => one.check === check
      const named = operations.filter((id) => sentence.startsWith(`${id} `))
      const alone =
        named.length === 0 || ELSEWHERE.has(check)
          ? {}
          : { only: new Set(named), extremes: FAULT_EXTREMES }
      const { library, report } = await run({ maxResponseMs: SLOW_MS, isEnough, ...alone }, name)
      const found = report.violations.map((one) => one.check)
      assert.ok(found.includes(check), `${check} is not among ${found.join(', ')}`)
      assert.ok(
        library.isUntouched() || check === 'unsupported-method',
        'the runner has changed what it did not make',
      )
    })
  }

  test('keeps to reading when told to', async () => {
    const { library, report } = await run({ isReadOnly: true })
    assert.equal(report.violations.length, 0, shown(report, library.url))
    assert.deepEqual([...new Set(report.operations.map(({ method }) => method))], ['GET'])
  })

  test('is tried on at least two faults of each check', () => {
    for (const check of CHECKS)
      assert.ok(faults.filter((fault) => fault.check === check).length >= 2, check)
  })
})
