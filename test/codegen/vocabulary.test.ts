// Vocabularies: what a word is, what is renamed and what stays, and that the interface under one is
// that of a document in its words.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { stringify } from 'yaml'
import { check, formatFinding, generate, loadInterface } from '../../codegen/index.ts'
import {
  list,
  nameText,
  packageText,
  payload,
  record,
  renamed,
  same,
  templateText,
} from '../../codegen/emit/support/translation.ts'
import { LOCK_FILE } from '../../codegen/plan/lock.ts'
import { loadVocabulary } from '../../codegen/vocabulary/load.ts'
import { inwardDictionary, outwardDictionary, renamer } from '../../codegen/vocabulary/words.ts'
import { contents, fixture, put, tempFolder } from './generator-kit.ts'

const WORDS = `words:
  - { neutral: shells, wire: pebbles }
  - { neutral: shell, wire: pebble }
  - { neutral: ocean, wire: meadow, where: paths and package names }
  - { neutral: Ocean, wire: Meadow, where: module names }
names:
  - { neutral: rate, wire: pebblePrice, where: tide payloads }
  - { neutral: shell_form, wire: ways, where: parameters }
  - { neutral: shell_form, wire: means, where: properties }
keep: [total_shell]
`

const NAMES: readonly (readonly [string, string])[] = [
  ['shell', 'pebble'],
  ['shells', 'pebbles'],
  ['Shell', 'Pebble'],
  ['SHELL', 'PEBBLE'],
  ['Shells', 'Pebbles'],
  ['shell_rules', 'pebble_rules'],
  ['locked_shells', 'locked_pebbles'],
  ['shell-rules', 'pebble-rules'],
  ['shellRules', 'pebbleRules'],
  ['getShellRules', 'getPebbleRules'],
  ['ShellRules_Transfer', 'PebbleRules_Transfer'],
  ['ARC_ShellRules', 'ARC_PebbleRules'],
  ['HTTPShell', 'HTTPPebble'],
  ['shell2', 'pebble2'],
  ['MAX_SHELL', 'MAX_PEBBLE'],
  ['shellfish', 'shellfish'],
  ['seashell', 'seashell'],
  ['Shellac', 'Shellac'],
  ['total_shell', 'total_shell'],
  ['', ''],
  ['x', 'x'],
  ['shellShell', 'pebblePebble'],
]

test('words match whole words of names, in every spelling', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'words.yaml': WORDS })
  const { vocabulary, findings } = loadVocabulary(join(folder, 'words.yaml'))
  assert.deepEqual(findings, [])
  const { words, keep } = outwardDictionary(vocabulary)
  for (const [neutral, wire] of NAMES) assert.equal(renamed(neutral, words, keep), wire)
  const back = inwardDictionary(vocabulary)
  for (const [neutral, wire] of NAMES) assert.equal(renamed(wire, back.words, back.keep), neutral)
})

test('a name of a parameter or of a member is replaced whole, where it is said to be', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'words.yaml': WORDS })
  const { vocabulary } = loadVocabulary(join(folder, 'words.yaml'))
  assert.equal(renamer(vocabulary, 'parameter')('shell_form'), 'ways')
  assert.equal(renamer(vocabulary, 'property')('shell_form'), 'means')
  assert.equal(renamer(vocabulary, 'path')('shell_form'), 'pebble_form')
  assert.equal(renamer(vocabulary, 'property')('shell_forms'), 'pebble_forms')
})

