// Which package may follow which: each rule with the smallest change that keeps it and the smallest
// that breaks it, on packages that were written and read.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { LedgerError } from '../../runtime/errors/errors.ts'
import {
  checkBasicLibrary,
  checkUpgrade,
  checkUpgrades,
  compareVersions,
  describePackage,
  isUtilityPackage,
} from '../../runtime/participant/packages/index.ts'
import type { PackageSummary } from '../../runtime/participant/packages/index.ts'
import { readPackage } from '../../runtime/packages/summary/package-reader.ts'
import { knownArchives } from '../packages/kit.ts'
import { allArchives, skip } from '../packages/released.ts'
import * as write from '../support/dar-writer.ts'
import { good } from './dar-kit.ts'

/** The reader's summary of a package. */
async function summary(spec: write.PackageSpec): Promise<PackageSummary> {
  const bytes = write.dar({ main: write.archive(spec) })
  const [first] = await good(bytes, ({ packages }) => packages, { stablePackageIds: known })
  assert.ok(first)
  return first.summary
}

/** Packages that tests refer to and do not put into the DAR. */
const known = new Set<string>()

const { TEXT, INT64, PARTY, optional, list, own, variable } = write

/** Types by the names of their fields, constructors or values. */
type Fields = Readonly<Record<string, write.TypeSpec>>
const record = (name: string, fields: Fields): write.DataSpec => ({
  name,
  record: Object.entries(fields),
})
const variant = (name: string, cases: Fields): write.DataSpec => ({
  name,
  variant: Object.entries(cases),
})

const doChoice: write.ChoiceSpec = { name: 'Do', argument: own('M:Arg'), result: INT64 }
const template: write.TemplateSpec = { name: 'T', key: PARTY, choices: [doChoice] }
const TYPES: readonly write.DataSpec[] = [
  record('T', { owner: PARTY, note: TEXT }),
  record('Arg', { amount: INT64 }),
  variant('V', { A: INT64, B: TEXT }),
  { name: 'E', enum: ['Red', 'Green'] },
  { ...record('P', { left: variable('a'), right: list(variable('b')) }), parameters: ['a', 'b'] },
  { ...record('Hidden', { f: TEXT }), serializable: false },
]
const base: write.ModuleSpec = { name: 'M', dataTypes: TYPES, templates: [template] }

function app(
  version: string,
  modules: readonly write.ModuleSpec[] = [base],
  more: Partial<write.PackageSpec> = {},
): write.PackageSpec {
  return { name: 'app', version, modules, ...more }
}

/** The base module with another data type of this name. */
function withType(type: write.DataSpec): write.ModuleSpec {
  return { ...base, dataTypes: TYPES.map((each) => (each.name === type.name ? type : each)) }
}

function withoutType(name: string): write.ModuleSpec {
  return { ...base, dataTypes: TYPES.filter((each) => each.name !== name) }
}

const withRecord = (name: string, fields: Fields) => withType(record(name, fields))
const withVariant = (cases: Fields) => withType(variant('V', cases))
const withEnum = (...values: readonly string[]) => withType({ name: 'E', enum: values })
const withParameters = (parameters: readonly string[], fields: Fields) =>
  withType({ ...record('P', fields), parameters })

/** The base module with other templates, or one that differs. */
function withTemplate(...templates: readonly write.TemplateSpec[]): write.ModuleSpec {
  return { ...base, templates }
}

async function upgrade(
  older: write.PackageSpec,
  newer: write.PackageSpec,
): Promise<LedgerError | undefined> {
  return checkUpgrade(await summary(newer), [await summary(older)])
}

type Case = readonly [what: string, ...write.ModuleSpec[]]

