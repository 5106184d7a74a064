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
import type { Change } from '../../codegen/diff/change.ts'
import { openVersion } from '../../codegen/diff/inputs.ts'
import { diffVersions } from '../../codegen/diff/interfaces.ts'
import { PACKAGE_RULES } from '../../codegen/diff/rules-packages.ts'
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
import { dars, FOLDER, skip } from '../packages/released.ts'
import { moduleOf, packageOf } from '../support/dar-text.ts'
import { imported, put, runCli, tempFolder, typeCheck } from './generator-kit.ts'
import type * as arbitrary from '../../codegen/emit/support/package-arbitrary.ts'
import { jsonOf } from '../../codegen/emit/support/package-arbitrary.ts'

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
    { name: 'Twin', record: FIELDS },
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
    modules: [{ name: 'Main', dataTypes, templates: [{ name: 'T', choices }, { name: 'Twin' }] }],
  }
}

const CIRCLE = [
  { name: 'A', dataTypes: [{ name: 'T', record: [['x', own('B:T')]] as const }] },
  { name: 'B', dataTypes: [{ name: 'T', record: [['x', list(own('A:T'))]] as const }] },
]

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

/** Ids and payloads of two templates of the same fields are not taken for each other. */
const TWINS = `import type { ContractId } from './packages.gen.ts'
import type { T, Twin } from './packages/app/Main.gen.ts'
declare const one: T, id: ContractId<T>
export const same: ContractId<T> = id
// @ts-expect-error another template's id
export const other: ContractId<Twin> = id
// @ts-expect-error another template's payload
export const payload: Twin = one
`

