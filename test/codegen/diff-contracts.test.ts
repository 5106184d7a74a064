// `ledgerwright diff` on contracts.yaml: every rule fires where it should, both ways round, says
// what becomes of callers, implementers and stored contracts, and names the line.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Change } from '../../codegen/diff/change.ts'
import { openVersion } from '../../codegen/diff/inputs.ts'
import type { Version } from '../../codegen/diff/inputs.ts'
import { diffVersions } from '../../codegen/diff/interfaces.ts'
import { CONTRACT_RULES } from '../../codegen/diff/rules-contracts.ts'
import { put, repositoryOf, runCli, tempFolder } from './generator-kit.ts'

const BASE = `packages: { notes: { version: 1.0.0 } }
limits: { Text: 255, Party: 255, ContractId: 255, List: 9, Set: 9, TextMap: 9, Map: 9 }
types:
  Mode: { enum: [Fast, Slow] }
  Extra: { variant: { None: Unit, Some: Text } }
  Kind: { enum: [Short, Long] }
  Part: { variant: { Words: Text, Count: Int } }
  Body: { record: { text: Text, kind: Kind, part: Part } }
interfaces:
  Shown: { package: notes, module: Notes, view: { text: Text }, choices: { Shown_Find: { consuming: false, argument: { word: Text } } } }
templates:
  Note:
    package: notes
    module: Notes
    fields: { owner: Party, body: Body }
    interfaces: [Shown]
    choices:
      Note_Edit: { consuming: true, argument: { text: Text, mode: Mode, extra: Extra }, result: ContractId }
`

type Edit = readonly [from: string, to: string]

const HEAD = '  Note:\n    package: notes\n    module: Notes'
const MOVED: Edit = [HEAD, `${HEAD}.Own`]
const LOOK: Edit = ['    choices:\n', '    choices:\n      Note_Look: { consuming: false }\n']
const LIST = '  List1: { package: notes, module: Notes, fields: { owner: Party } }\n'
const SEEN = '  Seen: { package: notes, module: Notes }\n'

/**
 * An edit, the change that it makes and that of its reverse: `rule levels stored line`. Levels for
 * callers and for implementers by their first letters; the line in the newer document, of what is
 * gone in the older.
 */