describe('passes', () => {
  const more: Fields = { owner: PARTY, note: TEXT, more: optional(TEXT) }
  const cases: readonly Case[] = [
    ['nothing but the version', base],
    ['a new optional field at the end', withRecord('T', more)],
    ['two of them', withRecord('Arg', { amount: INT64, a: optional(TEXT), b: optional(INT64) })],
    ['a new module', base, { name: 'N', dataTypes: [record('X', { f: TEXT })] }],
    ['a new data type', { ...base, dataTypes: [record('X', { f: TEXT }), ...TYPES] }],
    ['a new template', withTemplate(template, { name: 'Arg' })],
    ['a new choice', withTemplate({ ...template, choices: [{ name: 'More' }, doChoice] })],
    ['a new constructor of a variant', withVariant({ A: INT64, B: TEXT, C: PARTY })],
    ['a new constructor of an enum', withEnum('Red', 'Green', 'Blue')],
    [
      'variables under other names',
      withParameters(['x', 'y'], { left: variable('x'), right: list(variable('y')) }),
    ],
    ['a type that no contract can hold, removed', withoutType('Hidden')],
    [
      'a type that no contract could hold, made serializable',
      withType({ name: 'Hidden', record: [] }),
    ],
    ['definitions in another order', { ...base, dataTypes: TYPES.toReversed() }],
    ['a new interface', { ...base, interfaces: ['I'] }],
    ['a new exception', { ...base, exceptions: ['X'] }],
    [
      'a type behind a synonym',
      {
        ...withRecord('T', {
          owner: PARTY,
          note: { synonym: 'M:Note' },
          x: { synonym: 'M:Maybe', args: [TEXT] },
        }),
        synonyms: [
          { name: 'Note', type: TEXT },
          { name: 'Maybe', parameters: ['a'], type: optional(variable('a')) },
        ],
      },
    ],
  ]
  for (const [what, ...next] of cases) {
    test(what, async () =>
      assert.equal((await upgrade(app('1.0.0'), app('1.0.1', next)))?.cause, undefined),
    )
  }
  test('interfaces and exceptions that stay', async () => {
    const older = app('1', [{ ...base, interfaces: ['I'], exceptions: ['X'] }])
    assert.equal(await upgrade(older, { ...older, version: '2' }), undefined)
  })
  test('an exception that goes', async () =>
    assert.equal(await upgrade(app('1', [{ ...base, exceptions: ['X'] }]), app('2')), undefined))
  test('a higher language version', async () =>
    assert.equal(await upgrade(app('1'), app('2', [base], { minor: '2' })), undefined))
  test('the other way of writing types', async () =>
    assert.equal(await upgrade(app('1'), app('2', [base], { internedTypes: true })), undefined))
})

