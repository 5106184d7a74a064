// DARs as they are read: what a good one says, and the documented code of every bad one.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { archiveOfText, packageOf } from '../support/dar-text.ts'
import * as write from '../support/dar-writer.ts'
import { good, listing, refuses, rejection, withManifest } from './dar-kit.ts'

const lib = archiveOfText('lib', '1.0.0', 'record Unit count: Int64', { module: 'Lib' })
const appText = `
  record Deal owner: Party, unit: Lib:Unit@${lib.packageId}
  variant Tree(a) Leaf: a, Node: List (Main.Sub:Tree a)
  enum Colour Red Green
  template Deal key Party
  choice Close Main.Sub:Deal -> Unit
`
const appOf = (internedTypes: boolean) =>
  archiveOfText('app', '1.2.0', appText, { module: 'Main.Sub', internedTypes })
const app = appOf(false)
const plain = archiveOfText('plain', '0.1')

describe('a good DAR', () => {
  test('has its packages with their ids, the main one first', () =>
    good(write.dar({ main: app, others: [lib] }), (dar) => {
      assert.equal(dar.mainPackageId, app.packageId)
      assert.deepEqual(
        dar.packages.map(({ summary }) => summary.packageId),
        [app.packageId, lib.packageId],
      )
      assert.deepEqual(
        dar.packages.map(({ payloadSize }) => payloadSize),
        [app.payload.length, lib.payload.length],
      )
    }))

  test('gives payloads back byte for byte', () =>
    good(write.dar({ main: app, others: [lib] }), async (dar) => {
      const payloads = await Promise.all(dar.packages.map((each) => each.readPayload()))
      assert.deepEqual(
        payloads.map((each) => Buffer.from(each)),
        [app.payload, lib.payload],
      )
    }))

  for (const internedTypes of [false, true]) {
    test(`says what its packages define, types ${internedTypes ? 'in a table' : 'in place'}`, () => {
      return good(
        write.dar({ main: appOf(internedTypes), others: [lib] }),
        ({ packages: [first] }) => {
          const [module] = first?.summary.modules ?? []
          assert.deepEqual(
            [first?.summary.name, first?.summary.version, first?.summary.languageVersion],
            ['app', '1.2.0', '2.1'],
          )
          assert.deepEqual(
            module?.dataTypes.map(({ name, parameters, shape }) => [name, parameters, shape.kind]),
            [
              ['Deal', [], 'record'],
              ['Tree', ['a'], 'variant'],
              ['Colour', [], 'enum'],
            ],
          )
          assert.deepEqual(
            module?.templates.map(({ name, key, choices }) => [
              name,
              key?.name,
              choices.map((choice) => choice.name),
            ]),
            [['Deal', 'PARTY', ['Close']]],
          )
          const [deal, tree, colour] = module?.dataTypes ?? []
          assert.deepEqual(
            deal?.shape.kind === 'record' &&
              deal.shape.fields.map(({ type }) => [type.name, type.package]),
            [
              ['PARTY', ''],
              ['Lib:Unit', lib.packageId],
            ],
          )
          assert.deepEqual(
            tree?.shape.kind === 'variant' && tree.shape.cases[1]?.type.arguments[0]?.name,
            'Main.Sub:Tree',
          )
          assert.deepEqual(colour?.shape.kind === 'enum' && colour.shape.names, ['Red', 'Green'])
        },
      )
    })
  }

  test('may name the package that it upgrades', () => {
    const main = archiveOfText('app', '2', '', { upgrades: plain.packageId })
    return good(write.dar({ main }), (dar) =>
      assert.equal(dar.packages[0]?.summary.upgradedPackageId, plain.packageId),
    )
  })

  test('may name entries that wrap over lines of its manifest', () => {
    const main = { ...plain, name: `${'a'.repeat(70)}/${'ö'.repeat(90)}.dalf` }
    return good(write.dar({ main }), (dar) => assert.equal(dar.mainPackageId, plain.packageId))
  })

  test('may have stored entries, other entries and folders', () =>
    good(
      write.dar({
        main: plain,
        stored: true,
        more: [
          { name: 'META-INF/', data: Buffer.alloc(0) },
          { name: 'notes.txt', data: Buffer.from('hi') },
        ],
      }),
      (dar) => assert.equal(dar.packages.length, 1),
    ))

  test('may hold the same archive twice', () =>
    good(write.dar({ main: plain, others: [{ ...plain, name: 'copy.dalf' }] }), (dar) =>
      assert.equal(dar.packages.length, 1),
    ))

  test('is not readable after it is closed', async () => {
    const [first] = await good(write.dar({ main: plain }), (dar) => dar.packages)
    await assert.rejects(async () => first?.readPayload())
  })
})