const CASES: readonly (readonly [edit: Edit, there: string, back: string])[] = [
  [
    ['version: 1.0.0', 'version: 1.1.0'],
    'package-version-raised ee read 1',
    'package-version-lowered bb refused 1',
  ],
  [
    ['templates:\n', `templates:\n${LIST}`],
    'template-added aa read 12',
    'template-removed bb refused 12',
  ],
  [MOVED, 'template-moved bb refused 14', 'template-moved bb refused 14'],
  [
    ['interfaces: [Shown]', 'interfaces: []'],
    'template-interface-removed bb refused 16',
    'template-interface-added aa read 16',
  ],
  [
    ['interfaces:\n', `interfaces:\n${SEEN}`],
    'contract-interface-added an read 10',
    'contract-interface-removed bb refused 10',
  ],
  [
    ['view: { text: Text }', 'view: { text: Text, at: Time? }'],
    'contract-interface-changed bb refused 10',
    'contract-interface-changed bb refused 10',
  ],
  [LOOK, 'choice-added ab read 18', 'choice-removed bb refused 18'],
  [
    ['consuming: true', 'consuming: false'],
    'choice-consuming-changed bb refused 18',
    'choice-consuming-changed bb refused 18',
  ],

  [
    ['body: Body }', 'body: Body, at: Time? }'],
    'payload-field-added ab read 15',
    'payload-field-removed bb upgrade 15',
  ],
  [
    ['body: Body }', 'body: Body, at: Time }'],
    'payload-field-required bb upgrade 15',
    'payload-field-removed bb upgrade 15',
  ],
  [
    ['{ owner: Party, body', '{ at: Time?, owner: Party, body'],
    'payload-field-required bb upgrade 15',
    'payload-field-removed bb upgrade 15',
  ],
  [
    ['owner: Party, body: Body', 'body: Body, owner: Party'],
    'payload-field-order eb upgrade 15',
    'payload-field-order eb upgrade 15',
  ],
  [
    ['kind: Kind, part', 'kind: Text, part'],
    'payload-field-type bb upgrade 8',
    'payload-field-type bb upgrade 8',
  ],
  [
    ['Kind: { enum: [Short, Long] }', 'Kind: { variant: { Short: Unit, Long: Unit } }'],
    'payload-field-type bb upgrade 8',
    'payload-field-type bb upgrade 8',
  ],
  [
    ['[Short, Long]', '[Short, Long, Huge]'],
    'payload-case-added ab read 6',
    'payload-case-removed bb upgrade 6',
  ],
  [
    ['[Short, Long]', '[Long, Short]'],
    'payload-case-order eb upgrade 6',
    'payload-case-order eb upgrade 6',
  ],
  [
    ['Words: Text, Count', 'Words: Party, Count'],
    'payload-case-type bb upgrade 7',
    'payload-case-type bb upgrade 7',
  ],

  [
    ['argument: { text: Text,', 'argument: { text: Party,'],
    'choice-field-type bb refused 18',
    'choice-field-type bb refused 18',
  ],
  [
    ['result: ContractId', 'result: Text'],
    'choice-field-type bb refused 18',
    'choice-field-type bb refused 18',
  ],
  [
    ['extra: Extra }', 'extra: Extra, at: Time? }'],
    'choice-field-added ab read 18',
    'choice-field-removed bb refused 18',
  ],
  [
    ['extra: Extra }', 'extra: Extra, at: Time }'],
    'choice-field-required bb refused 18',
    'choice-field-removed bb refused 18',
  ],
  [
    ['text: Text, mode: Mode', 'mode: Mode, text: Text'],
    'choice-field-order eb refused 18',
    'choice-field-order eb refused 18',
  ],
  [
    ['[Fast, Slow]', '[Fast, Slow, Still]'],
    'choice-case-added ab read 4',
    'choice-case-removed bb refused 4',
  ],
  [
    ['[Fast, Slow]', '[Slow, Fast]'],
    'choice-case-order eb refused 4',
    'choice-case-order eb refused 4',
  ],
  [['Some: Text', 'Some: Party'], 'choice-case-type bb refused 5', 'choice-case-type bb refused 5'],

  [['Text: 255', 'Text: 254'], 'limit-lowered bb read 2', 'limit-raised aa read 2'],
  [
    ['{ owner: Party, body', '{ owner: Party(9), body'],
    'limit-lowered bb read 15',
    'limit-raised aa read 15',
  ],
  [
    ['Words: Text, Count', 'Words: Text(300), Count'],
    'limit-raised aa read 7',
    'limit-lowered bb read 7',
  ],
  [['Body: {', 'Body: { maxBytes: 99,'], 'limit-lowered bb read 8', 'limit-raised aa read 8'],
  [
    ['argument: { text: Text,', 'argument: { text: Text(9),'],
    'limit-lowered bb read 18',
    'limit-raised aa read 18',
  ],
  [['{ word: Text }', '{ word: Text(9) }'], 'limit-lowered bb read 10', 'limit-raised aa read 10'],
]

async function open(t: TestContext, contracts: string): Promise<Version> {
  const folder = tempFolder(t)
  put(folder, { 'contracts.yaml': contracts })
  const version = await openVersion(join(folder, 'contracts.yaml'))
  assert.ok(typeof version !== 'string')
  assert.deepEqual(version.contracts?.findings, [])
  return version
}

function edited([from, to]: Edit): string {
  assert.ok(BASE.includes(from), from)
  return BASE.replace(from, to)
}

const seen = new Set<string>()

/** Every change between two versions, of whatever package. */
function changesBetween(before: Version, after: Version): readonly Change[] {
  const packages = diffVersions(before, after)
  assert.ok(typeof packages !== 'string')
  return packages.flatMap(({ changes }) => changes)
}

/** Changes without the version, of which all cases but the first say the same. */
function told(changes: readonly Change[]): readonly string[] {
  for (const { rule } of changes) seen.add(rule)
  return changes
    .filter(({ rule }) => rule !== 'package-version-kept')
    .map(
      ({ rule, callers, implementers, stored, at }) =>
        `${rule} ${callers.charAt(0)}${implementers.charAt(0)} ${stored ?? ''} ${at.line}`,
    )
}

test('each edit of contracts is judged for callers, implementers and stored contracts, both ways round', async (t) => {
  const base = await open(t, BASE)
  for (const [edit, there, back] of CASES) {
    const other = await open(t, edited(edit))
    assert.deepEqual(told(changesBetween(base, other)), [there], edit[1])
    assert.deepEqual(told(changesBetween(other, base)), [back], `back from ${edit[1]}`)
  }
})

test('every rule of contracts has a case', () => {
  assert.deepEqual(
    Object.keys(CONTRACT_RULES).filter((rule) => !seen.has(rule)),
    [],
  )
})

const AT: Edit = ['body: Body }', 'body: Body, at: Time }']