describe('NOT_VALID_UPGRADE_PACKAGE', () => {
  const cases: readonly Case[] = [
    ['module M is removed', { ...base, name: 'N', templates: [] }],
    ['module M: template T is removed', withTemplate()],
    ['module M: template T: the key is removed', withTemplate({ name: 'T', choices: [doChoice] })],
    [
      'module M: template T: the type of the key is changed',
      withTemplate({ ...template, key: TEXT }),
    ],
    ['module M: template T: choice Do is removed', withTemplate({ ...template, choices: [] })],
    [
      'module M: template T: choice Do: the type of the argument is changed',
      withTemplate({ ...template, choices: [{ ...doChoice, argument: own('M:E') }] }),
    ],
    [
      'module M: template T: choice Do: the type of the result is changed',
      withTemplate({ ...template, choices: [{ ...doChoice, result: TEXT }] }),
    ],
    ['module M: data type Arg is removed', withoutType('Arg')],
    [
      'module M: data type E is removed',
      withType({ name: 'E', serializable: false, enum: ['Red', 'Green'] }),
    ],
    [
      'module M: data type E: it was enum and is variant',
      withType(variant('E', { Red: write.UNIT, Green: write.UNIT })),
    ],
    ['module M: data type T: field note is removed', withRecord('T', { owner: PARTY })],
    ['module M: data type T: field note is removed', withRecord('T', { owner: PARTY, memo: TEXT })],
    [
      'module M: data type T: field owner is at another place',
      withRecord('T', { note: TEXT, owner: PARTY }),
    ],
    [
      'module M: data type T: field owner is at another place',
      withRecord('T', { x: optional(TEXT), owner: PARTY, note: TEXT }),
    ],
    [
      'module M: data type T: the type of field note is changed',
      withRecord('T', { owner: PARTY, note: INT64 }),
    ],
    [
      'module M: data type T: the type of field note is changed',
      withRecord('T', { owner: PARTY, note: optional(TEXT) }),
    ],
    [
      'module M: data type T: the new field more is not optional',
      withRecord('T', { owner: PARTY, note: TEXT, more: TEXT }),
    ],
    ['module M: data type V: constructor A is removed', withVariant({ B: TEXT })],
    [
      'module M: data type V: constructor B is at another place',
      withVariant({ A: INT64, C: PARTY, B: TEXT }),
    ],
    [
      'module M: data type V: the type of constructor B is changed',
      withVariant({ A: INT64, B: PARTY }),
    ],
    ['module M: data type E: constructor Red is removed', withEnum('Green')],
    ['module M: data type E: constructor Red is at another place', withEnum('Green', 'Red')],
    [
      'module M: data type P: its parameters are changed',
      withParameters(['a'], { left: variable('a'), right: list(TEXT) }),
    ],
    [
      'module M: data type P: the type of field left is changed',
      withParameters(['b', 'a'], { left: variable('a'), right: list(variable('b')) }),
    ],
  ]
  for (const [reason, ...next] of cases) {
    test(reason, async () => {
      const error = await upgrade(app('1.0.0'), app('1.0.1', next))
      assert.equal(error?.code, 'NOT_VALID_UPGRADE_PACKAGE')
      assert.equal(error.params['reason'], reason)
    })
  }

  test('says which package cannot be an upgrade of which', async () => {
    const [older, newer] = [await summary(app('1')), await summary(app('2', [withTemplate()]))]
    assert.equal(
      checkUpgrade(newer, [older])?.cause,
      `Upgrade checks indicate that ${newer.packageId} (app v2) cannot be an upgrade of ` +
        `${older.packageId} (app v1). Reason: module M: template T is removed`,
    )
  })

  test('a lowered language version', async () => {
    const error = await upgrade(app('1', [base], { minor: '2' }), app('2'))
    assert.equal(error?.params['reason'], 'the language version is lowered from 2.2 to 2.1')
  })

  test('a key that was not there', async () => {
    const error = await upgrade(
      app('1', [withTemplate({ name: 'T', choices: [doChoice] })]),
      app('2'),
    )
    assert.equal(error?.params['reason'], 'module M: template T: the key is added')
  })

  test('an implementation removed', async () => {
    const holder = write.archive({
      name: 'holder',
      version: '1',
      modules: [{ name: 'I', interfaces: ['I'] }],
    })
    known.add(holder.packageId)
    const implementing = app('1', [
      withTemplate({
        ...template,
        interfaces: [{ constructed: 'I:I', package: holder.packageId }],
      }),
    ])
    assert.equal(await upgrade(implementing, { ...implementing, version: '2' }), undefined)
    assert.equal(await upgrade(app('0'), implementing), undefined)
    assert.equal(
      (await upgrade(implementing, app('2')))?.params['reason'],
      'module M: template T: interface I:I is no longer implemented',
    )
  })

  test('a synonym that now stands for something else', async () => {
    const using = (type: write.TypeSpec): readonly write.ModuleSpec[] => [
      {
        name: 'M',
        synonyms: [{ name: 'S', type }],
        dataTypes: [record('T', { f: { synonym: 'M:S' } })],
      },
    ]
    assert.equal(
      (await upgrade(app('1', using(TEXT)), app('2', using(INT64))))?.params['reason'],
      'module M: data type T: the type of field f is changed',
    )
  })
})

