// OpenAPI Overlays: the specification's rules one by one, places, and that patching by overlay is
// patching by hand.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { check, formatFinding, generate, loadInterface } from '../../codegen/index.ts'
import { applyOverlays } from '../../codegen/load/overlay.ts'
import { LOCK_FILE } from '../../codegen/plan/lock.ts'
import { readSource } from '../../codegen/load/source.ts'
import { contents, fixture, put, tempFolder } from './generator-kit.ts'

const HEAD = "overlay: 1.0.0\ninfo: { title: Patch, version: '1' }\nactions:\n"
const BASE = {
  info: { title: 'Old', tags: ['a', 'b'], nested: { deep: { one: 1 } } },
  list: [
    { name: 'x', size: 1 },
    { name: 'y', size: 2 },
  ],
  "it's \\ odd": { "a'b": 1 },
  nothing: null,
}

interface Case {
  readonly name: string
  readonly actions: readonly object[]
  readonly want: object
  readonly version?: string
}

const RULES: readonly Case[] = [
  {
    name: 'a member that is new is added',
    actions: [{ target: '$.info', update: { x: 1 } }],
    want: { ...BASE, info: { ...BASE.info, x: 1 } },
  },
  {
    name: 'a plain value is replaced',
    actions: [{ target: '$.info', update: { title: 'New' } }],
    want: { ...BASE, info: { ...BASE.info, title: 'New' } },
  },
  {
    name: 'null is a plain value',
    actions: [{ target: '$', update: { nothing: 5 } }],
    want: { ...BASE, nothing: 5 },
  },
  {
    name: 'objects are merged at every depth',
    actions: [{ target: '$', update: { info: { nested: { deep: { two: 2 } } } } }],
    want: { ...BASE, info: { ...BASE.info, nested: { deep: { one: 1, two: 2 } } } },
  },
  {
    name: 'lists are put one after the other',
    actions: [{ target: '$.info', update: { tags: ['c'] } }],
    want: { ...BASE, info: { ...BASE.info, tags: ['a', 'b', 'c'] } },
  },
  {
    name: 'an entry goes to the end of a list',
    actions: [{ target: '$.info.tags', update: 'c' }],
    want: { ...BASE, info: { ...BASE.info, tags: ['a', 'b', 'c'] } },
  },
  {
    name: 'a list goes to the end of a list',
    actions: [{ target: '$.info.tags', update: ['c', 'd'] }],
    want: { ...BASE, info: { ...BASE.info, tags: ['a', 'b', 'c', 'd'] } },
  },
  {
    name: 'every match is updated',
    actions: [{ target: '$.list[*]', update: { z: 0 } }],
    want: { ...BASE, list: BASE.list.map((one) => ({ ...one, z: 0 })) },
  },
  {
    name: 'filters choose',
    actions: [{ target: "$.list[?@.name == 'y']", update: { size: 9 } }],
    want: { ...BASE, list: [BASE.list[0], { name: 'y', size: 9 }] },
  },
  {
    name: 'a member is removed',
    actions: [{ target: '$.info.title', remove: true }],
    want: { ...BASE, info: { tags: BASE.info.tags, nested: BASE.info.nested } },
  },
  {
    name: 'items are removed',
    actions: [{ target: '$.info.tags[0]', remove: true }],
    want: { ...BASE, info: { ...BASE.info, tags: ['b'] } },
  },
  {
    name: 'several are removed at once',
    actions: [{ target: '$.list[*].size', remove: true }],
    want: { ...BASE, list: [{ name: 'x' }, { name: 'y' }] },
  },
  {
    name: 'all items are removed',
    actions: [{ target: '$.list[*]', remove: true }],
    want: { ...BASE, list: [] },
  },
  {
    name: 'removing wins over updating',
    actions: [{ target: '$.list', remove: true, update: [1] }],
    want: Object.fromEntries(Object.entries(BASE).filter(([key]) => key !== 'list')),
  },
  {
    name: 'actions follow each other',
    want: { ...BASE, info: { ...BASE.info, title: { new: true } } },
    actions: [
      { target: '$.info.title', remove: true },
      { target: '$.info', update: { title: { new: true } } },
    ],
  },
  {
    name: 'keys may be odd',
    actions: [{ target: String.raw`$['it\'s \\ odd']["a'b"]`, remove: true }],
    want: { ...BASE, "it's \\ odd": {} },
  },
  {
    name: 'nothing matches, which is allowed',
    actions: [{ target: '$.none', remove: true, 'x-optional': true }],
    want: BASE,
  },
  {
    name: '1.1: a plain value is a target',
    version: '1.1.0',
    actions: [{ target: '$.info.title', update: 'New' }],
    want: { ...BASE, info: { ...BASE.info, title: 'New' } },
  },
  {
    name: '1.1: a part is copied',
    version: '1.1.0',
    actions: [{ target: '$.list[0]', copy: '$.info.nested' }],
    want: { ...BASE, list: [{ name: 'x', size: 1, deep: { one: 1 } }, BASE.list[1]] },
  },
  {
    name: '1.1: a list is copied to its own end',
    version: '1.1.0',
    actions: [{ target: '$.info.tags', copy: '$.info.tags' }],
    want: { ...BASE, info: { ...BASE.info, tags: ['a', 'b', 'a', 'b'] } },
  },
  {
    name: 'one of many equal items is removed',
    want: { ...BASE, info: { ...BASE.info, tags: ['b', 'a', 'b'] } },
    version: '1.1.0',
    actions: [
      { target: '$.info.tags', copy: '$.info.tags' },
      { target: '$.info.tags[0]', remove: true },
    ],
  },
  {
    name: '1.1: one of the items that became equal is removed',
    want: { ...BASE, info: { ...BASE.info, tags: ['c'] } },
    version: '1.1.0',
    actions: [
      { target: '$.info.tags[*]', update: 'c' },
      { target: '$.info.tags[0]', remove: true },
    ],
  },
  {
    name: 'indices shift after an action, not within it',
    want: { ...BASE, info: { ...BASE.info, tags: ['d'] } },
    actions: [
      { target: '$.info.tags', update: ['c', 'd', 'e'] },
      { target: '$.info.tags[0,2]', remove: true },
      { target: '$.info.tags[0,-1]', remove: true },
    ],
  },
  {
    name: 'each action sees what the former left, at every depth',
    want: { ...BASE, info: { ...BASE.info, nested: { deep: { one: 1, two: { found: true } } } } },
    actions: [
      { target: '$.info.nested', update: { deep: { two: {} } } },
      { target: '$.info.nested.deep.two', update: { three: 3 } },
      { target: '$..[?@.three == 3]', update: { found: true } },
      { target: '$..three', remove: true },
    ],
  },
]