test('contracts of a revision are compared with the work tree, and known changes are allowed', async (t) => {
  const folder = repositoryOf(t, { 'spec/contracts.yaml': BASE })
  put(folder, {
    'spec/contracts.yaml': edited(AT).replace('1.0.0', '1.1.0').replace(', part: Part', ''),
  })
  const diff = ['diff', 'HEAD:spec/contracts.yaml', 'spec/contracts.yaml']
  const [all, some, json] = await Promise.all([
    runCli(folder, ...diff),
    runCli(
      folder,
      'diff',
      'HEAD:spec',
      'spec',
      '--rule',
      'payload-field-required:Note=off',
      '--rule',
      'payload-field-removed:/types/Body/record/part=off',
    ),
    runCli(folder, ...diff, '--for', 'callers', '--format', 'json', '--report', 'report.md'),
  ])
  assert.equal(
    all.stdout,
    [
      'spec/contracts.yaml:15:41: breaking for callers and implementers: Note payload: the field at is new and required, ' +
        'or not at the end (stored contracts need an upgrade) [payload-field-required]',
      'HEAD:spec/contracts.yaml:8:45: breaking for callers and implementers: Note payload: the field body.part is gone ' +
        '(stored contracts need an upgrade) [payload-field-removed]',
      '',
      'spec/contracts.yaml:1:22: editorial: notes: the version is "1.1.0", was "1.0.0" ' +
        '(stored contracts are read as they are) [package-version-raised]',
      '',
      '2 breaking (2 for callers, 2 for implementers, 2 for stored contracts), 0 additive, 1 editorial',
      '',
    ].join('\n'),
  )
  assert.equal(all.code, 3)
  assert.deepEqual([some.code, some.stderr], [0, ''])
  assert.match(some.stdout, /2 breaking \(.*, 2 allowed\), 0 additive, 1 editorial\n$/u)
  const { changes, summary } = JSON.parse(json.stdout)
  assert.deepEqual(
    [json.code, changes[0].stored, changes[0].interface, summary.stored],
    [3, 'upgrade', 'notes', 2],
  )
  assert.match(
    readFileSync(join(folder, 'report.md'), 'utf8'),
    /\| breaking for callers \| Note payload: the field at .*upgrade\) \| `spec\/contracts\.yaml:15` \|/u,
  )
})

test('contracts that are no longer named are gone; what cannot be compared is never "no changes"', async (t) => {
  const config = (contracts: string): string =>
    `export const config = { out: 'out', interfaces: [{ spec: 'a.yaml' }]${contracts} }\n`
  const folder = tempFolder(t)
  put(folder, {
    'a.yaml': "openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}\n",
    'contracts.yaml': BASE,
    'broken.yaml': BASE.replace('owner: Party', 'owner: Nobody'),
    'with.config.ts': config(", contracts: 'contracts.yaml'"),
    'without.config.ts': config(''),
    'two/a/contracts.yaml': BASE,
    'two/b/contracts.yaml': BASE,
  })
  const [gone, broken] = await Promise.all([
    runCli(folder, 'diff', 'with.config.ts', 'without.config.ts'),
    runCli(folder, 'diff', 'contracts.yaml', 'broken.yaml'),
  ])
  const [contracts, configured, document, two] = await Promise.all(
    ['contracts.yaml', 'with.config.ts', 'a.yaml', 'two'].map((name) =>
      openVersion(join(folder, name)),
    ),
  )
  assert.equal(gone.code, 3)
  assert.match(
    gone.stdout,
    /^contracts\.yaml:10:3: .*contract-interface-removed\]\ncontracts\.yaml:12:3: .*template-removed\]/u,
  )
  assert.deepEqual([broken.code, broken.stdout], [2, ''])
  assert.match(broken.stderr, /^broken\.yaml:15:\d+: error: .*Nobody/u)
  assert.match(String(two), /two' has several contracts\.yaml: name one of them$/u)
  assert.ok(
    typeof contracts === 'object' && typeof configured === 'object' && typeof document === 'object',
  )
  assert.deepEqual(diffVersions(contracts, configured), [])
  assert.equal(diffVersions(contracts, document), 'there are no contracts on the other side')
})

test('a limit within a type is told with its place, once, whatever holds it', async (t) => {
  const list = (text: string): Edit => [
    'body: Body }',
    `body: Body, names: "Map<Text, List<Text${text}>>?" }`,
  ]
  const changes = changesBetween(
    await open(t, edited(list(''))),
    await open(t, edited(list('(9)'))),
  )
  assert.deepEqual(
    changes.map(({ message, pointer }) => [message, pointer]),
    [
      [
        'Note payload: the limit of names (Text in List in Map values) is 9, was 255',
        '/templates/Note/fields/names',
      ],
    ],
  )
})