describe('dependencies', () => {
  const caller = archiveOfText('caller', '1', '', { calls: [lib.packageId] })

  test('that only expressions name are needed', async () => {
    await good(write.dar({ main: caller, others: [lib] }), ({ packages: [first] }) => {
      assert.deepEqual(first?.summary.dependencies, [lib.packageId])
    })
    const context = await rejection(write.dar({ main: caller }), 'DAR_DEPENDENCIES_NOT_VALID')
    assert.deepEqual(context, {
      mainPackageId: caller.packageId,
      missingDependencies: lib.packageId,
      extraDependencies: '',
    })
  })

  test('of dependencies are needed', async () => {
    const main = archiveOfText('main', '1', '', { calls: [caller.packageId] })
    await good(write.dar({ main, others: [lib, caller] }), ({ packages }) =>
      assert.equal(packages.length, 3),
    )
    const { missingDependencies } = await rejection(
      write.dar({ main, others: [caller] }),
      'DAR_DEPENDENCIES_NOT_VALID',
    )
    assert.equal(missingDependencies, lib.packageId)
  })

  test('that nothing names are too many', async () => {
    const { extraDependencies } = await rejection(
      write.dar({ main: plain, others: [lib] }),
      'DAR_DEPENDENCIES_NOT_VALID',
    )
    assert.equal(extraDependencies, lib.packageId)
  })

  test('may be the libraries that every DAR carries', async () => {
    const dar = write.dar({
      main: plain,
      others: [lib, archiveOfText('lib-types', '1')],
    })
    await good(dar, ({ packages }) => assert.equal(packages.length, 3), { basicLibraries: ['lib'] })
  })

  test('may be packages that never change, held or not', async () => {
    const stablePackageIds = new Set([lib.packageId])
    await good(
      write.dar({ main: plain, others: [lib] }),
      ({ packages }) => assert.equal(packages.length, 2),
      { stablePackageIds },
    )
    await good(write.dar({ main: caller }), ({ packages }) => assert.equal(packages.length, 1), {
      stablePackageIds,
    })
  })

  test('may stand in a table of imports', async () => {
    const [main, unused] = [[lib.packageId], []].map((calls) =>
      archiveOfText('app', '1', '', { minor: '3', imports: [lib.packageId], calls }),
    )
    assert.ok(main && unused)
    await good(write.dar({ main, others: [lib] }), ({ packages }) =>
      assert.deepEqual(packages[0]?.summary.dependencies, [lib.packageId]),
    )
    await rejection(write.dar({ main: unused }), 'DAR_DEPENDENCIES_NOT_VALID')
  })
})

describe('INVALID_DAR', () => {
  const bad: readonly (readonly [string, () => Buffer])[] = [
    ['0 bytes', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('hello')],
    ['a zip cut short', () => write.dar({ main: plain }).subarray(0, -30)],
    ['an empty zip', () => write.zip([])],
    ['no manifest', () => write.zip([{ name: plain.name, data: plain.archive }])],
    ['an empty manifest', () => withManifest('')],
    ['a manifest that is not text', () => withManifest(Buffer.from([0x41, 0x3a, 0x20, 0xff]))],
    ['a manifest that begins with a continuation', () => withManifest(' x\n')],
    ['a line that is not an attribute', () => withManifest('nothing\n')],
    ['another format', () => write.dar({ main: plain, attributes: { Format: 'other' } })],
    [
      'the format in capitals',
      () => write.dar({ main: plain, attributes: { Format: write.FORMAT.toUpperCase() } }),
    ],
    ['an attribute twice', () => write.dar({ main: plain, attributes: { format: write.FORMAT } })],
    ['no packages', () => write.dar({ main: plain, attributes: { Dalfs: ' , ' } })],
    [
      'a main package that is not listed',
      () => write.dar({ main: plain, attributes: { 'Main-Dalf': 'other.dalf' } }),
    ],
  ]
  for (const [what, bytes] of bad) test(what, () => refuses(bytes(), 'INVALID_DAR'))

  test('attributes after the main section do not count', () => {
    const manifest = `${write.manifest({ Format: write.FORMAT })}Main-Dalf: ${plain.name}\nDalfs: ${plain.name}\n`
    return refuses(withManifest(manifest, { name: plain.name, data: plain.archive }), 'INVALID_DAR')
  })
})

