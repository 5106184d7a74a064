// The printed validators must find a value right exactly where Ajv does: every component schema of
// our documents and of the upstream ones, and one fixture a keyword. FUZZ_RUNS sets the values a
// schema (default 10), FUZZ_SEED the seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { InterfaceIr } from '../../codegen/ir.ts'
import { loadInterface } from '../../codegen/load/load-interface.ts'
import { NO_PUBLIC_DOCUMENTS, OWN_DOCUMENTS, PUBLIC_DOCUMENTS } from './generator-kit.ts'
import { KEYWORD_SCHEMAS } from './validators-fixtures.ts'
import { brief, irOf, load } from './validators-kit.ts'
import { oracleOf } from './validators-oracle.ts'
import { damaged, JUNK, randomOf, valueOf } from './validators-values.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 10)
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000)

async function compare(ir: InterfaceIr): Promise<{ right: number; wrong: number }> {
  const printed = await load(ir)
  const oracle = oracleOf(ir)
  const counts = { right: 0, wrong: 0 }
  const judge = (name: string, value: unknown) => {
    const issues = printed.check(name, value)
    const expected = oracle(name, value)
    if (expected === undefined) return
    counts[expected ? 'right' : 'wrong']++
    const ours = brief(issues).join(', ')
    const told = `${ir.name} ${name}: Ajv says ${expected}, we say ${ours}: ${JSON.stringify(value)}`
    assert.equal(issues.length === 0, expected, told)
  }
  for (const [name, schema] of Object.entries(ir.schemas)) {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = randomOf(seed)
        const value = valueOf(ir, schema, random)
        judge(name, value)
        judge(name, damaged(value, random))
        judge(name, damaged(damaged(value, random), random))
      }),
      { seed: SEED, numRuns: RUNS },
    )
  }
  return counts
}

test(`one keyword at a time, each agrees with Ajv (seed ${SEED})`, async () => {
  const ir = irOf(KEYWORD_SCHEMAS)
  const printed = await load(ir)
  const oracle = oracleOf(ir)
  for (const name of Object.keys(ir.schemas)) {
    for (const value of JUNK) {
      const issues = printed.check(name, value)
      const expected = oracle(name, value)
      if (expected === undefined) continue
      assert.equal(
        issues.length === 0,
        expected,
        `${name} ${JSON.stringify(value)} ${brief(issues).join(', ')}`,
      )
    }
  }
  await compare(ir)
})

const DOCUMENTS = { our: OWN_DOCUMENTS, upstream: PUBLIC_DOCUMENTS }

for (const [label, files] of Object.entries(DOCUMENTS)) {
  const skip = files.length === 0 && NO_PUBLIC_DOCUMENTS
  test(`every schema of ${label} documents agrees with Ajv (seed ${SEED})`, { skip }, async (t) => {
    for (const file of files) {
      const { ir } = loadInterface(file)
      const { right, wrong } = await compare(ir)
      t.diagnostic(`${ir.name}: ${right} right, ${wrong} wrong`)
    }
  })
}