const FAULTS: readonly (readonly [string, string])[] = [
  [
    'words: [{ neutral: shell }]\n',
    "1:9: error: 'wire' must be one word, as word, Word or WORD [vocabulary-word]",
  ],
  ['words: [{ neutral: seaShell, wire: pebble }]\n', "1:11: error: 'neutral' must be one word"],
  [
    'words: [{ neutral: shell, wire: Pebble }]\n',
    "1:27: error: 'shell' and 'Pebble' must have the same case",
  ],
  [
    'words: [{ neutral: a, wire: b, where: on mondays }]\n',
    "1:32: error: 'on mondays' is not a place for words: paths, parameters",
  ],
  ['words: [{ neutral: a, wire: b, when: x }]\n', "1:32: error: 'when' is not understood here"],
  [
    'words: [{ neutral: a, wire: b }, { neutral: a, wire: c }]\n',
    "1:36: error: 'a' is renamed twice [vocabulary-twice]",
  ],
  [
    'words: [{ neutral: a, wire: b }, { neutral: c, wire: b }]\n',
    "1:48: error: two words become 'b'",
  ],
  [
    'words: [{ neutral: a, wire: b }, { neutral: b, wire: c }]\n',
    "1:23: error: 'b' is a word of both vocabularies",
  ],
  [
    'words: [{ neutral: a, wire: b }]\nnames: [{ neutral: x y, wire: z }]\n',
    "2:11: error: 'neutral' must be a name",
  ],
  [
    'words: [{ neutral: a, wire: b }]\nnames: [{ neutral: x, wire: z, where: paths }]\n',
    "2:32: error: 'paths' is not a place for names",
  ],
  [
    'words: [{ neutral: a, wire: b }]\nnames: [{ neutral: x, wire: z }, { neutral: x, wire: z }]\n',
    '2:34: error: this name is here twice [vocabulary-twice]',
  ],
  ['words: [{ neutral: a, wire: b }]\nkeep: [1]\n', "2:8: error: 'keep' is a list of names"],
  ['things: []\n', "1:1: error: 'things' is not understood here"],
  ['{}\n', "1:1: error: 'words' must be a list"],
  ['words: [\n', '2:1: error: '],
]

test('what is wrong with a word map is said with its place', (t) => {
  const folder = tempFolder(t)
  for (const [words, want] of FAULTS) {
    put(folder, {
      'words.yaml': words,
      'doc.yaml': 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\n',
    })
    const [first] = loadInterface(join(folder, 'doc.yaml'), {
      vocabulary: join(folder, 'words.yaml'),
    }).findings.map(formatFinding)
    assert.ok(first?.startsWith(join(folder, `words.yaml:${want}`)), `${first} should be ${want}`)
  }
})

const PAYLOAD = {
  shell: { shellPrice: '1', rate: '2', total_shell: 3 },
  list: [{ tag: 'CO_Shell', value: { shell: 'a shell' } }],
  'shell::1220': { x: 1 },
  'shell.ocean.example/x': 'shell',
  'shell rules': 1,
  id: '00ab:Ocean.Shell:ShellRules',
  'shell-rules': null,
  tag: 'Shell',
  ocean: 9007199254740993n,
}
const RENAMED = {
  pebble: { pebblePrice: '1', rate: '2', total_shell: 3 },
  list: [{ tag: 'CO_Pebble', value: { pebble: 'a shell' } }],
  'shell::1220': { x: 1 },
  'shell.ocean.example/x': 'shell',
  'shell rules': 1,
  id: '00ab:Meadow.Pebble:PebbleRules',
  'pebble-rules': null,
  tag: 'Shell',
  ocean: 9007199254740993n,
}

test('what no schema describes is renamed by the words alone; data is left alone', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'words.yaml': WORDS })
  const { vocabulary } = loadVocabulary(join(folder, 'words.yaml'))
  const [out, back] = [outwardDictionary(vocabulary), inwardDictionary(vocabulary)]
  assert.deepEqual(payload(out)(PAYLOAD), RENAMED)
  assert.deepEqual(payload(back)(RENAMED), PAYLOAD)
  const byTemplate = payload(out, 'template_id')
  assert.deepEqual(byTemplate({ rate: 1 }, { template_id: 'ff:Ocean.Tide:OpenTide' }), {
    pebblePrice: 1,
  })
  assert.deepEqual(byTemplate({ rate: 1 }, { template_id: 'ff:Ocean.Shell:Shell' }), { rate: 1 })
  assert.deepEqual(
    payload(back, 'template_id')({ pebblePrice: 1 }, { template_id: 'ff:Meadow.Tide:OpenTide' }),
    { rate: 1 },
  )
  assert.equal(
    templateText(out)('#ocean-shell:Ocean.Shell:Shell'),
    '#meadow-pebble:Meadow.Pebble:Pebble',
  )
  assert.equal(templateText(out)('Ocean.ShellRules:ShellRules'), 'Meadow.PebbleRules:PebbleRules')
  for (const no of ['shell', 'shell::1220', '', 'unknown', 7])
    assert.equal(templateText(out)(no), no)
  assert.equal(nameText(out)('ShellRules_Ocean'), 'PebbleRules_Ocean')
  assert.equal(packageText(out)('ocean-shell-v1'), 'meadow-pebble-v1')
})