describe('the line of versions', () => {
  const grown = withRecord('T', { owner: PARTY, note: TEXT, more: optional(TEXT) })

  test('KNOWN_PACKAGE_VERSION for another package of the same name and version', async () => {
    const [one, other] = [await summary(app('1.0.0')), await summary(app('1.0.0', [grown]))]
    const error = checkUpgrade(other, [one])
    assert.equal(error?.code, 'KNOWN_PACKAGE_VERSION')
    assert.equal(
      error.cause,
      `Tried to vet two packages with the same name and version: ${describePackage(one)} and ${describePackage(other)}.`,
    )
  })

  test('the same package again passes', async () => {
    const one = await summary(app('1.0.0'))
    assert.equal(checkUpgrade(one, [one]), undefined)
  })

  test('other names do not matter', async () => {
    assert.equal(
      checkUpgrade(await summary(app('2', [{ name: 'X', dataTypes: [{ name: 'X', enum: [] }] }])), [
        await summary({ ...app('1'), name: 'other' }),
      ]),
      undefined,
    )
  })

  test('an older version is checked against the one after it', async () => {
    const vetted = [await summary(app('1.0.10', [base]))]
    assert.equal(
      checkUpgrade(await summary(app('1.0.9', [grown])), vetted)?.code,
      'NOT_VALID_UPGRADE_PACKAGE',
    )
    assert.equal(checkUpgrade(await summary(app('1.0.11', [grown])), vetted), undefined)
  })

  test('one in between is checked against both neighbours and no other', async () => {
    const vetted = [await summary(app('3', [grown])), await summary(app('1'))]
    assert.equal(checkUpgrade(await summary(app('2')), vetted), undefined)
    assert.equal(checkUpgrade(await summary(app('2', [grown])), vetted), undefined)
    assert.equal(
      checkUpgrade(await summary(app('2', [withTemplate()])), vetted)?.code,
      'NOT_VALID_UPGRADE_PACKAGE',
    )
    const ahead = withRecord('T', { owner: PARTY, note: TEXT, other: optional(TEXT) })
    assert.equal(
      checkUpgrade(await summary(app('2', [ahead])), vetted)?.code,
      'NOT_VALID_UPGRADE_PACKAGE',
    )
  })

  test('packages without anything for contracts are left out', async () => {
    const tools = async (calls: readonly string[]): Promise<PackageSummary> =>
      summary({ name: 'tools', version: '1', calls })
    known.add('x')
    const [one, other] = [await tools([]), await tools(['x'])]
    assert.ok(isUtilityPackage(one))
    assert.equal(checkUpgrade(other, [one]), undefined)
    const line = [await summary({ ...app('1'), name: 'tools' })]
    assert.equal(checkUpgrade(one, line), undefined)
  })

  test('stable packages are left out', async () => {
    const [one, other] = [await summary(app('1.0.0')), await summary(app('1.0.0', [grown]))]
    for (const { packageId } of [one, other])
      assert.equal(
        checkUpgrade(other, [one], { stablePackageIds: new Set([packageId]) }),
        undefined,
      )
  })

  test('PRIM_NOT_UTILITY_PACKAGE', async () => {
    const library = await summary({ ...app('1'), name: 'library' })
    const basicLibraries = ['library']
    assert.equal(checkBasicLibrary(library, { basicLibraries })?.code, 'PRIM_NOT_UTILITY_PACKAGE')
    assert.equal(checkBasicLibrary(library, { basicLibraries: ['other'] }), undefined)
    const stablePackageIds = new Set([library.packageId])
    assert.equal(checkBasicLibrary(library, { basicLibraries, stablePackageIds }), undefined)
    const tools = await summary({ name: 'library', version: '1' })
    assert.equal(checkBasicLibrary(tools, { basicLibraries }), undefined)
  })
})

