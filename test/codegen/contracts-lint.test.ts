// What is wrong with a contract document comes back as findings with rule, line and column; no
// input makes the loader throw.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { loadContracts } from '../../codegen/load/contracts.ts'
import { parseType } from '../../codegen/load/type-expression.ts'
import { fixture, put, tempFolder } from './generator-kit.ts'

const BASE = `packages: { network-coin: { version: 0.1.0 } }
types:
  Rate: { record: { rate: Decimal } }
interfaces:
  Holding: { package: network-coin, module: Network.Holding, view: { owner: Party } }
templates:
  Coin:
    package: network-coin
    module: Network.Coin
    fields: { owner: Party }
    interfaces: [Holding]
    choices:
      Coin_Look: { consuming: false }
`

/** Findings as `line:column rule message`. */
function lint(t: TestContext, document: string): readonly string[] {
  const folder = tempFolder(t)
  put(folder, { 'contracts.yaml': document })
  return loadContracts(join(folder, 'contracts.yaml')).findings.map(
    ({ at, rule, message }) => `${at.line}:${at.column} ${rule} ${message}`,
  )
}

const LIMITS = 'Text: 8, Party: 8, ContractId: 8, List: 8, Set: 8, Map: 8, TextMap: 8'

/** Each change of BASE and how its one finding begins. */
const CASES: readonly (readonly [string, string, string])[] = [
  ['rate: Decimal', 'rate: Numeric', `3:21 contract-type there is no type 'Numeric'`],
  [
    'rate: Decimal',
    'rate: List<Text',
    `3:21 contract-type the type 'List<Text' ends where '>' should be`,
  ],
  ['rate: Decimal', 'rate: Text??', `3:21 contract-type the type 'Text??' has '??'`],
  [
    'rate: Decimal',
    'rate: Text Text',
    `3:21 contract-type the type 'Text Text' has 'Text' after its end`,
  ],
  ['rate: Decimal', 'rate: 5', '3:21 contract-type expected a type'],
  ['rate: Decimal', 'Rate: Decimal', `3:21 contract-name 'Rate' is not a name of a field`],
  [
    'rate: Decimal',
    '__proto__: Decimal',
    `3:21 contract-name '__proto__' is not a name of a field`,
  ],
  [
    'Rate: { record: { rate: Decimal } }',
    'Rate: { enum: [A, A] }',
    `3:21 contract-name 'A' is listed twice`,
  ],
  [
    'Rate: { record: { rate: Decimal } }',
    'Rate: { enum: [A], record: {} }',
    `3:3 contract-key 'Rate' is either`,
  ],
  [
    'Rate: { record: { rate: Decimal } }',
    'Rate: { variant: {} }',
    '3:11 contract-key a variant lists its cases',
  ],
  ['  Rate:', '  Party:', `3:3 contract-name 'Party' has a meaning of its own`],
  ['  Rate:', '  Codec:', `3:3 contract-name 'Codec' has a meaning of its own`],
  ['  Rate:', '  rate:', `3:3 contract-name 'rate' is not a type name`],
  ['  Rate:', '  Coin:', `7:3 contract-name 'Coin' is defined twice, the other at line 3`],
  [
    '  Rate:',
    '  HoldingView:',
    `5:62 contract-name 'HoldingView' is defined twice, the other at line 3`,
  ],
  [
    'Coin_Look: { consuming: false }',
    'Rate: { consuming: true, argument: { x: Int } }',
    `13:32 contract-name 'Rate' is defined twice`,
  ],
  [
    'Coin_Look: { consuming: false }',
    'Archive: { consuming: true }',
    `13:7 contract-name every template has the choice 'Archive'`,
  ],
  ['consuming: false', 'consuming: no', `13:20 contract-key 'consuming' is neither true nor false`],
  ['{ consuming: false }', '{}', `13:7 contract-key 'consuming' is missing`],
  [
    'consuming: false',
    'consuming: false, controller: x',
    `13:38 contract-key unknown key 'controller'`,
  ],
  [
    '    package: network-coin',
    '    package: network-wallet',
    `8:5 contract-package package 'network-wallet' is not under packages`,
  ],
  [
    '    module: Network.Coin',
    '    module: network',
    `9:5 contract-name 'network' is not a module name`,
  ],
  ['    fields: { owner: Party }\n', '', `7:3 contract-key 'fields' is missing`],
  [
    '[Holding]',
    '[Holding]\n    keys: [owner]',
    '12:5 template-key expected an object of names and types',
  ],
  [
    '[Holding]',
    '[Holding]\n    keys: { Owner: Party }',
    `12:13 template-key 'Owner' is not a name of a key`,
  ],
  [
    '[Holding]',
    '[Holding]\n    keys: { owner: Decimal }',
    `12:13 template-key the type of a key is Party, Text, ContractId, Int, Round: 'owner' has`,
  ],
  [
    '[Holding]',
    '[Holding]\n    keys: { a: Text, b: Text, c: Text, d: Text }',
    `12:40 template-key 'd' is in none of the columns 1, 2 and 3`,
  ],
  [
    '[Holding]',
    '[Holding]\n    keys: { a: Text, b: { type: Text, column: 1 } }',
    `12:22 template-key 'b' and 'a' are both in column 1`,
  ],
  [
    '[Holding]',
    '[Holding]\n    keys: { a: { type: Text, column: 2, order: 1 } }',
    `12:13 template-key unknown key 'order'`,
  ],
  ['[Holding]', '[Locked]', `11:18 contract-interface there is no interface 'Locked'`],
  ['[Holding]', '[Holding, Holding]', `11:27 contract-interface 'Holding' is listed twice`],
  [
    'version: 0.1.0',
    'version: 0.1',
    `1:29 contract-package the version of 'network-coin' is not of the form`,
  ],
  ['types:', 'kinds: {}\ntypes:', `2:1 contract-key unknown key 'kinds'`],
  ['  Rate:', '  Rate: { enum: [A] }\n  Rate:', '4:3 duplicate-key'],
  [
    'rate: Decimal',
    'rate: Text(many)',
    `3:21 contract-type the type 'Text(many)' has 'many' where a limit should be`,
  ],
  [
    'rate: Decimal',
    'rate: Text(0)',
    `3:21 contract-type the type 'Text(0)' has '0' where a limit should be`,
  ],
  [
    'rate: Decimal',
    'rate: List<Text>(5',
    `3:21 contract-type the type 'List<Text>(5' ends where ')' should be`,
  ],
  [
    'rate: Decimal',
    'rate: Decimal(5)',
    `3:21 contract-type the type 'Decimal(5)' has '(' after its end`,
  ],
  [
    'Rate: { record',
    'Rate: { maxBytes: -1, record',
    `3:11 contract-limit a limit is a whole number`,
  ],
  [
    'types:',
    `limits: { ${LIMITS.replace(', Map: 8', '')} }\ntypes:`,
    `2:1 contract-key 'Map' is missing`,
  ],
  [
    'types:',
    `limits: { ${LIMITS.replace('Map: 8', 'Map: 1.5')} }\ntypes:`,
    `2:62 contract-limit a limit is a whole number`,
  ],
]