test('what actions do, rule by rule', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'base.yaml': stringify(BASE) })
  for (const { name, actions, want, version = '1.0.0' } of RULES) {
    await t.test(name, () => {
      put(folder, {
        'patch.yaml': stringify({ overlay: version, info: { title: 'P', version: '1' }, actions }),
      })
      const { source } = applyOverlays(readSource(join(folder, 'base.yaml')), [
        join(folder, 'patch.yaml'),
      ])
      assert.deepEqual(source.findings, [])
      assert.deepEqual(source.data, want)
    })
  }
})

const FAULTS: readonly (readonly [string, string])[] = [
  [
    `${HEAD}  - target: $.paths.none\n    remove: true\n`,
    "patch.yaml:4:5: error: '$.paths.none' matches nothing: write 'x-optional: true' if it need not [overlay-no-match]",
  ],
  [
    `${HEAD}  - target: $.info[\n    remove: true\n`,
    "patch.yaml:4:5: error: '$.info[' is not a JSONPath of RFC 9535",
  ],
  [`${HEAD}  - update: {}\n`, "patch.yaml:4:5: error: an action needs a 'target' [overlay-action]"],
  [
    `${HEAD}  - target: $.info\n`,
    "patch.yaml:4:5: error: an action needs 'update', 'remove: true' or 'copy' [overlay-action]",
  ],
  [
    `${HEAD}  - target: $\n    remove: true\n`,
    'patch.yaml:4:5: error: the whole document cannot be removed [overlay-action]',
  ],
  [
    `${HEAD}  - target: $.info\n    update: {}\n    wrong: 1\n`,
    "patch.yaml:6:5: error: 'wrong' is not understood here [overlay-key]",
  ],
  [
    `${HEAD}  - target: $.info\n    update: { title: [1] }\n`,
    'patch.yaml:5:15: error: a list cannot be merged with a plain value [overlay-mismatch]',
  ],
  [
    `${HEAD}  - target: $.info.tags\n    copy: $.list[*]\n`,
    "patch.yaml:5:5: error: '$.list[*]' matches 2 values: 'copy' needs exactly one [overlay-copy]",
  ],
  [
    "overlay: 2.0.0\ninfo: { title: P, version: '1' }\nactions: []\n",
    'patch.yaml:1:1: error: Overlay 2.0.0 is not supported [overlay-version]',
  ],
  [
    "info: { title: P, version: '1' }\nactions: []\n",
    "patch.yaml:1:1: error: no 'overlay' version: this is not an OpenAPI Overlay [overlay-version]",
  ],
  [
    'overlay: 1.0.0\ninfo: { title: P }\nactions: [{ target: $, update: {} }]\n',
    "patch.yaml:2:1: error: an overlay needs 'info' with 'title' and 'version' [overlay-info]",
  ],
  [
    "overlay: 1.0.0\ninfo: { title: P, version: '1' }\nactions: []\n",
    "patch.yaml:3:1: error: 'actions' must be a list with at least one item [overlay-actions]",
  ],
  [
    `extends: ./other.yaml\n${HEAD}  - target: $.info\n    update: {}\n`,
    "patch.yaml:1:1: warning: this overlay is made for './other.yaml' [overlay-extends]",
  ],
  [
    `${HEAD}  - target: $.info\n    update: {}\n    remove: 'true'\n`,
    "patch.yaml:6:5: error: 'remove' must be true or false [overlay-action]",
  ],
  [
    `${HEAD}  - target: $.none\n    remove: true\n    x-optional: yes\n`,
    "patch.yaml:6:5: error: 'x-optional' must be true or false [overlay-action]",
  ],
  ['overlay: 1.0\ninfo: {}\n', 'patch.yaml:1:1: error: the version of an overlay is a text'],
  ['overlay: [\n', 'patch.yaml:2:1: error: '],
]