describe('types of other packages', () => {
  const lib = async (version: string, fields: Fields): Promise<PackageSummary> => {
    const found = await summary({
      name: 'lib',
      version,
      modules: [{ name: 'L', dataTypes: [record('U', fields)] }],
    })
    known.add(found.packageId)
    return found
  }
  const using = ({ packageId }: PackageSummary, version: string): Promise<PackageSummary> => {
    const u = { constructed: 'L:U', package: packageId }
    return summary(app(version, [{ name: 'M', dataTypes: [record('T', { u })] }]))
  }
  const both = async () =>
    [await lib('1', { x: INT64 }), await lib('2', { x: INT64, y: optional(INT64) })] as const

  test('may move on with their package, never back', async () => {
    const [old, now] = await both()
    assert.equal(
      checkUpgrades([now, await using(now, '2')], [old, await using(old, '1')]),
      undefined,
    )
    assert.equal(
      checkUpgrade(await using(old, '2'), [old, now, await using(now, '1')])?.code,
      'NOT_VALID_UPGRADE_PACKAGE',
    )
  })

  test('must not change to those of a package that is not known', async () => {
    const [old, now] = await both()
    assert.equal(
      checkUpgrade(await using(now, '2'), [old, await using(old, '1')])?.code,
      'NOT_VALID_UPGRADE_PACKAGE',
    )
  })

  test('of one DAR are judged with it', async () => {
    const [old, now] = [await lib('1', { x: INT64 }), await lib('2', { x: TEXT })]
    assert.equal(
      checkUpgrades([await using(now, '2'), now], [old, await using(old, '1')])?.params['reason'],
      'module L: data type U: the type of field x is changed',
    )
  })
})

test('released packages follow one another in every order', { skip }, async () => {
  const summaries = await Promise.all([...(await allArchives()).values()].map(readPackage))
  const byId = new Map(summaries.map((each) => [each.packageId, each]))
  const uploaded = ({ packageId }: PackageSummary): readonly PackageSummary[] => {
    const ids = new Set([packageId])
    for (const id of ids) for (const needed of byId.get(id)?.dependencies ?? []) ids.add(needed)
    return [...ids].flatMap((id) => byId.get(id) ?? [])
  }
  const inOrder = summaries.toSorted(
    (one, other) =>
      one.name.localeCompare(other.name) || compareVersions(one.version, other.version),
  )
  const rules = knownArchives()
  const whole = { minLength: summaries.length, maxLength: summaries.length }
  fc.assert(
    fc.property(fc.shuffledSubarray(inOrder, whole), (order) => {
      const vetted = new Map<string, PackageSummary>()
      for (const next of order) {
        const error = checkUpgrades(uploaded(next), [...vetted.values()], rules)
        assert.equal(error?.cause, undefined)
        assert.equal(checkBasicLibrary(next, rules)?.cause, undefined)
        for (const each of uploaded(next)) vetted.set(each.packageId, each)
      }
    }),
    { numRuns: 20, examples: [[inOrder]] },
  )
})

test('property: versions are ordered as lists of numbers', () => {
  const version = fc.array(fc.nat(30), { minLength: 1, maxLength: 4 })
  const expected = (one: readonly number[], other: readonly number[]): number => {
    for (let index = 0; index < Math.max(one.length, other.length); index++) {
      const difference = (one[index] ?? -1) - (other[index] ?? -1)
      if (difference !== 0) return Math.sign(difference)
    }
    return 0
  }
  fc.assert(
    fc.property(version, version, (one, other) => {
      assert.equal(Math.sign(compareVersions(one.join('.'), other.join('.'))), expected(one, other))
    }),
  )
})

test('property: whatever grows only by optional fields at the end is an upgrade, and going back is none', async () => {
  const type = fc.constantFrom(TEXT, INT64, PARTY, list(TEXT), optional(INT64))
  const fields = fc
    .array(type, { maxLength: 6 })
    .map((types) => types.map((each, index): write.FieldSpec => [`f${index}`, each]))
  await fc.assert(
    fc.asyncProperty(fields, fc.array(type, { minLength: 1, maxLength: 4 }), async (old, added) => {
      const more = added.map((each, index): write.FieldSpec => [`g${index}`, optional(each)])
      const module = (record: readonly write.FieldSpec[]): readonly write.ModuleSpec[] => [
        { name: 'M', dataTypes: [{ name: 'T', record }] },
      ]
      assert.equal(
        await upgrade(app('1', module(old)), app('2', module([...old, ...more]))),
        undefined,
      )
      assert.equal(
        (await upgrade(app('1', module([...old, ...more])), app('2', module(old))))?.code,
        'NOT_VALID_UPGRADE_PACKAGE',
      )
    }),
    { numRuns: 30 },
  )
})
