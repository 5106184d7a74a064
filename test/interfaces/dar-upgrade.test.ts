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
import { differences } from '../../runtime/packages/summary/differences.ts'
import { readPackage } from '../../runtime/packages/summary/package-reader.ts'
import { knownArchives } from '../packages/kit.ts'
import { allArchives, skip } from '../packages/released.ts'
import { archiveOfText, moduleOf, packageOf } from '../support/dar-text.ts'
import { archive, dar } from '../support/dar-writer.ts'
import type { PackageSpec } from '../support/dar-writer.ts'
import { good } from './dar-kit.ts'

/** The reader's summary of a package. */
async function summary(spec: PackageSpec): Promise<PackageSummary> {
  const bytes = dar({ main: archive(spec) })
  const [first] = await good(bytes, ({ packages }) => packages, { stablePackageIds: known })
  assert.ok(first)
  return first.summary
}

/** Packages that tests refer to and do not put into the DAR. */
const known = new Set<string>()

const BASE = `
record T owner: Party, note: Text
record Arg amount: Int64
variant V A: Int64, B: Text
enum E Red Green
record P(a, b) left: a, right: List b
hidden record Hidden f: Text
template T key Party
choice Do M:Arg -> Int64
`

/** The base module after edits, `old => new`; a slash is the end of a line. */
function edited(edits: string): string {
  return edits.split('; ').reduce((text, edit) => {
    const [from = '', to = ''] = edit.split('=>').map((part) => part.trim().replaceAll(' / ', '\n'))
    assert.ok(text.includes(from), edit)
    return text.replace(from, () => to)
  }, BASE)
}

const app = (version: string, text = BASE, more: Partial<PackageSpec> = {}): PackageSpec =>
  packageOf('app', version, text, more)

async function upgrade(older: PackageSpec, newer: PackageSpec): Promise<LedgerError | undefined> {
  return checkUpgrade(await summary(newer), [await summary(older)])
}

async function reasonAgainst(older: PackageSpec, newer: PackageSpec): Promise<unknown> {
  const error = await upgrade(older, newer)
  if (error !== undefined) assert.equal(error.code, 'NOT_VALID_UPGRADE_PACKAGE')
  return error?.params['reason']
}

const MORE = 'note: Text => note: Text, more: Optional Text'

describe('passes', () => {
  const cases = {
    'nothing but the version': '=>',
    'a new optional field at the end': MORE,
    'two of them': 'amount: Int64 => amount: Int64, a: Optional Text, b: Optional Int64',
    'a new data type': 'record T => record X f: Text / record T',
    'a new template': 'template T => template Arg / template T',
    'a new choice': 'choice Do => choice More / choice Do',
    'a new constructor of a variant': 'B: Text => B: Text, C: Party',
    'a new constructor of an enum': 'Red Green => Red Green Blue',
    'variables under other names': '(a, b) left: a, right: List b => (x, y) left: x, right: List y',
    'a type that no contract can hold, removed': 'hidden record Hidden f: Text =>',
    'a type that no contract could hold, made serializable':
      'hidden record Hidden f: Text => record Hidden',
    'a new interface': 'record T => interface I / record T',
    'a new exception': 'record T => exception X / record T',
    'a type behind a synonym':
      'note: Text => note: ~M:Note, x: ~M:Maybe Text; record Arg => synonym Note = Text / synonym Maybe(a) = Optional a / record Arg',
  }
  for (const [what, edits] of Object.entries(cases)) {
    test(what, async () =>
      assert.equal(await reasonAgainst(app('1.0.0'), app('1.0.1', edited(edits))), undefined),
    )
  }
  const added = moduleOf('N', 'record X f: Text')
  const [types = '', templates = ''] = BASE.split(/(?=template)/)
  const others: Readonly<Record<string, readonly [PackageSpec, PackageSpec]>> = {
    'a new module': [app('1'), app('2', BASE, { modules: [moduleOf('M', BASE), added] })],
    'definitions in another order': [
      app('1'),
      app('2', `${types.split('\n').toReversed().join('\n')}\n${templates}`),
    ],
    'interfaces and exceptions that stay': [
      app('1', `interface I\nexception X${BASE}`),
      app('2', `interface I\nexception X${BASE}`),
    ],
    'an exception that goes': [app('1', `exception X${BASE}`), app('2')],
    'a higher language version': [app('1'), app('2', BASE, { minor: '2' })],
    'the other way of writing types': [app('1'), app('2', BASE, { internedTypes: true })],
  }
  for (const [what, [older, newer]] of Object.entries(others))
    test(what, async () => assert.equal(await reasonAgainst(older, newer), undefined))
})

