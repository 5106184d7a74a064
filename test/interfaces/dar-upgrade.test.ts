// Which package may follow which: each rule with the smallest change that keeps it and the smallest
// that breaks it, on packages that were written and read. domain/ledger.md §6.2
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { LedgerError } from '../../runtime/errors/errors.ts'
import {
  checkBasicLibrary,
  checkUpgrade,
  checkUpgrades,
  compareVersions,
  describePackage,
  isUtilityPackage,
  readDar,
} from '../../runtime/participant/packages/index.ts'
import type { PackageSummary } from '../../runtime/participant/packages/index.ts'
import * as write from '../support/dar-writer.ts'
import { tempDir } from '../support/temp-dir.ts'

let folder: Awaited<ReturnType<typeof tempDir>>
before(async () => {
  folder = await tempDir()
})
after(() => folder.remove())

/** The reader's summary of a package. */
async function summary(spec: write.PackageSpec): Promise<PackageSummary> {
  const main = write.archive(spec)
  const path = join(folder.path, `${main.packageId}.dar`)
  await writeFile(path, write.dar({ main }))
  const dar = await readDar(path, { manifestFormat: write.FORMAT, stablePackageIds: known })
  if (dar instanceof LedgerError) assert.fail(`${dar.code} ${JSON.stringify(dar.params)}`)
  dar.close()
  const [first] = dar.packages
  assert.ok(first)
  return first.summary
}

/** Packages that tests refer to and do not put into the DAR. */
const known = new Set<string>()

const { TEXT, INT64, PARTY, optional, list, own, variable } = write

const base: write.ModuleSpec = {
  name: 'M',
  dataTypes: [
    {
      name: 'T',
      record: [
        ['owner', PARTY],
        ['note', TEXT],
      ],
    },
    { name: 'Arg', record: [['amount', INT64]] },
    {
      name: 'V',
      variant: [
        ['A', INT64],
        ['B', TEXT],
      ],
    },
    { name: 'E', enum: ['Red', 'Green'] },
    {
      name: 'P',
      parameters: ['a', 'b'],
      record: [
        ['left', variable('a')],
        ['right', list(variable('b'))],
      ],
    },
    { name: 'Hidden', serializable: false, record: [['f', TEXT]] },
  ],
  templates: [
    { name: 'T', key: PARTY, choices: [{ name: 'Do', argument: own('M:Arg'), result: INT64 }] },
  ],
}

function app(
  version: string,
  modules: readonly write.ModuleSpec[] = [base],
  more: Partial<write.PackageSpec> = {},
): write.PackageSpec {
  return { name: 'app', version, modules, ...more }
}

/** The base module with one data type, or its one template, replaced; an empty list removes it. */
function withType(name: string, ...types: readonly write.DataSpec[]): write.ModuleSpec {
  return {
    ...base,
    dataTypes: (base.dataTypes ?? []).flatMap((type) => (type.name === name ? types : [type])),
  }
}

function withTemplate(...templates: readonly write.TemplateSpec[]): write.ModuleSpec {
  return { ...base, templates }
}

const template: write.TemplateSpec = {
  name: 'T',
  key: PARTY,
  choices: [{ name: 'Do', argument: own('M:Arg'), result: INT64 }],
}
const doChoice: write.ChoiceSpec = { name: 'Do', argument: own('M:Arg'), result: INT64 }

async function upgrade(
  older: write.PackageSpec,
  newer: write.PackageSpec,
): Promise<LedgerError | undefined> {
  return checkUpgrade(await summary(newer), [await summary(older)])
}

