// Real input: every public document that lies beside the checkout, whole and cut into files, from
// the command line to a strict compile.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { test } from 'node:test'
import { loadInterface } from '../../codegen/index.ts'
import type { Schema } from '../../codegen/index.ts'
import { LOCK_FILE } from '../../codegen/plan/lock.ts'
import { contents, PROJECT, put, tempFolder, typeCheck } from './generator-kit.ts'
import { splitDocument } from './split-document.ts'

const UPSTREAM = resolve(PROJECT, '../shared/upstream')
const skip = existsSync(UPSTREAM) ? false : `no public documents at ${UPSTREAM}`

function documents(): readonly string[] {
  return readdirSync(UPSTREAM, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/u.test(file) && basename(file) !== 'asyncapi.yaml')
    .sort()
    .map((file) => join(UPSTREAM, file))
}

/** Runs the command as a user does; its standard output. */
function command(...args: readonly string[]): string {
  const run = spawnSync(process.execPath, [join(PROJECT, 'runtime/cli/main.ts'), ...args], {
    encoding: 'utf8',
    cwd: PROJECT,
  })
  assert.equal(run.status, 0, run.stderr)
  return run.stdout
}

test(
  'all public documents generate, whole and split alike, to the byte, and compile strictly',
  { skip, timeout: 300_000 },
  (t) => {
    const folder = tempFolder(t)
    const whole = documents()
    const split = whole.map((file) => {
      const home = join(folder, 'split', basename(file, '.yaml'))
      put(home, splitDocument(basename(file), readFileSync(file, 'utf8')))
      return join(home, basename(file))
    })
    t.diagnostic(
      command('generate', '--spec', ...whole, '--out', join(folder, 'whole'))
        .trim()
        .split('\n')
        .at(-1) ?? '',
    )
    t.diagnostic(
      command('generate', '--spec', ...split, '--out', join(folder, 'parts'))
        .trim()
        .split('\n')
        .at(-1) ?? '',
    )
    const outputs = [contents(join(folder, 'whole')), contents(join(folder, 'parts'))].map(
      (files) => Object.fromEntries(Object.entries(files).filter(([file]) => file !== LOCK_FILE)),
    )
    assert.deepEqual(outputs[1], outputs[0])
    t.diagnostic(command('generate', '--spec', ...whole, '--out', join(folder, 'whole')).trim())
    assert.equal(typeCheck(join(folder, 'whole')), '')
    for (const file of whole) assertTyped(file, outputs[0] ?? {})
  },
)

/** `unknown` may stand only where the document itself says nothing. */
function assertTyped(file: string, files: Readonly<Record<string, string>>): void {
  const { ir } = loadInterface(file)
  const unknowns = (name: string): number => {
    const code = (files[`${ir.name}/${name}.gen.ts`] ?? '')
      .replaceAll(/\/\*[\s\S]*?\*\//gu, '')
      .replaceAll(/'[^'\n]*'/gu, '')
    return code.match(/\bunknown\b/gu)?.length ?? 0
  }
  const untyped = Object.values(ir.schemas).reduce<number>(
    (sum, schema) => sum + untypedSpots(schema),
    0,
  )
  assert.ok(
    unknowns('types') <= untyped,
    `${file}: ${unknowns('types')} unknown in types, ${untyped} untyped spots in the document`,
  )
  const inline = ir.operations
    .flatMap((operation) => [
      ...operation.parameters.map(({ schema }) => schema),
      ...[
        ...(operation.body?.media ?? []),
        ...operation.responses.flatMap(({ media }) => media),
      ].map(({ schema }) => schema ?? true),
    ])
    .reduce<number>((sum, schema) => sum + untypedSpots(schema), 0)
  assert.ok(
    unknowns('handlers') <= inline,
    `${file}: ${unknowns('handlers')} unknown in handlers, ${inline} untyped spots in operations`,
  )
}

function untypedSpots(schema: Schema): number {
  if (typeof schema === 'boolean') return schema ? 1 : 0
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(schema.additionalProperties === undefined ? [] : [schema.additionalProperties]),
  ]
  const saysNothing =
    schema.type === undefined &&
    schema.$ref === undefined &&
    schema.enum === undefined &&
    !('const' in schema) &&
    parts.length === 0
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const isOpenObject = types.includes('object') && parts.length === 0
  const isOpenList = types.includes('array') && schema.items === undefined
  return (
    (saysNothing || isOpenObject || isOpenList ? 1 : 0) +
    parts.reduce<number>((sum, part) => sum + untypedSpots(part), 0)
  )
}