describe('NOT_VALID_UPGRADE_PACKAGE', () => {
  const cases = `
    template T is removed | template T key Party / choice Do M:Arg -> Int64 =>
    template T: the key is removed | key Party =>
    template T: the type of the key is changed | key Party => key Text
    template T: choice Do is removed | choice Do M:Arg -> Int64 =>
    template T: choice Do: the type of the argument is changed | M:Arg => M:E
    template T: choice Do: the type of the result is changed | -> Int64 => -> Text
    data type Arg is removed | record Arg amount: Int64 =>
    data type E is removed | enum E => hidden enum E
    data type E: it was enum and is variant | enum E Red Green => variant E Red: Unit, Green: Unit
    data type T: field note is removed | , note: Text =>
    data type T: field note is removed | note: Text => memo: Text
    data type T: field owner is at another place | owner: Party, note: Text => note: Text, owner: Party
    data type T: field owner is at another place | owner: Party => x: Optional Text, owner: Party
    data type T: the type of field note is changed | note: Text => note: Int64
    data type T: the type of field note is changed | note: Text => note: Optional Text
    data type T: the new field more is not optional | note: Text => note: Text, more: Text
    data type V: constructor A is removed | A: Int64, B => B
    data type V: constructor B is at another place | B: Text => C: Party, B: Text
    data type V: the type of constructor B is changed | B: Text => B: Party
    data type E: constructor Red is removed | Red Green => Green
    data type E: constructor Red is at another place | Red Green => Green Red
    data type P: its parameters are changed | (a, b) left: a, right: List b => (a) left: a, right: List Text
    data type P: the type of field left is changed | (a, b) => (b, a)
  `
  for (const line of cases.trim().split('\n')) {
    const [reason = '', edits = ''] = line.trim().split(' | ')
    test(line.trim(), async () => {
      const found = await reasonAgainst(app('1.0.0'), app('1.0.1', edited(edits)))
      assert.equal(found, `module M: ${reason}`)
    })
  }

  const withoutTemplate = edited('template T key Party / choice Do M:Arg -> Int64 =>')
  const synonym = (of: string) => `synonym S = ${of}\nrecord T f: ~M:S`
  const others: Readonly<Record<string, readonly [PackageSpec, PackageSpec]>> = {
    'module M is removed': [app('1'), packageOf('app', '2', withoutTemplate, { module: 'N' })],
    'the language version is lowered from 2.2 to 2.1': [app('1', BASE, { minor: '2' }), app('2')],
    'module M: template T: the key is added': [app('1', edited('key Party =>')), app('2')],
    'module M: data type T: the type of field f is changed': [
      app('1', synonym('Text')),
      app('2', synonym('Int64')),
    ],
  }
  for (const [reason, [older, newer]] of Object.entries(others))
    test(reason, async () => assert.equal(await reasonAgainst(older, newer), reason))

  test('says which package cannot be an upgrade of which', async () => {
    const [older, newer] = [await summary(app('1')), await summary(app('2', withoutTemplate))]
    assert.equal(
      checkUpgrade(newer, [older])?.cause,
      `Upgrade checks indicate that ${newer.packageId} (app v2) cannot be an upgrade of ` +
        `${older.packageId} (app v1). Reason: module M: template T is removed`,
    )
  })

  test('an implementation removed', async () => {
    const holder = archiveOfText('holder', '1', 'interface I', { module: 'I' })
    known.add(holder.packageId)
    const text = edited(`key Party => key Party implements I:I@${holder.packageId}`)
    const implementing = app('1', text)
    assert.equal(await upgrade(implementing, app('2', text)), undefined)
    assert.equal(await upgrade(app('0'), implementing), undefined)
    assert.equal(
      await reasonAgainst(implementing, app('2')),
      'module M: template T: interface I:I is no longer implemented',
    )
  })
})

