// The runner against a library that is right, and against the same with one planted fault at a
// time, each of which it must find. Three faults of each check here; `npm run full:conform` tries
// all of them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { InterfaceFacts } from '../../runtime/testing/conform.ts'
import { faults } from './faulty/faults.ts'
import type { Fault } from './faulty/faults.ts'
import { startLibrary } from './faulty/server.ts'
import type { RunningLibrary } from './faulty/server.ts'
import { conform, documentsOf, shown } from './kit.ts'

const SPEC = fileURLToPath(new URL('./faulty/library.yaml', import.meta.url))
const PER_CHECK = process.env['FAULTS'] === 'all' ? Infinity : 3
const RUNS = Number(process.env['RUNS'] ?? 5)
const EXTREMES = Number(process.env['EXTREMES'] ?? 25)
const SLOW_MS = 1_500

describe('the conformance runner', () => {
  let interfaces: readonly InterfaceFacts[]
  before(async () => {
    interfaces = await documentsOf(SPEC)
  })

  for (const seed of [1, 2, 3]) {
    test(`finds nothing where all is right, and leaves the rest alone: seed ${seed}`, () =>
      withLibrary(undefined, async (library) => {
        const report = await conform(interfaces, library.url, {
          token: library.token,
          seed,
          runs: RUNS,
          extremes: EXTREMES,
        })
        assert.equal(report.violations.length, 0, shown(report, library.url))
        assert.ok(library.isUntouched(), 'the runner has changed what it did not make')
        assert.ok(
          report.operations.every(({ accepted }) => accepted > 0),
          shown(report, library.url),
        )
      }))
  }

  for (const fault of chosen()) {
    test(`finds ${fault.name}: ${fault.sentence}`, () =>
      withLibrary(fault, async (library) => {
        const report = await conform(interfaces, library.url, {
          token: library.token,
          seed: 1,
          runs: RUNS,
          extremes: EXTREMES,
          maxResponseMs: SLOW_MS,
          isEnough: ({ check }) => check === fault.check,
        })
        const found = report.violations.map(({ check }) => check)
        assert.ok(found.includes(fault.check), `${fault.check} is not among ${found.join(', ')}`)
        assert.ok(
          library.isUntouched() || fault.check === 'unsupported-method',
          'the runner has changed what it did not make',
        )
      }))
  }

  test('keeps to reading when told to', () =>
    withLibrary(undefined, async (library) => {
      const report = await conform(interfaces, library.url, {
        token: library.token,
        seed: 1,
        runs: RUNS,
        isReadOnly: true,
      })
      assert.equal(report.violations.length, 0, shown(report, library.url))
      assert.deepEqual([...new Set(report.operations.map(({ method }) => method))], ['GET'])
    }))

  after(() => assert.ok(faults.length >= 34, 'too few faults are planted'))
})

function chosen(): readonly Fault[] {
  return [...Map.groupBy(faults, ({ check }) => check).values()].flatMap((same) =>
    same.slice(0, PER_CHECK),
  )
}

async function withLibrary(
  fault: Fault | undefined,
  work: (library: RunningLibrary) => Promise<void>,
): Promise<void> {
  const library = await startLibrary(fault === undefined ? {} : { fault: fault.name })
  try {
    await work(library)
  } finally {
    await library.close()
  }
}
