// What the check at upload accepts and refuses: each rule with a package that breaks only this
// rule.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { LedgerError } from '../../runtime/errors/errors.ts'
import { readDar } from '../../runtime/participant/packages/dar.ts'
import { languageError } from '../../runtime/participant/packages/language-check.ts'
import { Budget, Message } from '../../runtime/packages/archive/message.ts'
import { knownLibraries } from '../../runtime/packages/check/known-libraries.ts'
import { checkPackages } from '../../runtime/packages/check/package-checker.ts'
import { Interned } from '../../runtime/packages/summary/interned.ts'
import { refuseCircles } from '../../runtime/packages/summary/module-circles.ts'
import { MAX_REFERENCES } from '../../runtime/packages/summary/package-reader.ts'
import { graphOf, packageReferences } from '../../runtime/packages/summary/references.ts'
import {
  archive,
  bytes,
  dar,
  FORMAT,
  INT64,
  list,
  number,
  own,
  PARTY,
  text,
  TEXT,
  UNIT,
  variable as typeVariable,
} from '../support/dar-writer.ts'
import type { ArchiveFile, ModuleSpec, PackageSpec, TypeSpec } from '../support/dar-writer.ts'
import * as write from './expressions.ts'
import type { Write } from './expressions.ts'
import { allArchives, skip } from './released.ts'

const UPDATE = (type: TypeSpec): TypeSpec => ({ builtin: 17, args: [type] })
const ARROW = (from: TypeSpec, to: TypeSpec): TypeSpec => ({ builtin: 16, args: [from, to] })
const point = { name: 'Point', record: [['x', INT64]] } as const
const POINT = own('M:Point')
/** A name of many segments, none of them long. */
const LONG_NAME = Array.from({ length: 200 }, () => 'A').join('.') + 'BC'
const asset = { name: 'Asset', record: [['owner', PARTY]] } as const

/** The reason for which an upload is refused, '' where it is not. */
async function reasonOf(main: ArchiveFile, ...others: readonly ArchiveFile[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'check-'))
  const file = join(folder, 'test.dar')
  writeFileSync(file, dar({ main, others }))
  const read = await readDar(file, { manifestFormat: FORMAT })
  const problem = read instanceof LedgerError ? read : await languageError(read)
  if (!(read instanceof LedgerError)) read.close()
  rmSync(folder, { recursive: true })
  if (problem === undefined) return ''
  assert.ok(problem.code === 'DAR_VALIDATION_ERROR' || problem.code === 'DAR_PARSE_ERROR')
  return problem.params['validationError'] ?? problem.params['reason'] ?? ''
}

const pack = (spec: Partial<PackageSpec>): ArchiveFile =>
  archive({ name: 'test', version: '1.0.0', ...spec })

/** The same for a package of this one module. */
const reasonAgainst = (module: Partial<ModuleSpec>): Promise<string> =>
  reasonOf(pack({ modules: [{ name: 'M', ...module }] }))

const value = (type: TypeSpec, body: Write): Partial<ModuleSpec> => ({
  dataTypes: [point, asset],
  templates: [{ name: 'Asset' }],
  values: [{ name: 'v', type, body }],
})

test('every released package keeps the rules, the known libraries too', { skip }, async () => {
  const archives = await allArchives()
  assert.deepEqual([...knownLibraries.difference(new Set(archives.keys()))], [])
  await checkPackages([...archives.values()], new Set(archives.keys()))
})

const accepted: Readonly<Record<string, Partial<ModuleSpec>>> = {
  'a literal': value(INT64, write.int(1)),
  'a function and its use': value(
    INT64,
    write.apply(write.lambda('x', INT64, write.variable('x')), write.int(1)),
  ),
  'a function of the language': value(
    TEXT,
    write.apply(write.builtin(34), write.text('a'), write.text('b')),
  ),
  'a case': value(
    INT64,
    write.caseOf(
      write.some(INT64, write.int(1)),
      [write.isSome('x'), write.variable('x')],
      [write.isNone, write.int(0)],
    ),
  ),
  'an update': value(
    UPDATE(INT64),
    write.bind('x', INT64, write.pure(INT64, write.int(1)), write.pure(INT64, write.variable('x'))),
  ),
  'a template': {
    dataTypes: [asset],
    templates: [{ name: 'Asset', choices: [{ name: 'Give', argument: INT64, result: TEXT }] }],
  },
  'an exception': { exceptions: ['E'] },
  'an interface': {
    interfaces: ['I'],
    dataTypes: [asset],
    templates: [{ name: 'Asset', interfaces: [own('M:I')] }],
  },
}
for (const [what, module] of Object.entries(accepted))
  test(`accepted: ${what}`, async () => assert.equal(await reasonAgainst(module), ''))

