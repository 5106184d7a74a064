// What the reader of packages makes of archives: of released ones everything, of damaged ones
// nothing worse than a refusal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MalformedArchive } from '../../runtime/packages/archive/message.ts'
import type { Archive } from '../../runtime/packages/archive/archive.ts'
import { checkPackages } from '../../runtime/packages/check/package-checker.ts'
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

async function readDamaged(
  archives: ReadonlyMap<string, Archive>,
  damaged: Archive,
): Promise<void> {
  try {
    const others = [...archives.values()].filter(({ packageId }) => packageId !== damaged.packageId)
    await checkPackages([...others, damaged], new Set([damaged.packageId]))
  } catch (problem) {
    if (!(problem instanceof MalformedArchive)) throw problem
  }
}