test('a name that nobody has checked does not come in under its own name', () => {
  const inward = record({ pebble: ['shell'], size: ['size'] })
  assert.deepEqual(inward({ pebble: 1, shell: 'unchecked', other: 2 }), { shell: 1, other: 2 })
  assert.deepEqual(inward({ shell: 'unchecked' }), {})
  assert.equal(inward(null), null)
  assert.deepEqual(list(inward)([{ pebble: 1 }, 'x']), [{ shell: 1 }, 'x'])
  assert.deepEqual(
    JSON.stringify(record({}, same)(JSON.parse('{"__proto__":{"a":1}}'))),
    '{"__proto__":{"a":1}}',
  )
})

/** A document in one word, to be written in another: `word` is 'shell' or 'pebble'. */
function documentIn(word: string, path: string): string {
  const Word = word.charAt(0).toUpperCase() + word.slice(1)
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
  const json = (schema: object, more: object = {}): object => ({
    content: { 'application/json': { schema, ...more } },
  })
  const position = {
    [`${word}_price`]: '1',
    total_shell: 2,
    state: word,
    parts: { shell: 1 },
    payload: { [`${word}Price`]: 'a shell' },
  }
  return stringify({
    openapi: '3.1.0',
    info: { title: 'Shells', version: '1' },
    paths: {
      [`/${path}-names/{${word}_id}/${word}s`]: {
        get: {
          operationId: `list${Word}s`,
          summary: 'All shells',
          'x-access': {
            token: 'required',
            anyOf: [{ self: `path.${word}_id` }, { 'act-as': `body.a.${word}` }],
          },
          parameters: [
            { name: `${word}_id`, in: 'path', required: true, schema: { type: 'string' } },
            { name: `min-${word}`, in: 'query', schema: { type: 'integer', default: 1 } },
          ],
          responses: {
            200: {
              description: 'ok',
              ...json(ref(`${word}s`.replace(/^./u, (c) => c.toUpperCase())), {
                example: { [`${word}s`]: [position] },
              }),
            },
          },
        },
      },
    },
    components: {
      schemas: {
        [`${Word}s`]: {
          type: 'object',
          required: [`${word}s`],
          properties: {
            [`${word}s`]: { type: 'array', items: ref(`${Word}Position`) },
            next: ref(`${Word}s`),
          },
        },
        [`${Word}Position`]: {
          type: 'object',
          required: [`${word}_price`],
          dependentRequired: { [`${word}_price`]: ['state'] },
          properties: {
            [`${word}_price`]: { type: 'string', description: 'Of a shell' },
            total_shell: { type: 'integer' },
            state: { type: 'string', enum: ['shell', 'pebble'] },
            parts: {
              type: 'object',
              additionalProperties: { type: 'integer' },
              default: { shell: 1 },
            },
            payload: { type: 'object', 'x-vocabulary': 'payload' },
            either: {
              oneOf: [ref(`${Word}Kind`), ref('Other')],
              discriminator: {
                propertyName: `${word}Kind`,
                mapping: {
                  shell: `#/components/schemas/${Word}Kind`,
                  other: '#/components/schemas/Other',
                },
              },
            },
          },
          example: position,
        },
        [`${Word}Kind`]: {
          type: 'object',
          required: [`${word}Kind`],
          properties: { [`${word}Kind`]: { const: 'shell' } },
        },
        Other: {
          type: 'object',
          required: [`${word}Kind`],
          properties: { [`${word}Kind`]: { const: 'other' }, [`${word}s`]: { type: 'array' } },
        },
      },
    },
  })
}

test('under a vocabulary comes out what the document in its words gives, to the byte', async (t) => {
  const folder = tempFolder(t)
  const renamedText = documentIn('pebble', 'meadow').replaceAll('state: pebble', 'state: shell')
  put(folder, {
    'a/shells.yaml': documentIn('shell', 'ocean'),
    'a/words.yaml': WORDS,
    'b/shells.yaml': renamedText,
  })
  const outputs = []
  for (const [side, options] of [
    ['a', { vocabulary: 'words.yaml' }],
    ['b', {}],
  ] as const) {
    const report = await generate({
      root: join(folder, side),
      config: { interfaces: [{ spec: 'shells.yaml', ...options }], out: 'out' },
    })
    assert.deepEqual(
      [report.status, report.findings.map(({ rule }) => rule)],
      ['written', ['unsupported-keyword']],
    )
    const extra = [LOCK_FILE, 'translation.gen.ts', 'shells/translate.gen.ts']
    outputs.push(
      Object.fromEntries(
        Object.entries(contents(join(folder, side, 'out'))).filter(
          ([file]) => !extra.includes(file),
        ),
      ),
    )
  }
  assert.deepEqual(outputs[0], outputs[1])
})