test('a sound document has no findings', (t) => {
  assert.deepEqual(lint(t, BASE), [])
  assert.deepEqual(loadContracts(fixture('contracts.yaml')).findings, [])
})

test('every mistake is found at its place', (t) => {
  for (const [from, to, expected] of CASES) {
    const document = BASE.replace(from, to)
    assert.notEqual(document, BASE, from)
    const [first, ...others] = lint(t, document)
    assert.ok(first?.startsWith(expected), `${to}: ${first ?? 'nothing found'}`)
    assert.deepEqual(others, [], to)
  }
})

test('a comma without quotes inside a flow map is explained', (t) => {
  const [first] = lint(t, BASE.replace('rate: Decimal', 'rate: Map<Party, Text>'))
  assert.match(first ?? '', /a type with a comma needs quotes/u)
})

test('a file that is missing or no document is a finding', (t) => {
  assert.equal(loadContracts('/nowhere/contracts.yaml').findings[0]?.rule, 'unreadable')
  for (const document of [
    '',
    '[]',
    'x',
    '{{',
    'types: []',
    'templates: { A: 1 }',
    'types: { A: { record: [] } }',
  ]) {
    assert.ok(lint(t, document).length > 0, document)
  }
})

test('no text makes the parser of types throw', () => {
  const words = fc.array(
    fc.constantFrom('List', 'Map', 'Pair', '<', '>', ',', '?', 'Text', 'X', ' ', '9', '\u{1f600}'),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        words.map((all) => all.join('')),
        fc.string(),
      ),
      (source) => typeof parseType(source).ok === 'boolean',
    ),
  )
  assert.equal(parseType('List<'.repeat(50_000)).ok, false)
})

test('lines cut out of the document never make the loader throw', (t) => {
  const lines = readFileSync(fixture('contracts.yaml'), 'utf8').split('\n')
  for (const index of lines.keys())
    assert.ok(Array.isArray(lint(t, lines.toSpliced(index, 1).join('\n'))))
})