describe('passes', () => {
  const modules: readonly (readonly [string, readonly write.ModuleSpec[]])[] = [
    ['nothing but the version', [base]],
    [
      'a new optional field at the end',
      [
        withType('T', {
          name: 'T',
          record: [
            ['owner', PARTY],
            ['note', TEXT],
            ['more', optional(TEXT)],
          ],
        }),
      ],
    ],
    [
      'two of them',
      [
        withType('Arg', {
          name: 'Arg',
          record: [
            ['amount', INT64],
            ['a', optional(TEXT)],
            ['b', optional(INT64)],
          ],
        }),
      ],
    ],
    ['a new module', [base, { name: 'N', dataTypes: [{ name: 'X', record: [['f', TEXT]] }] }]],
    [
      'a new data type',
      [{ ...base, dataTypes: [{ name: 'X', record: [['f', TEXT]] }, ...(base.dataTypes ?? [])] }],
    ],
    ['a new template', [{ ...withTemplate(template, { name: 'Arg' }) }]],
    ['a new choice', [withTemplate({ ...template, choices: [{ name: 'More' }, doChoice] })]],
    [
      'a new constructor of a variant',
      [
        withType('V', {
          name: 'V',
          variant: [
            ['A', INT64],
            ['B', TEXT],
            ['C', PARTY],
          ],
        }),
      ],
    ],
    [
      'a new constructor of an enum',
      [withType('E', { name: 'E', enum: ['Red', 'Green', 'Blue'] })],
    ],
    [
      'variables under other names',
      [
        withType('P', {
          name: 'P',
          parameters: ['x', 'y'],
          record: [
            ['left', variable('x')],
            ['right', list(variable('y'))],
          ],
        }),
      ],
    ],
    ['a type that no contract can hold, removed', [withType('Hidden')]],
    [
      'a type that no contract could hold, made serializable',
      [withType('Hidden', { name: 'Hidden', record: [] })],
    ],
    ['definitions in another order', [{ ...base, dataTypes: (base.dataTypes ?? []).toReversed() }]],
    ['a new interface', [{ ...base, interfaces: ['I'] }]],
    [
      'a type behind a synonym',
      [
        {
          ...withType('T', {
            name: 'T',
            record: [
              ['owner', PARTY],
              ['note', { synonym: 'M:Note' }],
              ['x', { synonym: 'M:Maybe', args: [TEXT] }],
            ],
          }),
          synonyms: [
            { name: 'Note', type: TEXT },
            { name: 'Maybe', parameters: ['a'], type: optional(variable('a')) },
          ],
        },
      ],
    ],
  ]
  for (const [what, next] of modules) {
    test(what, async () =>
      assert.equal((await upgrade(app('1.0.0'), app('1.0.1', next)))?.cause, undefined),
    )
  }
  test('a higher language version', async () =>
    assert.equal(await upgrade(app('1'), app('2', [base], { minor: '2' })), undefined))
  test('the other way of writing types', async () =>
    assert.equal(await upgrade(app('1'), app('2', [base], { internedTypes: true })), undefined))
})