/** Modules with the reason that refuses them. */
const refused: Readonly<Record<string, readonly [Partial<ModuleSpec>, RegExp]>> = {
  'authorizers of a choice': [
    {
      dataTypes: [asset],
      templates: [{ name: 'Asset', choices: [{ name: 'Give', hasAuthorizers: true }] }],
    },
    /^M:Asset: A choice has authorizers \(rule language version\)$/,
  ],
  'a value of another type': [
    value(TEXT, write.int(1)),
    /^M:v: .* Int64 .* Text \(rule DefValue\)$/,
  ],
  'an argument of another type': [
    value(INT64, write.apply(write.lambda('x', INT64, write.variable('x')), write.text('a'))),
    /rule ExpApp/,
  ],
  'an argument for what is no function': [
    value(INT64, write.apply(write.int(1), write.int(1))),
    /rule ExpApp/,
  ],
  'a type for what is not for all types': [
    value(INT64, write.applyTypes(write.int(1), INT64)),
    /rule ExpTyApp/,
  ],
  'a number where a type belongs': [
    value(INT64, write.apply(write.applyTypes(write.builtin(1), { nat: 1 }), write.text(''))),
    /rule well-formed types/,
  ],
  'a type where a number belongs': [
    value({ builtin: 5, args: [INT64] }, write.int(1)),
    /well-formed/,
  ],
  'a type with too many arguments': [
    value({ builtin: 2, args: [INT64] }, write.int(1)),
    /rule TyApp/,
  ],
  'a type that nothing binds': [value(typeVariable('a'), write.int(1)), /rule TyVar/],
  'a variable that nothing binds': [
    value(INT64, write.variable('x')),
    /^M:v: Nothing binds x \(rule ExpVar\)$/,
  ],
  'a binding of another type': [
    value(INT64, write.letIn('x', TEXT, write.int(1), write.int(1))),
    /rule ExpLet/,
  ],
  'a case that covers not all': [
    value(INT64, write.caseOf(write.none(INT64), [write.isNone, write.int(0)])),
    /rule ExpCase/,
  ],
  'a case with results of two types': [
    value(
      INT64,
      write.caseOf(
        write.none(INT64),
        [write.isNone, write.int(0)],
        [write.isSome('x'), write.text('')],
      ),
    ),
    /rule ExpCase/,
  ],
  'a pattern of another type': [
    value(INT64, write.caseOf(write.int(1), [write.isNone, write.int(0)])),
    /rule ExpCase/,
  ],
  'a field of another type': [
    value(POINT, write.record(POINT, { x: write.text('') })),
    /rule ExpRecCon/,
  ],
  'a record without its field': [
    value(POINT, write.record(POINT, {})),
    /^M:v: .* other fields .*\(rule ExpRecCon\)$/,
  ],
  'a value in Any that has arguments': [
    value({ builtin: 13 }, write.toAny(list(INT64), write.unit)),
    /rule ExpToAny/,
  ],
  'a function of another type in a value': [
    value(ARROW(INT64, TEXT), write.lambda('x', INT64, write.variable('x'))),
    /rule DefValue/,
  ],
  'a contract of what is no template': [
    value(UPDATE(UNIT), write.create('M:Point', write.record(POINT, { x: write.int(1) }))),
    /^M:v: There is no template .*:M:Point \(rule defined names\)$/,
  ],
  'a payload of another type': [
    value(UPDATE(UNIT), write.create('M:Asset', write.int(1))),
    /rule UpdCreate/,
  ],
  'a block that ends with no update': [
    value(UPDATE(INT64), write.bind('x', INT64, write.pure(INT64, write.int(1)), write.int(1))),
    /rule UpdBlock/,
  ],
  'a value that is not there': [value(INT64, write.value('M:absent')), /^M:v: There is no value/],
  'a function in a record that says it is serializable': [
    { dataTypes: [{ name: 'R', record: [['f', ARROW(INT64, INT64)]] }] },
    /^M:R: .*serializable types/,
  ],
  'a template whose record no contract can hold': [
    { dataTypes: [{ ...asset, serializable: false }], templates: [{ name: 'Asset' }] },
    /M:Asset has no serializable record \(rule DefTemplate\)$/,
  ],
  'a choice with an argument that no contract can hold': [
    {
      dataTypes: [asset],
      templates: [{ name: 'Asset', choices: [{ name: 'C', argument: ARROW(UNIT, UNIT) }] }],
    },
    /rule ChDef/,
  ],
  'a template with a key': [
    { dataTypes: [asset], templates: [{ name: 'Asset', key: PARTY }] },
    /^M:Asset: It has a key.*\(rule language version\)$/,
  ],
  'a template with a name too long for its id to be stored': [
    { dataTypes: [{ ...asset, name: LONG_NAME }], templates: [{ name: LONG_NAME }] },
    /Module and name have more than 400 characters/,
  ],
  'an interface that is not there': [
    { dataTypes: [asset], templates: [{ name: 'Asset', interfaces: [own('M:I')] }] },
    /There is no/,
  ],
  'a synonym of itself': [
    { synonyms: [{ name: 'S', type: { synonym: 'M:S' } }] },
    /^M:S: .*nested too deeply/,
  ],
  'names that differ by case alone': [
    { dataTypes: [point, { name: 'POINT', record: [] }] },
    /^M:POINT: .*name collision/,
  ],
  'an enum with parameters': [
    { dataTypes: [{ name: 'E', parameters: ['a'], enum: ['One'], serializable: false }] },
    /rule DefEnum/,
  ],
}
for (const [what, [module, reason]] of Object.entries(refused))
  test(`refused: ${what}`, async () => assert.match(await reasonAgainst(module), reason))