describe('INVALID_ZIP_ENTRY', () => {
  test('a listed entry is absent', async () => {
    const context = await rejection(
      write.dar({ main: plain, attributes: { Dalfs: `${plain.name}, gone.dalf` } }),
      'INVALID_ZIP_ENTRY',
    )
    assert.deepEqual(context, { name: 'gone.dalf', entries: `META-INF/MANIFEST.MF, ${plain.name}` })
  })

  for (const name of [
    '../up.dalf',
    'a/../../up.dalf',
    '/etc/passwd',
    'C:/x',
    'a\\..\\b',
    'nul\0.dalf',
    'a//b',
    './a',
    'a/.',
    '',
    'x'.repeat(2000),
  ]) {
    test(`a name that leads elsewhere: ${JSON.stringify(name.slice(0, 20))}`, () =>
      refuses(
        write.dar({ main: plain, more: [{ name, data: Buffer.from('x') }] }),
        'INVALID_ZIP_ENTRY',
      ))
  }

  const cases: readonly (readonly [string, Omit<write.EntrySpec, 'name' | 'data'>])[] = [
    ['encrypted', { flags: 0x801 }],
    ['with a wrong checksum', { statedChecksum: 1 }],
    ['shorter than stated', { statedSize: plain.archive.length + 1 }],
    ['stored, shorter than stated', { stored: true, statedSize: plain.archive.length + 1 }],
    ['under another name in its own header', { localName: plain.name.toUpperCase() }],
  ]
  for (const [what, fault] of cases) {
    test(`an entry ${what}`, () =>
      refuses(
        listing(plain, { name: plain.name, data: plain.archive, ...fault }),
        'INVALID_ZIP_ENTRY',
      ))
  }

  test('a name twice', () =>
    refuses(
      write.dar({ main: plain, more: [{ name: plain.name, data: lib.archive }] }),
      'INVALID_ZIP_ENTRY',
    ))
})

describe('DAR_PARSE_ERROR', () => {
  const reason = async (main: write.ArchiveFile): Promise<string | undefined> =>
    (await rejection(write.dar({ main }), 'DAR_PARSE_ERROR'))['reason']
  const unparsable = (main: write.ArchiveFile) => refuses(write.dar({ main }), 'DAR_PARSE_ERROR')

  test('a wrong hash', async () => {
    const stated = 'ab'.repeat(32)
    const main = write.archiveOf('x', plain.payload, stated)
    assert.equal(
      await reason(main),
      `Mismatching hashes! Expected ${plain.packageId} but got ${stated}`,
    )
  })

  test('the hash in capitals', async () => {
    assert.match(
      (await reason(write.archiveOf('x', plain.payload, plain.packageId.toUpperCase()))) ?? '',
      /^Mismatching hashes!/,
    )
  })

  test('another hash function', async () => {
    const archive = Buffer.concat([write.number(1, 1), plain.archive.subarray(2)])
    assert.equal(await reason({ ...plain, archive }), 'Unrecognized hash function')
  })

  const payloadOf = (...fields: readonly Buffer[]) => Buffer.concat([write.text(3, '1'), ...fields])
  const payloads: readonly (readonly [string, Buffer])[] = [
    ['no package', payloadOf()],
    ['a package of each major version', payloadOf(write.bytes(2), write.bytes(4))],
    ['no name', payloadOf(write.bytes(4))],
    ['a field that nobody knows', Buffer.concat([plain.payload, write.number(9, 1)])],
    ['no protobuf', payloadOf(write.bytes(4, Buffer.alloc(6, 0xff)))],
    ['a message cut short', payloadOf(write.bytes(4, Buffer.from([0x0a, 0x05, 0x01])))],
    ['a text that is not there', payloadOf(write.bytes(4, write.bytes(4, write.number(1, 7))))],
  ]
  for (const [what, payload] of payloads)
    test(what, () => unparsable(write.archiveOf('x', payload)))

  test('bytes that are no archive', () =>
    unparsable({ ...plain, archive: Buffer.from('not an archive at all') }))

  for (const name of ['', 'a b', 'ä', 'x'.repeat(256)]) {
    test(`package name ${JSON.stringify(name.slice(0, 9))}`, () =>
      unparsable(archiveOfText(name, '1')))
  }
  for (const version of ['', '1.', '01', '1.0-rc', 'v1', '-1']) {
    test(`package version ${JSON.stringify(version)}`, () =>
      unparsable(archiveOfText('a', version)))
  }

  const cut: readonly (readonly [string, Buffer])[] = [
    ['module', Buffer.concat([write.bytes(1, Buffer.from([0x12, 3])), write.number(3, 128)])],
    ['package', write.bytes(1, write.bytes(1, Buffer.from([0x2a, 2])), write.number(2, 0))],
  ]
  for (const [what, reference] of cut)
    test(`a reference whose ${what} ends beyond it`, async () => {
      const values = [{ name: 'v', type: write.INT64, body: () => write.bytes(3, reference) }]
      const main = write.archive({ name: 'a', version: '1', modules: [{ name: 'M', values }] })
      assert.equal(await reason(main), 'A message is cut short')
    })

  test('a type nested without end', async () => {
    const type = `${'(Optional '.repeat(500)}Unit${')'.repeat(500)}`
    assert.equal(
      await reason(archiveOfText('a', '1', `record T f: ${type}`, { internedTypes: true })),
      'A type is nested too deeply',
    )
  })

  /** A package whose one record has a field of the type at this place of its table. */
  const tabled = (at: number, ...types: readonly Buffer[]): write.ArchiveFile => {
    const texts = ['T', 'a', '1'].map((text) => write.text(2, text))
    const names = write.bytes(3, write.bytes(1, Buffer.from([0])))
    const field = write.bytes(
      5,
      write.bytes(1, write.number(3, 1), write.bytes(2, write.number(8, at))),
    )
    const record = write.bytes(4, write.number(2, 0), write.number(4, 1), field)
    const module = write.bytes(1, write.number(1, 0), record)
    const metadata = write.bytes(4, write.number(1, 1), write.number(2, 2))
    return write.archiveOf(
      'x',
      payloadOf(write.bytes(4, module, ...texts, names, metadata, ...types)),
    )
  }

  test('types that double with every step', async () => {
    const doubling = (depth: number): Buffer => {
      const argument = write.bytes(2, write.number(8, depth))
      return write.bytes(5, write.bytes(3, write.number(1, 16), argument, argument))
    }
    const start = write.bytes(5, write.bytes(3, write.number(1, 0)))
    const steps = Array.from({ length: 60 }, (_, depth) => doubling(depth))
    assert.equal(await reason(tabled(60, start, ...steps)), 'A type is too large')
  })

  test('a type that names itself', async () => {
    const type = write.bytes(
      5,
      write.bytes(3, write.number(1, 9), write.bytes(2, write.number(8, 0))),
    )
    assert.equal(await reason(tabled(0, type)), 'Type 0 is used before it is defined')
  })
})