test('what is wrong with an overlay is said with its place', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'base.yaml': stringify(BASE) })
  for (const [overlay, want] of FAULTS) {
    put(folder, { 'patch.yaml': overlay })
    const { source } = applyOverlays(readSource(join(folder, 'base.yaml')), [
      join(folder, 'patch.yaml'),
    ])
    const [first] = source.findings.map((finding) =>
      formatFinding(finding).slice(folder.length + 1),
    )
    assert.ok(first?.startsWith(want), `${first} should be ${want}`)
  }
  const { source } = applyOverlays(readSource(join(folder, 'base.yaml')), [
    join(folder, 'absent.yaml'),
  ])
  assert.equal(source.findings[0]?.rule, 'unreadable')
})

const DOCUMENT = `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
components:
  schemas:
    Note: { type: object, properties: { id: { type: integer, format: int64, maximum: 9223372036854775807 } } }
`
const PATCH = `${HEAD}  - target: $.paths
    update:
      /more:
        get:
          operationId: more
          responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'more.yaml#/More' } } } } }
  - target: $.components.schemas.Note.properties
    update:
      size: { type: integer, wrong: 1 }
`

test('places point into the file that wrote a thing, references are those of the document, long integers stay exact', (t) => {
  const folder = tempFolder(t)
  put(folder, {
    'spec/notes.yaml': DOCUMENT,
    'patch/patch.yaml': PATCH,
    'spec/more.yaml': 'More: { type: object, properties: { n: { type: string } } }\n',
  })
  const loaded = loadInterface(join(folder, 'spec/notes.yaml'), {
    overlays: [join(folder, 'patch/patch.yaml')],
  })
  const shown = loaded.findings.map((finding) => formatFinding(finding).slice(folder.length + 1))
  assert.deepEqual(shown, [
    "patch/patch.yaml:12:30: warning: 'wrong' is not a keyword of a schema [unknown-keyword]",
  ])
  const places = loaded.ir.operations.map(({ operationId, at }) => [
    operationId,
    at.file.slice(folder.length + 1),
    at.line,
  ])
  assert.deepEqual(places, [
    ['more', 'patch/patch.yaml', 7],
    ['listNotes', 'spec/notes.yaml', 5],
  ])
  const { Note, More } = loaded.ir.schemas
  assert.equal(
    typeof Note === 'object' &&
      typeof Note.properties?.['id'] === 'object' &&
      Note.properties['id'].maximum,
    9223372036854775807n,
  )
  assert.ok(More)
  assert.ok(loaded.inputs.some(({ file }) => file.endsWith('patch.yaml')))
})