const call = (name: string): Partial<ModuleSpec> => ({
  values: [{ name: 'v', type: INT64, body: write.value(name) }],
})
const holds = (type: TypeSpec): Partial<ModuleSpec> => ({
  dataTypes: [{ name: 'T', record: [['x', type]], serializable: false }],
})
const circle = /^[AB]: It refers to itself by way of [AB] \(rule no cycles between modules\)$/
const two = (a: Partial<ModuleSpec>, b: Partial<ModuleSpec>): Partial<PackageSpec> => ({
  modules: [
    { name: 'A', ...a },
    { name: 'B', ...b },
  ],
})

/** Packages whose modules lead to each other. */
const circles: Readonly<Record<string, Partial<PackageSpec>>> = {
  values: two(call('B:v'), call('A:v')),
  types: two(holds(own('B:T')), holds(list(own('A:T')))),
  'types of a table': {
    ...two(holds(list(own('B:T'))), holds(list(own('A:T')))),
    internedTypes: true,
  },
  synonyms: two(
    { ...holds(INT64), synonyms: [{ name: 'S', type: own('B:T') }] },
    holds({ synonym: 'A:S' }),
  ),
}
for (const [what, spec] of Object.entries(circles))
  test(`refused: modules that refer to each other by their ${what}`, async () =>
    assert.match(await reasonOf(pack(spec)), circle))

test('accepted: modules that refer to themselves and one way', async () =>
  assert.equal(
    await reasonOf(
      pack({ ...two(holds(list(own('B:T'))), holds(list(own('B:T')))), internedTypes: true }),
    ),
    '',
  ))

test(
  'the search for circles takes at most 100,000 steps for a released package',
  { skip },
  async () => {
    let most = 0
    for (const { lfPackage } of (await allArchives()).values()) {
      const interned = new Interned(Message.in(lfPackage, new Budget(MAX_REFERENCES)))
      const { parts } = await packageReferences(lfPackage, interned)
      const budget = new Budget(MAX_REFERENCES)
      refuseCircles(graphOf(parts, interned), budget)
      most = Math.max(most, MAX_REFERENCES - budget.left)
    }
    assert.ok(most > 10_000 && most < 100_000, String(most))
  },
)

test('accepted: many modules, each of which refers to the next', async () => {
  const names = Array.from({ length: 1500 }, (_, index) => `A${index}`)
  const modules = names.map((name, index) => {
    const next = names[index + 1]
    return { name, ...holds(next === undefined ? INT64 : own(`${next}:T`)) }
  })
  assert.equal(await reasonOf(pack({ modules })), '')
})

