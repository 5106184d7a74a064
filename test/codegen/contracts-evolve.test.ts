// What may become of contracts.yaml once a version of its packages was committed: each edit is
// taken, asks for an upgrade, or is refused with its line. docs/decisions/0012
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { generate } from '../../codegen/index.ts'
import { PROJECT, put, tempFolder, typeCheck } from './generator-kit.ts'

const BASE = `packages: { notes: { version: 1.0.0 } }
types:
  Kind: { enum: [Short, Long] }
  Text2: { record: { text: Text, kind: Kind } }
interfaces:
  Shown: { package: notes, module: Notes, view: { text: Text } }
templates:
  Note:
    package: notes
    module: Notes
    fields: { owner: Party, text: Text2 }
    interfaces: [Shown]
    choices:
      Note_Edit: { consuming: true, argument: { text: Text }, result: ContractId }
`
const NEXT = ['version: 1.0.0', 'version: 1.1.0'] as const

type Edit = readonly [from: string, to: string]

/**
 * Generates once, edits, generates again; `line message` of each error. No git here: what the lock
 * has is committed.
 */
async function evolve(
  t: TestContext,
  ...edits: readonly Edit[]
): Promise<{ readonly errors: readonly string[]; readonly folder: string }> {
  const folder = tempFolder(t)
  const options = {
    root: folder,
    config: { interfaces: [], out: 'out', contracts: 'contracts.yaml' },
  }
  put(folder, { 'contracts.yaml': BASE })
  assert.equal((await generate(options)).status, 'written')
  const edited = edits.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from)
    return text.replace(from, to)
  }, BASE)
  put(folder, { 'contracts.yaml': edited })
  const { findings } = await generate(options)
  return { folder, errors: findings.map(({ at, message }) => `${at.line} ${message}`) }
}

const REFUSED: readonly (readonly [name: string, edits: readonly Edit[], message: string])[] = [
  [
    'a new field without a new version',
    [['text: Text2 }', 'text: Text2, at: Time? }']],
    `11 Note payload: the optional field at is new: package 'notes' needs a version after 1.0.0`,
  ],
  [
    'an older version',
    [['version: 1.0.0', 'version: 0.9.0']],
    `1 package 'notes' has had version 1.0.0: the next one comes after it`,
  ],
  [
    'a choice that goes',
    [NEXT, ['Note_Edit', 'Note_Change']],
    '13 Note: the choice Note_Edit is gone: what was committed once has to stay',
  ],
  [
    'a required field of an argument',
    [NEXT, ['argument: { text: Text }', 'argument: { text: Text, at: Time }']],
    '14 Note_Edit argument: the field at is new and required, or not at the end: what was committed once has to stay',
  ],
  [
    'another view of an interface',
    [NEXT, ['view: { text: Text }', 'view: { words: Text }']],
    '6 Shown: the interface of contracts is another one: what was committed once has to stay',
  ],
]

for (const [name, edits, message] of REFUSED) {
  test(`${name} is refused with its line, and nothing is written`, async (t) => {
    const { errors, folder } = await evolve(t, ...edits)
    assert.deepEqual(errors, [message])
    assert.doesNotMatch(
      readFileSync(join(folder, 'contracts.lock.json'), 'utf8'),
      /1\.1\.0|0\.9\.0/,
    )
  })
}

const READ: readonly (readonly [name: string, edits: readonly Edit[]])[] = [
  ['an optional field at the end', [NEXT, ['text: Text2 }', 'text: Text2, at: Time? }']]],
  [
    'an optional field further in, and a name of an enum',
    [NEXT, ['kind: Kind }', 'kind: Kind, at: Time? }'], ['Long]', 'Long, Huge]']],
  ],
  ['a choice', [NEXT, ['    choices:\n', '    choices:\n      Note_Look: { consuming: false }\n']]],
]

for (const [name, edits] of READ) {
  test(`${name} is new in a version, and older contracts are read as they are`, async (t) => {
    const { errors, folder } = await evolve(t, ...edits)
    assert.deepEqual(errors, [])
    const { Note } = await import(join(folder, 'out/contracts.gen.ts'))
    const [earlier] = Note.earlier
    assert.deepEqual([Note.earlier.length, earlier.version], [1, '1.0.0'])
    const read = earlier.read({ owner: 'ann', text: { text: 'hello', kind: 'Short' } })
    assert.deepEqual([read.owner, read.text.text], ['ann', 'hello'])
  })
}

test('a required field asks for an upgrade from the version before it', async (t) => {
  const { errors, folder } = await evolve(t, NEXT, ['text: Text2 }', 'text: Text2, at: Time }'])
  assert.deepEqual(errors, [])
  assert.match(
    readFileSync(join(folder, 'out/contracts.gen.ts'), 'utf8'),
    /export interface Note\$Upgrades \{\n {2}readonly '1\.0\.0': \(from: notes_1_0_0\.Note\) => Note\n\}/,
  )
  const { Note } = await import(join(folder, 'out/contracts.gen.ts'))
  const stored = { owner: 'ann', text: { text: 'hello', kind: 'Short' } }
  const upgrades = { '1.0.0': (from: object) => ({ ...from, at: 7n }) }
  assert.deepEqual(Note.earlier[0].read(stored, upgrades), { ...stored, at: 7n })
})

/** A template's rules with what is given for its upgrades. */
function templateWith(upgrades: string): string {
  return `import { defineTemplate } from ${JSON.stringify(join(PROJECT, 'runtime/engine/define.ts'))}
import { Note } from './out/contracts.gen.ts'
export const note = defineTemplate(Note, { signatories: ({ owner }) => [owner]${upgrades} })
`
}

test('a template without the upgrade, or with one that makes no new payload, does not compile', async (t) => {
  const { errors, folder } = await evolve(t, NEXT, ['text: Text2 }', 'text: Text2, at: Time }'])
  assert.deepEqual(errors, [])
  put(folder, {
    'whole.ts': templateWith(", upgrades: { '1.0.0': (from) => ({ ...from, at: 7n }) }"),
    'missing.ts': templateWith(''),
    'empty.ts': templateWith(', upgrades: {}'),
    'same.ts': templateWith(", upgrades: { '1.0.0': (from) => from }"),
  })
  const messages = typeCheck(folder)
  const refused = messages.matchAll(/([^/\s]+)\(\d+,\d+\): error/gu)
  assert.deepEqual([...new Set([...refused].map(([, file]) => file))].sort(), [
    'empty.ts',
    'missing.ts',
    'same.ts',
  ])
  assert.match(messages, /missing\.ts\(3,.*\n(?: .*\n)*.*'upgrades' is missing/u)
})