describe('the line of versions', () => {
  const base = () => summary(app('1.0.0'))
  const grown = (version: string) => summary(app(version, edited(MORE)))

  test('KNOWN_PACKAGE_VERSION for another package of the same name and version', async () => {
    const [one, other] = [await base(), await grown('1.0.0')]
    const error = checkUpgrade(other, [one])
    assert.equal(error?.code, 'KNOWN_PACKAGE_VERSION')
    assert.equal(
      error.cause,
      `Tried to vet two packages with the same name and version: ${describePackage(one)} and ${describePackage(other)}.`,
    )
  })

  test('the same package again passes', async () => {
    const one = await base()
    assert.equal(checkUpgrade(one, [one]), undefined)
  })

  test('other names do not matter', async () => {
    const older = await summary({ ...app('1'), name: 'other' })
    assert.equal(checkUpgrade(await summary(app('2', 'enum X')), [older]), undefined)
  })

  test('an older version is checked against the one after it', async () => {
    const vetted = [await summary(app('1.0.10'))]
    assert.equal(checkUpgrade(await grown('1.0.9'), vetted)?.code, 'NOT_VALID_UPGRADE_PACKAGE')
    assert.equal(checkUpgrade(await grown('1.0.11'), vetted), undefined)
  })

  test('one in between is checked against both neighbours and no other', async () => {
    const vetted = [await grown('3'), await summary(app('1'))]
    assert.equal(checkUpgrade(await summary(app('2')), vetted), undefined)
    assert.equal(checkUpgrade(await grown('2'), vetted), undefined)
    for (const edits of ['choice Do M:Arg -> Int64 =>', MORE.replace('more', 'other')])
      assert.equal(
        checkUpgrade(await summary(app('2', edited(edits))), vetted)?.code,
        'NOT_VALID_UPGRADE_PACKAGE',
      )
  })

  test('packages without anything for contracts are left out', async () => {
    known.add('x')
    const [one, other] = [
      await summary(packageOf('tools', '1')),
      await summary(packageOf('tools', '1', '', { calls: ['x'] })),
    ]
    assert.ok(isUtilityPackage(one))
    assert.equal(checkUpgrade(other, [one]), undefined)
    const line = [await summary({ ...app('1'), name: 'tools' })]
    assert.equal(checkUpgrade(one, line), undefined)
  })

  test('stable packages are left out', async () => {
    const [one, other] = [await base(), await grown('1.0.0')]
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
    const tools = await summary(packageOf('library', '1'))
    assert.equal(checkBasicLibrary(tools, { basicLibraries }), undefined)
  })
})

describe('types of other packages', () => {
  const lib = async (version: string, text: string): Promise<PackageSummary> => {
    const found = await summary(packageOf('lib', version, `record U ${text}`, { module: 'L' }))
    known.add(found.packageId)
    return found
  }
  const using = ({ packageId }: PackageSummary, version: string): Promise<PackageSummary> =>
    summary(app(version, `record T u: L:U@${packageId}`))
  const both = async () =>
    [await lib('1', 'x: Int64'), await lib('2', 'x: Int64, y: Optional Int64')] as const

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
    const [old, now] = [await lib('1', 'x: Int64'), await lib('2', 'x: Text')]
    assert.equal(
      checkUpgrades([await using(now, '2'), now], [old, await using(old, '1')])?.params['reason'],
      'module L: data type U: the type of field x is changed',
    )
  })
})

test('required interfaces of the same name are those of their packages', async () => {
  const [one, two] = ['one', 'two'].map((name) => archiveOfText(name, '1', 'interface J'))
  assert.ok(one && two)
  const requiring = (...packages: readonly { readonly packageId: string }[]) => {
    for (const { packageId } of packages) known.add(packageId)
    const requires = packages.map(({ packageId }) => ({ constructed: 'M:J', package: packageId }))
    return summary({
      name: 'app',
      version: '1',
      modules: [{ name: 'M', interfaces: [{ name: 'I', requires }] }],
    })
  }
  const [both, second] = [await requiring(one, two), await requiring(two)]
  const told = (older: PackageSummary, newer: PackageSummary) =>
    [...differences(older, newer, [])].map(({ rule, name }) => [rule, name])
  const name = 'the required interface M:J'
  assert.deepEqual(told(both, second), [['interface-part-removed', name]])
  assert.deepEqual(told(second, both), [['interface-part-added', name]])
  assert.deepEqual(told(both, both), [])
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
  const type = fc.constantFrom('Text', 'Int64', 'Party', 'List Text', 'Optional Int64')
  const recordOf = (fields: readonly string[]) => `record T ${fields.join(', ')}`
  const types = fc.array(type, { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(types, fc.array(type, { minLength: 1, maxLength: 4 }), async (old, added) => {
      const before = old.map((each, index) => `f${index}: ${each}`)
      const after = [...before, ...added.map((each, index) => `g${index}: Optional (${each})`)]
      const [less, more] = [recordOf(before).trim(), recordOf(after)]
      assert.equal(await upgrade(app('1', less), app('2', more)), undefined)
      assert.equal(
        (await upgrade(app('1', more), app('2', less)))?.code,
        'NOT_VALID_UPGRADE_PACKAGE',
      )
    }),
    { numRuns: 30 },
  )
})
