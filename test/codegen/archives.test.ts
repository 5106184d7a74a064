// Archives as sources: what is generated compiles strictly and reads and writes what the service
// does, drift is found, bad archives are refused in one line, and `diff` says what breaks.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { generate } from '../../codegen/index.ts'
import type { Codec } from '../../codegen/emit/support/contract-codec.ts'
import { Packages } from '../../runtime/packages/decode/packages.ts'
import { ValueCodecs } from '../../runtime/packages/templates/codec.ts'
import { loadArchive } from '../../codegen/archives/load-archive.ts'
import {
  archive,
  dar,
  INT64,
  list,
  optional,
  own,
  PARTY,
  TEXT,
  variable,
} from '../support/dar-writer.ts'
import type { FieldSpec, PackageSpec } from '../support/dar-writer.ts'
import { FOLDER, released, skip } from '../packages/released.ts'
import { imported, runCli, tempFolder, typeCheck } from './generator-kit.ts'
import { jsonOf } from './shape-values.ts'

const NUMERIC = { builtin: 5, args: [{ nat: 10 }] }
const FIELDS: readonly FieldSpec[] = [
  ['owner', PARTY],
  ['count', INT64],
  ['price', NUMERIC],
  ['day', { builtin: 3 }],
  ['at', { builtin: 4 }],
  ['nested', optional(optional(TEXT))],
  ['deep', own('Main:Box', optional(INT64))],
  ['tree', own('Main:Tree')],
  ['by', { builtin: 11, args: [INT64, TEXT] }],
  ['names', { builtin: 19, args: [TEXT] }],
  ['next', optional({ builtin: 8, args: [own('Main:T')] })],
]

function app(version: string, fields = FIELDS): PackageSpec {
  const dataTypes = [
    { name: 'T', record: fields },
    { name: 'Box', parameters: ['a'], record: [['held', optional(variable('a'))]] as const },
    { name: 'Phantom', parameters: ['unit'], record: [['x', TEXT]] as const },
    {
      name: 'Tree',
      variant: [
        ['Leaf', INT64],
        ['Node', list(own('Main:Tree'))],
      ] as const,
    },
    { name: 'Optional', enum: ['Red', 'Blue'] },
  ]
  const choices = [{ name: 'Take', argument: own('Main:Tree'), result: optional(INT64) }]
  return {
    name: 'app',
    version,
    modules: [{ name: 'Main', dataTypes, templates: [{ name: 'T', choices }] }],
  }
}

/** What would leave the folder, or end the text that it is printed in. */
const HOSTILE: readonly Partial<PackageSpec>[] = [
  { name: '../../../evil' },
  { name: '..' },
  { name: "x';globalThis.pwned=1;'" },
  { name: 'x'.repeat(250) },
  { version: '1/../../../2' },
  { modules: [{ name: '../Main', dataTypes: [{ name: 'T', serializable: true, record: [] }] }] },
  { modules: [{ name: 'Main', dataTypes: [{ name: 'class', serializable: true, record: [] }] }] },
]

function write(file: string, spec: PackageSpec): string {
  writeFileSync(file, dar({ main: archive(spec) }))
  return file
}

/** Every codec of a generated module that needs no other codec, by the name of its type. */
async function codecsIn(file: string): Promise<ReadonlyMap<string, Codec<unknown>>> {
  const constants = await imported<Readonly<Record<string, Partial<Codec<unknown>>>>>(file)
  return new Map(
    Object.entries(constants).flatMap(([name, { shape, decode, encode }]) =>
      shape === undefined || decode === undefined || encode === undefined
        ? []
        : [[name.replace('$payload', ''), { shape, decode, encode }] as const],
    ),
  )
}

/**
 * How many types agree: values that the service writes are written again unchanged, and it takes
 * what is written.
 */
async function agree(out: string, file: string, runs: number): Promise<number> {
  const { packages } = await loadArchive(file)
  const program = new Packages()
  for (const one of packages) program.add(one)
  const service = new ValueCodecs(program)
  let count = 0
  for (const { name, packageId, modules } of program.packages.values())
    for (const module of modules.values()) {
      const path = join(out, 'packages', name, `${module.name}.gen.ts`)
      const codecs = await codecsIn(path).catch(() => new Map<string, Codec<unknown>>())
      for (const definition of module.dataTypes.keys()) {
        const codec = codecs.get(definition.replaceAll('.', '_'))
        if (codec === undefined) continue
        const ours = service.named(program.reference(packageId, module.name, definition))
        const values = jsonOf(ours)
        fc.assert(
          fc.property(values, (json) => {
            const canonical = ours.encode(ours.decode(json))
            assert.deepEqual(codec.encode(codec.decode(canonical)), canonical)
            assert.deepEqual(ours.encode(ours.decode(codec.encode(codec.decode(json)))), canonical)
          }),
          { numRuns: runs },
        )
        count += 1
      }
    }
  return count
}