test('refused: modules in a circle, one of which refers to itself first', async () => {
  const t = { name: 'T', record: [['x', list(own('A:T'))]], serializable: false } as const
  const u = { name: 'U', record: [['x', own('B:T')]], serializable: false } as const
  assert.match(
    await reasonOf(
      pack({ ...two({ dataTypes: [t, u] }, { dataTypes: [t] }), internedTypes: true }),
    ),
    circle,
  )
})

test('refused: modules in a circle of which a reference says more than it needs', async () => {
  const body: Write = (encoder) => {
    const module = [bytes(1, encoder.packageReference(undefined)), number(2, encoder.dotted('B'))]
    return bytes(3, bytes(1, ...module, number(9, 0)), number(2, encoder.dotted('v')))
  }
  const a = { values: [{ name: 'v', type: INT64, body }] }
  assert.match(await reasonOf(pack(two(a, call('A:v')))), circle)
})

/** What later versions of the language brought, and the version that brought it. */
const later: Readonly<Record<string, readonly [since: string, Partial<PackageSpec>]>> = {
  'a table of kinds': ['2', { more: [bytes(6, bytes(1))] }],
  'a table of expressions': ['2', { more: [bytes(7, number(5, 0))] }],
  'a table of imports': ['2', { imports: [] }],
  'a reason not to have one': ['2', { more: [text(8, 'none')] }],
  'a type applied to one type': [
    '2',
    { modules: [{ name: 'M', ...holds({ applied: [{ builtin: 10 }, INT64] }) }] },
  ],
  'the check of a key': [
    '3',
    { modules: [{ name: 'M', ...value(ARROW(TEXT, { builtin: 1 }), write.builtin(73)) }] },
  ],
}
for (const [what, [since, spec]] of Object.entries(later))
  test(`refused before language version 2.${since}: ${what}`, async () => {
    const before = await reasonOf(pack({ ...spec, minor: String(Number(since) - 1) }))
    assert.match(
      before,
      new RegExp(`of language version 2.${since}, .*\\(rule language version\\)$`),
    )
    assert.equal(await reasonOf(pack({ ...spec, minor: since })), '')
  })

test('refused: a reference that names two packages', async () => {
  const needed = pack({ name: 'needed' })
  const body: Write = (encoder) => {
    const packages = Buffer.concat([number(3, encoder.text(needed.packageId)), number(4, 0)])
    return bytes(3, bytes(1, bytes(1, packages)))
  }
  const modules = [{ name: 'M', ...value(INT64, body) }]
  const main = pack({ modules, imports: [needed.packageId], minor: '2' })
  assert.match(await reasonOf(main, needed), /A reference names two packages/)
})

test('refused: a package that needs one of a later language version', async () => {
  const needed = pack({ name: 'needed', minor: '2' })
  const main = (minor: string) => pack({ calls: [needed.packageId], minor })
  assert.match(
    await reasonOf(main('1'), needed),
    /: It is of language version 2\.1 .* \(needed v1\.0\.0\) of 2\.2 \(rule versions of dependencies\)$/,
  )
  assert.match(await reasonOf(main('2'), needed), /There is no value/)
})

/** An expression that holds one of a number, and is one. */
const holders: Readonly<Record<string, (inner: Write) => Write>> = {
  'an argument': (inner) => write.apply(write.lambda('y', INT64, write.variable('y')), inner),
  'a function': (inner) => write.apply(write.lambda('x', INT64, inner), write.int(1)),
  'a binding': (inner) => write.letIn('x', INT64, inner, write.variable('x')),
  'a scrutinee': (inner) =>
    write.caseOf(
      write.some(INT64, inner),
      [write.isSome('x'), write.variable('x')],
      [write.isNone, write.int(0)],
    ),
  'an alternative': (inner) =>
    write.caseOf(write.none(INT64), [write.isNone, inner], [write.isSome('x'), write.int(0)]),
}
for (const [what, holder] of Object.entries(holders))
  test(`nested as deep as it may be, and deeper: ${what}`, async () => {
    const within = write.nested(240, holder, write.int(1))
    assert.equal(await reasonAgainst(value(INT64, within)), '')
    const beyond = write.nested(1000, holder, write.int(1))
    assert.equal(await reasonAgainst(value(INT64, beyond)), 'M:v: It is nested too deeply')
  })