test('a changed overlay makes the output stale', async (t) => {
  const folder = tempFolder(t)
  const options = {
    root: folder,
    config: { interfaces: [{ spec: 'notes.yaml', overlays: ['patch.yaml'] }], out: 'out' },
  }
  put(folder, {
    'notes.yaml': DOCUMENT,
    'patch.yaml': `${HEAD}  - target: $.info\n    update: { title: A }\n`,
  })
  assert.equal((await generate(options)).status, 'written')
  assert.equal((await check(options)).status, 'clean')
  put(folder, { 'patch.yaml': `${HEAD}  - target: $.info\n    update: { title: B }\n` })
  assert.equal((await check(options)).status, 'drift')
  assert.equal(
    (await check({ root: folder, config: { interfaces: [{ spec: 'notes.yaml' }], out: 'out' } }))
      .status,
    'drift',
  )
})

/** Additions that leave a document valid. */
const additions = fc.record({
  title: fc.option(fc.string({ minLength: 1 })),
  description: fc.option(fc.string()),
  limit: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  names: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/u), { minLength: 1, maxLength: 4 }),
  isRemoved: fc.boolean(),
})

interface Hand {
  info: object
  readonly paths: Readonly<Record<string, { readonly get: { operationId?: string } }>>
  readonly components: { readonly schemas: { readonly Note: { properties: object } } }
}

test('generating from a patched document is generating from one that was changed by hand', async (t) => {
  const folder = tempFolder(t)
  const text = DOCUMENT
  await fc.assert(
    fc.asyncProperty(additions, async ({ title, description, limit, names, isRemoved }) => {
      const properties = Object.fromEntries(
        names.map((name) => [name, { type: 'integer', format: 'int64', maximum: limit }]),
      )
      const info = {
        ...(title === null ? {} : { title }),
        ...(description === null ? {} : { description }),
      }
      const actions = [
        { target: '$.info', update: info },
        { target: '$..schemas.Note.properties', update: properties },
        ...(isRemoved ? [{ target: "$.paths['/notes'].get.operationId", remove: true }] : []),
      ]
      const byHand: Hand = parse(text, { intAsBigInt: true })
      byHand.info = { ...byHand.info, ...info }
      byHand.components.schemas.Note.properties = {
        ...byHand.components.schemas.Note.properties,
        ...properties,
      }
      if (isRemoved) delete byHand.paths['/notes']?.get.operationId
      put(folder, {
        'a/notes.yaml': text,
        'a/patch.yaml': stringify({
          overlay: '1.0.0',
          info: { title: 'P', version: '1' },
          actions,
        }),
        'b/notes.yaml': stringify(byHand),
      })
      const outputs = []
      for (const [side, overlays] of [
        ['a', ['patch.yaml']],
        ['b', []],
      ] as const) {
        const report = await generate({
          root: join(folder, side),
          config: { interfaces: [{ spec: 'notes.yaml', overlays }], out: 'out' },
        })
        assert.notEqual(report.status, 'invalid')
        outputs.push(
          Object.fromEntries(
            Object.entries(contents(join(folder, side, 'out'))).filter(
              ([file]) => file !== LOCK_FILE,
            ),
          ),
        )
      }
      assert.deepEqual(outputs[0], outputs[1])
    }),
    { numRuns: 12 },
  )
})

test('an overlay without effect changes nothing of a document with every feature', async (t) => {
  const folder = tempFolder(t)
  put(folder, { 'patch.yaml': `${HEAD}  - target: $.info\n    update: {}\n` })
  const [plain, patched] = [undefined, [join(folder, 'patch.yaml')]].map((overlays) => {
    return loadInterface(fixture('features.yaml'), overlays === undefined ? {} : { overlays })
  })
  assert.ok(plain && patched)
  assert.deepEqual(
    [patched.ir, patched.document, patched.findings],
    [plain.ir, plain.document, plain.findings],
  )
})