test('a changed word map makes the output stale', async (t) => {
  const folder = tempFolder(t)
  const options = {
    root: folder,
    config: { interfaces: [{ spec: 'shells.yaml', vocabulary: 'words.yaml' }], out: 'out' },
  }
  put(folder, { 'shells.yaml': documentIn('shell', 'ocean'), 'words.yaml': WORDS })
  assert.equal((await generate(options)).status, 'written')
  assert.equal((await check(options)).status, 'clean')
  put(folder, { 'words.yaml': WORDS.replaceAll('pebble', 'stone') })
  assert.equal((await check(options)).status, 'drift')
  assert.equal(
    (await check({ root: folder, config: { interfaces: [{ spec: 'shells.yaml' }], out: 'out' } }))
      .status,
    'drift',
  )
})

const CLASHES = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /shells:
    get: { operationId: a, responses: { '204': { description: ok } } }
  /pebbles:
    get:
      operationId: b
      parameters:
        - { name: shell, in: query, schema: { type: string } }
        - { name: pebble, in: query, schema: { type: string } }
      responses: { '204': { description: ok } }
components:
  schemas:
    Shell: { type: object, properties: { shell: { type: string }, pebble: { type: string } } }
    Pebble:
      x-vocabulary: nonsense
    Blurred:
      oneOf:
        - { type: object, required: [shell], properties: { shell: { type: string } } }
        - { type: object, additionalProperties: { type: integer } }
`

test('names that fall together, and what cannot be told apart, are said with their places', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'doc.yaml': CLASHES, 'words.yaml': WORDS })
  const { findings } = loadInterface(join(folder, 'doc.yaml'), {
    vocabulary: join(folder, 'words.yaml'),
  })
  const shown = findings
    .filter(({ rule }) => rule.startsWith('vocabulary'))
    .map((finding) => formatFinding(finding).slice(folder.length + 1))
  assert.deepEqual(shown, [
    "doc.yaml:4:3: error: the paths '/pebbles' and '/shells' are both '/pebbles' in the vocabulary [vocabulary-clash]",
    "doc.yaml:11:11: error: the parameters 'shell' and 'pebble' are both 'pebble' in the vocabulary [vocabulary-clash]",
    "doc.yaml:15:5: error: the schemas 'Pebble' and 'Shell' are both 'Pebble' in the vocabulary [vocabulary-clash]",
    "doc.yaml:15:42: error: the properties 'pebble' and 'shell' are both 'pebble' in the vocabulary [vocabulary-clash]",
    "doc.yaml:17:7: error: 'x-vocabulary' must be one of payload, template-id, interface-id, package-name, package-keys, name, message [vocabulary-annotation]",
    'doc.yaml:18:5: warning: one variant has renamed properties, another has keys that are data: keys of these names are renamed there, too [vocabulary-union]',
  ])
})

test('places of a renamed interface are those of the document', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'doc.yaml': documentIn('shell', 'ocean'), 'words.yaml': WORDS })
  const plain = loadInterface(join(folder, 'doc.yaml'))
  const loaded = loadInterface(join(folder, 'doc.yaml'), { vocabulary: join(folder, 'words.yaml') })
  assert.deepEqual(
    loaded.ir.operations.map(({ at }) => at),
    plain.ir.operations.map(({ at }) => at),
  )
  const pairs = [
    [
      ['paths', '/meadow-names/{pebble_id}/pebbles', 'get', 'parameters', '1'],
      ['paths', '/ocean-names/{shell_id}/shells', 'get', 'parameters', '1'],
    ],
    [
      ['components', 'schemas', 'PebblePosition', 'properties', 'pebble_price'],
      ['components', 'schemas', 'ShellPosition', 'properties', 'shell_price'],
    ],
  ] as const
  for (const [path, original] of pairs)
    assert.deepEqual(loaded.locate(path), plain.locate(original))
})

test('a vocabulary whose words a document does not have changes nothing of it', (t) => {
  const folder = tempFolder(t)
  put(folder, { 'words.yaml': 'words: [{ neutral: zyzzyva, wire: weevil }]\n' })
  const plain = loadInterface(fixture('features.yaml'))
  const loaded = loadInterface(fixture('features.yaml'), { vocabulary: join(folder, 'words.yaml') })
  assert.deepEqual(
    [loaded.ir, loaded.document, loaded.findings],
    [plain.ir, plain.document, plain.findings],
  )
})