test('a package is generated, compiles strictly, agrees with the service, and drift is found', async (t) => {
  const folder = tempFolder(t)
  const file = write(join(folder, 'app.dar'), app('1.0.0'))
  const flags = ['--archive', 'app.dar', '--out', 'gen']
  const first = await runCli(folder, 'generate', ...flags)
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /written gen\/packages\/app\/Main\.gen\.ts/u)
  assert.equal((await runCli(folder, 'check', ...flags)).code, 0)
  const out = join(folder, 'gen')
  assert.equal(typeCheck(out), '')
  // The type that is named as one of ours got another name.
  assert.equal(await agree(out, file, 50), 2)
  write(file, app('1.1.0', [...FIELDS, ['more', optional(TEXT)]]))
  const drift = await runCli(folder, 'check', ...flags)
  assert.equal(drift.code, 3)
  assert.match(drift.stderr, /differs gen\/packages\/app\/Main\.gen\.ts/u)
})

test('what is no archive is one line and exit code 2', async (t) => {
  const folder = tempFolder(t)
  const whole = dar({ main: archive(app('1.0.0')) })
  const cases: readonly (readonly [Uint8Array | undefined, RegExp])[] = [
    [undefined, /cannot be read: ENOENT.*\[unreadable\]/u],
    ...HOSTILE.map((spec) => {
      // The entry's name must not be what refuses it.
      const named = { ...archive({ ...app('1.0.0'), ...spec }), name: 'main.dalf' }
      return [dar({ main: named }), /(?:name|version).*\[bad-archive\]/u] as const
    }),
    [Buffer.from('no zip'), /not an archive that can be read: .*\[bad-archive\]/u],
    [whole.subarray(0, 300), /not an archive that can be read: .*\[bad-archive\]/u],
    [
      dar({ main: archive({ ...app('1.0.0'), minor: '9' }) }),
      /language version 2\.9.*\[bad-archive\]/u,
    ],
  ]
  for (const [bytes, expected] of cases) {
    if (bytes !== undefined) writeFileSync(join(folder, 'bad.dar'), bytes)
    const run = await runCli(folder, 'generate', '--archive', 'bad.dar', '--out', 'gen')
    assert.equal(run.code, 2, run.stdout)
    assert.match(run.stderr, expected)
  }
  const compared = await runCli(folder, 'diff', 'bad.dar', 'bad.dar')
  assert.equal(compared.code, 2)
  assert.match(compared.stderr, /language version 2\.9/u)
  write(join(folder, 'a.dar'), app('1.0.0'))
  write(join(folder, 'b.dar'), app('1.1.0'))
  const twice = await runCli(folder, 'generate', '--archive', 'a.dar', 'b.dar', '--out', 'gen')
  assert.equal(twice.code, 2)
  assert.match(twice.stderr, /package 'app' is in two archives \[package-name\]/u)
})

test('diff of two archives says what breaks, and for whom', async (t) => {
  const folder = tempFolder(t)
  write(join(folder, 'old.dar'), app('1.0.0'))
  write(join(folder, 'new.dar'), app('1.1.0', [...FIELDS, ['more', optional(TEXT)]]))
  write(
    join(folder, 'bad.dar'),
    app('1.1.0', [['owner', TEXT], ...FIELDS.slice(2), ['more', TEXT]]),
  )
  const fine = await runCli(folder, 'diff', 'old.dar', 'new.dar')
  assert.equal(fine.code, 0, fine.stderr)
  assert.match(
    fine.stdout,
    /additive for callers: Main:T: the optional field more is new .*\[package-field-added\]/u,
  )
  const broken = await runCli(folder, 'diff', 'old.dar', 'bad.dar', '--format', 'json')
  assert.equal(broken.code, 3)
  for (const rule of ['package-field-changed', 'package-field-removed', 'package-field-required'])
    assert.ok(broken.stdout.includes(`"rule": "${rule}"`), `${rule} in ${broken.stdout}`)
  const allowed = ['changed', 'removed', 'required'].flatMap((one) => [
    '--rule',
    `package-field-${one}:Main:T=off`,
  ])
  assert.equal((await runCli(folder, 'diff', 'old.dar', 'bad.dar', ...allowed)).code, 0)
})

test('types of a released app agree with the service', { skip }, async (t) => {
  const out = tempFolder(t)
  const file = join(FOLDER, `${released('token-test-trading-app-v2-1.0.0')}.dar`)
  const report = await generate({ config: { interfaces: [], packages: [{ archive: file }], out } })
  assert.equal(report.status, 'written')
  assert.equal(typeCheck(out), '')
  assert.ok(readdirSync(join(out, 'packages')).length > 10)
  assert.ok((await agree(out, file, 5)) > 50)
})