/** Names that generated code has itself, or that differ by case alone. */
const CLASHING = [
  ...['Json', 'Shape', 'Codec', 'Choice', 'Fields', 'DecodeError', 'PackageLedger', 'Update'],
  ...['Map', 'Date', 'String', 'Record', 'Promise', 'Array', 'Object', 'Symbol', 'PayloadOf'],
  ...['Template', 'Interface', 'InterfaceOf', 'ContractId', 'Optional', 'Unit', 'ReadonlyMap'],
  ...['A', 'A_', 'Main', 'T'],
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
 * How many types of the main package agree: values that the service writes are written again
 * unchanged, and it takes what is written.
 */
async function agree(out: string, file: string, runs: number): Promise<number> {
  const { packages } = await loadArchive(file)
  const program = new Packages()
  const [main] = packages.map((one) => program.add(one))
  const service = new ValueCodecs(program)
  let count = 0
  for (const { name, packageId, modules } of main === undefined ? [] : [main])
    for (const module of modules.values()) {
      const path = join(out, 'packages', name, `${module.name}.gen.ts`)
      const codecs = await codecsIn(path).catch(() => new Map<string, Codec<unknown>>())
      for (const definition of module.dataTypes.keys()) {
        const codec = codecs.get(definition.replaceAll('.', '_'))
        if (codec === undefined) continue
        const ours = service.named(program.reference(packageId, module.name, definition))
        const values = jsonOf(fc, ours)
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
  put(out, { 'twins.ts': TWINS })
  assert.equal(typeCheck(out), '')
  const arbitraries = await imported<typeof arbitrary>(join(out, 'package-arbitraries.gen.ts'))
  for (const codec of (await codecsIn(join(out, 'packages/app/Main.gen.ts'))).values())
    fc.assert(
      fc.property(arbitraries.valuesOf(fc, codec), (value) =>
        assert.deepEqual(codec.decode(codec.encode(value)), value),
      ),
      { numRuns: 20 },
    )
  // The type that is named as one of ours got another name.
  assert.equal(await agree(out, file, 50), 3)
  write(file, app('1.1.0', [...FIELDS, ['more', optional(TEXT)]]))
  const drift = await runCli(folder, 'check', ...flags)
  assert.equal(drift.code, 3)
  assert.match(drift.stderr, /differs gen\/packages\/app\/Main\.gen\.ts/u)
})

test('no name of a package clashes with what generated code has, nor with another file', async (t) => {
  const folder = tempFolder(t)
  const module = (name: string) => ({
    name,
    dataTypes: CLASHING.map((type) => ({
      name: type,
      record: [['next', optional(own(`${name}:T`))]] as const,
    })),
    templates: [
      {
        name: 'T',
        choices: CLASHING.map((choice) => ({ name: choice, argument: own(`${name}:${choice}`) })),
      },
    ],
  })
  const file = write(join(folder, 'app.dar'), {
    name: 'app',
    version: '1.0.0',
    modules: ['Main', 'MAIN', 'T', 'A.T', 'A_T'].map(module),
  })
  const out = join(folder, 'gen')
  const report = await generate({ config: { interfaces: [], packages: [{ archive: file }], out } })
  assert.equal(report.status, 'written')
  assert.equal(typeCheck(out), '')
  const files = readdirSync(join(out, 'packages/app')).map((name) => name.toLowerCase())
  assert.equal(new Set(files).size, 5)
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
    [dar({ main: archive({ ...app('1.0.0'), modules: CIRCLE }) }), /no cycles.*\[bad-archive\]/u],
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

const RULES_BASE = `
record T owner: Party, note: Text
record Arg amount: Int64
variant V A: Int64, B: Text
enum E Red Green
template T key Party implements M:I
choice Do M:Arg -> Int64
interface I view M:V1 requires M:J
method owner Party
choice Look M:Arg -> Int64
interface J
record V1 owner: Party`

/** Edits of the base, `old => new`, with the rule of what they change; a slash ends a line. */
const RULE_CASES = `
template-removed | template T key Party implements M:I / choice Do M:Arg -> Int64 / =>
template-added | interface J => template Arg / interface J
data-type-removed | enum E Red Green / =>
data-type-added | enum E => record X a: Text / enum E
choice-removed | choice Do M:Arg -> Int64 / =>
choice-added | choice Do => choice More / choice Do
key-removed | key Party  =>
key-changed | key Party => key Text
implementation-removed |  implements M:I =>
implementation-added | implements M:I => implements M:J
argument-changed | Do M:Arg => Do M:E
result-changed | Do M:Arg -> Int64 => Do M:Arg -> Text
parameters-changed | record Arg => record Arg(a)
kind-changed | enum E Red Green => record E a: Int64
field-removed | , note: Text =>
field-moved | owner: Party, note: Text => note: Text, owner: Party
field-changed | note: Text => note: Int64
field-required | note: Text => note: Text, more: Int64
field-added | note: Text => note: Text, more: Optional Int64
constructor-removed | Red Green => Red
constructor-moved | Red Green => Green Red
constructor-changed | B: Text => B: Int64
constructor-added | Red Green => Red Green Blue
interface-removed | interface J / =>
interface-added | interface J => interface J / interface K
interface-part-removed | method owner Party / =>
interface-part-changed | method owner Party => method owner Text
interface-part-changed | view M:V1 => view M:V
interface-part-changed | Look M:Arg => Look M:E
interface-part-removed |  requires M:J =>
interface-part-added | method owner => method other Text / method owner`

test('every rule for packages has a case', async (t) => {
  const folder = tempFolder(t)
  const found = new Map<string, readonly Change[]>()
  const changes = async (older: PackageSpec, newer: PackageSpec): Promise<readonly Change[]> => {
    const versions = await Promise.all(
      [older, newer].map(async (spec, index) => {
        const version = await openVersion(write(join(folder, `${index}.dar`), spec))
        return typeof version === 'string' ? assert.fail(version) : version
      }),
    )
    const [before, after] = versions
    const told = before === undefined || after === undefined ? '' : diffVersions(before, after)
    assert.ok(typeof told !== 'string', String(told))
    const all = told.flatMap((one) => one.changes)
    for (const { rule } of all) found.set(rule, all)
    return all
  }
  const base = packageOf('app', '1.0.0', RULES_BASE)
  for (const line of RULE_CASES.trim().split('\n')) {
    const [rule = '', edit = ''] = line.split(' | ')
    const [from = '', to = ''] = edit
      .split('=>')
      .map((part) => part.replaceAll(' / ', '\n').replace(/^ | $/g, ''))
    assert.ok(RULES_BASE.includes(from), line)
    const all = await changes(
      base,
      packageOf(
        'app',
        '1.1.0',
        RULES_BASE.replace(from, () => to),
      ),
    )
    assert.ok(
      all.some((one) => one.rule === `package-${rule}`),
      `${line}: ${all.map((one) => one.rule).join()}`,
    )
  }
  const more = (version: string, edit = RULES_BASE, minor = '1') =>
    packageOf('app', version, edit, { minor })
  await changes(more('1.0.0', RULES_BASE, '2'), more('1.1.0'))
  await changes(more('1.1.0'), more('1.0.0', RULES_BASE.replace(' key Party', '')))
  await changes(more('1.0.0', RULES_BASE.replace(' key Party', '')), more('1.0.0'))
  const modules = [moduleOf('M', RULES_BASE), moduleOf('N', 'record X a: Text')]
  await changes({ ...base, modules }, more('1.1.0'))
  await changes(base, { ...more('1.1.0'), modules })
  assert.deepEqual(
    Object.keys(PACKAGE_RULES).filter((rule) => !found.has(rule)),
    [],
  )
})

/** Archives of which no two have a main package of one name, the newest of each. */
const newest = [...new Map(dars.map((file) => [file.replace(/-[\d.]+\.dar$/, ''), file])).values()]

test('types of all released packages compile, and agree with the service', { skip }, async (t) => {
  const out = tempFolder(t)
  const files = newest.map((file) => join(FOLDER, file))
  const packages = files.map((archive) => ({ archive }))
  const report = await generate({ config: { interfaces: [], packages, out } })
  assert.equal(report.status, 'written', JSON.stringify(report))
  assert.equal(typeCheck(out), '')
  let count = 0
  for (const file of files) count += await agree(out, file, 1)
  assert.ok(count > 500, String(count))
})