describe('NOT_VALID_UPGRADE_PACKAGE', () => {
  const cases: readonly (readonly [string, readonly write.ModuleSpec[]])[] = [
    [
      'module M is removed',
      [{ ...base, name: 'N' }].map((module) => ({ ...module, templates: [] })),
    ],
    ['module M: template T is removed', [withTemplate()]],
    [
      'module M: template T: the key is removed',
      [withTemplate({ name: 'T', choices: [doChoice] })],
    ],
    [
      'module M: template T: the type of the key is changed',
      [withTemplate({ ...template, key: TEXT })],
    ],
    ['module M: template T: choice Do is removed', [withTemplate({ ...template, choices: [] })]],
    [
      'module M: template T: choice Do: the type of the argument is changed',
      [withTemplate({ ...template, choices: [{ ...doChoice, argument: own('M:E') }] })],
    ],
    [
      'module M: template T: choice Do: the type of the result is changed',
      [withTemplate({ ...template, choices: [{ ...doChoice, result: TEXT }] })],
    ],
    [
      'module M: data type Arg is removed',
      [{ ...withType('Arg'), templates: base.templates ?? [] }],
    ],
    [
      'module M: data type E is removed',
      [withType('E', { name: 'E', serializable: false, enum: ['Red', 'Green'] })],
    ],
    [
      'module M: data type E: it was enum and is variant',
      [
        withType('E', {
          name: 'E',
          variant: [
            ['Red', write.UNIT],
            ['Green', write.UNIT],
          ],
        }),
      ],
    ],
    [
      'module M: data type T: field note is removed',
      [withType('T', { name: 'T', record: [['owner', PARTY]] })],
    ],
    [
      'module M: data type T: field note is removed',
      [
        withType('T', {
          name: 'T',
          record: [
            ['owner', PARTY],
            ['memo', TEXT],
          ],
        }),
      ],
    ],
    [
      'module M: data type T: field owner is at another place',
      [
        withType('T', {
          name: 'T',
          record: [
            ['note', TEXT],
            ['owner', PARTY],
          ],
        }),
      ],
    ],
    [
      'module M: data type T: field owner is at another place',
      [
        withType('T', {
          name: 'T',
          record: [
            ['x', optional(TEXT)],
            ['owner', PARTY],
            ['note', TEXT],
          ],
        }),
      ],
    ],
    [
      'module M: data type T: the type of field note is changed',
      [
        withType('T', {
          name: 'T',
          record: [
            ['owner', PARTY],
            ['note', INT64],
          ],
        }),
      ],
    ],
    [
      'module M: data type T: the type of field note is changed',
      [
        withType('T', {
          name: 'T',
          record: [
            ['owner', PARTY],
            ['note', optional(TEXT)],
          ],
        }),
      ],
    ],
    [
      'module M: data type T: the new field more is not optional',
      [
        withType('T', {
          name: 'T',
          record: [
            ['owner', PARTY],
            ['note', TEXT],
            ['more', TEXT],
          ],
        }),
      ],
    ],
    [
      'module M: data type V: constructor A is removed',
      [withType('V', { name: 'V', variant: [['B', TEXT]] })],
    ],
    [
      'module M: data type V: constructor B is at another place',
      [
        withType('V', {
          name: 'V',
          variant: [
            ['A', INT64],
            ['C', PARTY],
            ['B', TEXT],
          ],
        }),
      ],
    ],
    [
      'module M: data type V: the type of constructor B is changed',
      [
        withType('V', {
          name: 'V',
          variant: [
            ['A', INT64],
            ['B', PARTY],
          ],
        }),
      ],
    ],
    [
      'module M: data type E: constructor Red is removed',
      [withType('E', { name: 'E', enum: ['Green'] })],
    ],
    [
      'module M: data type E: constructor Red is at another place',
      [withType('E', { name: 'E', enum: ['Green', 'Red'] })],
    ],
    [
      'module M: data type P: its parameters are changed',
      [
        withType('P', {
          name: 'P',
          parameters: ['a'],
          record: [
            ['left', variable('a')],
            ['right', list(TEXT)],
          ],
        }),
      ],
    ],
    [
      'module M: data type P: the type of field left is changed',
      [
        withType('P', {
          name: 'P',
          parameters: ['b', 'a'],
          record: [
            ['left', variable('a')],
            ['right', list(variable('b'))],
          ],
        }),
      ],
    ],
  ]
  for (const [reason, next] of cases) {
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

  test('interfaces and exceptions', async () => {
    for (const fixed of [{ interfaces: ['I'] }, { exceptions: ['X'] }]) {
      const error = await upgrade(
        app('1', [{ ...base, ...fixed }]),
        app('2', [{ ...base, ...fixed }]),
      )
      assert.match(error?.params['reason'] ?? '', /which cannot be upgraded$/)
    }
  })

  test('implementations added or removed', async () => {
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
    for (const [older, newer] of [
      [implementing, app('2')],
      [app('0'), implementing],
    ] as const) {
      assert.equal(
        (await upgrade(older, newer))?.params['reason'],
        'module M: template T: the implemented interfaces are changed',
      )
    }
  })

  test('a synonym that now stands for something else', async () => {
    const using = (type: write.TypeSpec): readonly write.ModuleSpec[] => [
      {
        name: 'M',
        synonyms: [{ name: 'S', type }],
        dataTypes: [{ name: 'T', record: [['f', { synonym: 'M:S' }]] }],
      },
    ]
    assert.equal(
      (await upgrade(app('1', using(TEXT)), app('2', using(INT64))))?.params['reason'],
      'module M: data type T: the type of field f is changed',
    )
  })
})

describe('the line of versions', () => {
  const grown = withType('T', {
    name: 'T',
    record: [
      ['owner', PARTY],
      ['note', TEXT],
      ['more', optional(TEXT)],
    ],
  })

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
    const ahead = withType('T', {
      name: 'T',
      record: [
        ['owner', PARTY],
        ['note', TEXT],
        ['other', optional(TEXT)],
      ],
    })
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
  })

  test('PRIM_NOT_UTILITY_PACKAGE', async () => {
    const library = await summary({ ...app('1'), name: 'library' })
    assert.equal(checkBasicLibrary(library, ['library'])?.code, 'PRIM_NOT_UTILITY_PACKAGE')
    assert.equal(checkBasicLibrary(library, ['other']), undefined)
    assert.equal(
      checkBasicLibrary(await summary({ name: 'library', version: '1' }), ['library']),
      undefined,
    )
  })
})

describe('types of other packages', () => {
  const lib = async (
    version: string,
    fields: readonly write.FieldSpec[],
  ): Promise<PackageSummary> => {
    const found = await summary({
      name: 'lib',
      version,
      modules: [{ name: 'L', dataTypes: [{ name: 'U', record: fields }] }],
    })
    known.add(found.packageId)
    return found
  }
  const using = ({ packageId }: PackageSummary, version: string): Promise<PackageSummary> =>
    summary(
      app(version, [
        {
          name: 'M',
          dataTypes: [{ name: 'T', record: [['u', { constructed: 'L:U', package: packageId }]] }],
        },
      ]),
    )

  test('may move on with their package, never back', async () => {
    const [old, now] = [
      await lib('1', [['x', INT64]]),
      await lib('2', [
        ['x', INT64],
        ['y', optional(INT64)],
      ]),
    ]
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
    const [old, now] = [
      await lib('1', [['x', INT64]]),
      await lib('2', [
        ['x', INT64],
        ['y', optional(INT64)],
      ]),
    ]
    assert.equal(
      checkUpgrade(await using(now, '2'), [old, await using(old, '1')])?.code,
      'NOT_VALID_UPGRADE_PACKAGE',
    )
  })

  test('of one DAR are judged with it', async () => {
    const [old, now] = [await lib('1', [['x', INT64]]), await lib('2', [['x', TEXT]])]
    assert.equal(
      checkUpgrades([await using(now, '2'), now], [old, await using(old, '1')])?.params['reason'],
      'module L: data type U: the type of field x is changed',
    )
  })
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
