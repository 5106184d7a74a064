// What the reader of packages makes of archives: of released ones everything, of damaged ones
// nothing worse than a refusal, also where their code runs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MalformedArchive } from '../../runtime/packages/archive/message.ts'
import type { Archive } from '../../runtime/packages/archive/archive.ts'
import { checkPackages } from '../../runtime/packages/check/package-checker.ts'
import type { Packages } from '../../runtime/packages/decode/packages.ts'
import { Evaluation } from '../../runtime/packages/evaluate/evaluation.ts'
import { ProgramLinker } from '../../runtime/packages/evaluate/linker.ts'
import { EvaluationError } from '../../runtime/packages/values/failure.ts'
import { Rec } from '../../runtime/packages/values/value.ts'
import { readWhole } from './every-definition.ts'
import { allArchives, archivesIn, programOf, released, skip } from './released.ts'

const RUNS = Number(process.env['RUNS'] ?? 150)

test('every definition of every released package is read', { skip }, async () => {
  const archives = await allArchives()
  const program = programOf(archives.values())
  const codes = [...program.packages.values()].map(readWhole)
  assert.ok(codes.reduce((sum, count) => sum + count, 0) > 10_000, 'the packages hold code')
})

test('a damaged package is refused or read, and nothing else happens', { skip }, async () => {
  const archives = await archivesIn(released('token-test-trading-app-1.0.0.dar'))
  const small = [...archives.values()].filter(({ lfPackage }) => lfPackage.length < 60_000)
  const damage = fc.record({
    which: fc.nat(),
    changes: fc.array(fc.record({ at: fc.nat(), to: fc.nat(255) }), { minLength: 1, maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ which, changes }) => {
      const victim = small[which % small.length]
      if (victim === undefined) return
      const lfPackage = Uint8Array.from(victim.lfPackage)
      for (const { at, to } of changes) lfPackage[at % lfPackage.length] = to
      await readDamaged(archives, { ...victim, lfPackage })
    }),
    { numRuns: RUNS },
  )
})

const LIMITS = { steps: 20_000, cells: 50_000, depth: 1_000 }

/** Every value, and the rules and choices of every template with an argument that is none. */
function evaluateAll(program: Packages, packageId: string): void {
  const linker = new ProgramLinker(program)
  const modules = program.packages.get(packageId)?.modules.values() ?? []
  for (const { values, templates } of modules) {
    const parts = [...templates.values()].map((read) => read())
    const rules = parts.flatMap(({ signatories, observers, choices }) => [
      ...[signatories, observers].map((code) => [code, 1] as const),
      ...[...choices.values()].map(({ update }) => [update, 3] as const),
    ])
    for (const [code, count] of [
      ...[...values.values()].map((read) => [read().code, 0] as const),
      ...rules,
    ]) {
      const payload = new Rec(Array.from({ length: 8 }, () => 'x'))
      ended(() => new Evaluation(linker, LIMITS).evaluate(code, new Array(count).fill(payload)))
    }
  }
}

/** Evaluates what was checked, which ends with a value or a documented failure. */
function ended(run: () => unknown): void {
  try {
    run()
  } catch (problem) {
    if (!(problem instanceof EvaluationError)) throw problem
  }
}

async function readDamaged(
  archives: ReadonlyMap<string, Archive>,
  damaged: Archive,
): Promise<void> {
  try {
    const others = [...archives.values()].filter(({ packageId }) => packageId !== damaged.packageId)
    await checkPackages([...others, damaged], new Set([damaged.packageId]))
    evaluateAll(programOf([...others, damaged]), damaged.packageId)
  } catch (problem) {
    if (!(problem instanceof MalformedArchive)) throw problem
  }
}