describe('ALLOWED_LANGUAGE_VERSIONS', () => {
  test('a version in the making', async () => {
    const main = archiveOfText('a', '1', '', { minor: 'dev' })
    assert.deepEqual(await rejection(write.dar({ main }), 'ALLOWED_LANGUAGE_VERSIONS'), {
      packageId: main.packageId,
      languageVersion: '2.dev',
      allowedLanguageVersions: '2.1, 2.2, 2.3',
    })
  })

  test('the first major version, of which only the hash is read', async () => {
    const main = write.archiveOf(
      'old',
      Buffer.concat([write.text(3, '17'), write.bytes(2, Buffer.from('anything'))]),
    )
    assert.equal(
      (await rejection(write.dar({ main }), 'ALLOWED_LANGUAGE_VERSIONS'))['languageVersion'],
      '1.17',
    )
  })

  test('of a dependency', async () => {
    const old = archiveOfText('old', '1', '', { minor: '2' })
    const main = archiveOfText('a', '1', '', { calls: [old.packageId] })
    await rejection(write.dar({ main, others: [old] }), 'ALLOWED_LANGUAGE_VERSIONS', {
      allowedLanguageVersions: ['2.1'],
    })
  })
})

describe('DAR_VALIDATION_ERROR', () => {
  const cases = {
    'a type twice': 'record T\nenum T',
    'a template twice': 'record T\ntemplate T\ntemplate T',
    'a choice twice': 'record T\ntemplate T\nchoice C\nchoice C',
    'a field twice': 'record T f: Text, f: Text',
    'a constructor twice': 'enum T A A',
    'a template without a record': 'template T',
  }
  const packages = new Map<string, write.PackageSpec>([
    ['a module twice', { name: 'a', version: '1', modules: [{ name: 'M' }, { name: 'M' }] }],
  ])
  for (const [what, text] of Object.entries(cases)) packages.set(what, packageOf('a', '1', text))
  for (const [what, spec] of packages)
    test(what, () => refuses(write.dar({ main: write.archive(spec) }), 'DAR_VALIDATION_ERROR'))
})
