// Printed validators compile under the strictest settings, whatever the keywords, and use only
// syntax that Node can erase.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import ts from 'typescript'
import { printSupport } from '../../codegen/emit/support.ts'
import { printValidators } from '../../codegen/emit/validators.ts'
import { tempDir } from '../support/temp-dir.ts'
import { KEYWORD_SCHEMAS } from './validators-fixtures.ts'
import { irOf } from './validators-kit.ts'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  types: [],
  skipLibCheck: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noFallthroughCasesInSwitch: true,
}

test('what is printed for every keyword passes tsc --strict and fits the wire contract', async () => {
  const folder = await tempDir()
  after(() => folder.remove())
  const file = join(folder.path, 'fixture', 'validators.gen.ts')
  mkdirSync(join(folder.path, 'fixture'))
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder.path, 'validation.gen.ts'), printSupport('validation.gen.ts'))
  writeFileSync(
    file,
    printValidators(irOf({ ...KEYWORD_SCHEMAS, v: { type: 'object', properties: LIFTED } }), []),
  )
  const wire = JSON.stringify(join(import.meta.dirname, '..', '..', 'runtime', 'http', 'wire.ts'))
  const use = join(folder.path, 'fixture', 'use.ts')
  writeFileSync(
    use,
    [
      `import type { WireMedia } from ${wire}`,
      `import { check_v, check_tree, lift_tree, lift_v } from './validators.gen.ts'`,
      `export const one: Pick<WireMedia, 'check' | 'lift'> = { check: check_v, lift: lift_v }`,
      `export const two: Pick<WireMedia, 'check' | 'lift'> = { check: check_tree, lift: lift_tree }`,
    ].join('\n'),
  )
  const program = ts.createProgram([file, use], OPTIONS)
  const problems = ts.getPreEmitDiagnostics(program).map((one) => {
    const line =
      one.file === undefined ? 0 : one.file.getLineAndCharacterOfPosition(one.start ?? 0).line + 1
    return `${one.file?.fileName ?? ''}:${line} ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`
  })
  assert.deepEqual(problems, [])
})

const LIFTED = {
  v: { type: 'integer', format: 'int64', default: 1 },
  e: { type: 'array', prefixItems: [{ type: 'number' }, { format: 'int64' }] },
  d: {
    anyOf: [
      { type: 'object', properties: { a: { type: 'number' } } },
      { type: 'object', additionalProperties: { type: 'integer' } },
    ],
  },
  'x y': {
    oneOf: [
      { type: 'array', items: { $ref: '#/components/schemas/tree' } },
      { type: ['number', 'null'] },
    ],
    default: null,
  },
} as const
