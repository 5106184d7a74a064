// The product and company names of the public network stay out of the repository. They are known
// here by their hashes alone; what may hold one of the words is listed, each with its reason.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { loadVocabulary } from '../../codegen/vocabulary/load.ts'
import { PROJECT } from './generator-kit.ts'

const SALT = 'ledgerwright names'

/**
 * First 16 hexadecimal digits of SHA-256 over salt, colon and the word in lower case; two words are
 * joined by a space.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  '07adfadad27084c6',
  '13ec3fa51995e062',
  '1ece9bcfb4716da3',
  '37953cf5e3cce7bd',
  '39504d0093f26956',
  '3a190727b7830fdc',
  '495c9de23e8ffdb8',
  '49606f8c4377d762',
  '511749d8a8a4281b',
  '60018a269964aebc',
  '6d6b101af341c1ce',
  '77ab48ae8ff79d33',
  '7aca559fa3183e17',
  '7df565d381eb2ef6',
  '8bfe8b9beea28232',
  'a11cbb3506f293bd',
  'aa57dd8d6c8c08c5',
  'bf82b2a53b36a6c1',
  'cde0b9d30ee87315',
  'e0dde02df33013b6',
  'e3df56dcec695804',
  'f697584c3efe061d',
  'f78fcbc9d845dacd',
  'fed2a683702bb66f',
])
/** Hashes of the first words of names of two words. */
const FIRST_WORDS: ReadonlySet<string> = new Set(['8d4487ae3bb201fc'])

interface Allowed {
  readonly files: RegExp
  readonly word: string
  readonly reason: string
}

const PRESET = {
  files: /^spec\/presets\/network-0\.6\.yaml$/u,
  reason: 'the one preset that ships says which names the network has',
}
/** Names that may be somewhere. */
const ALLOWED: readonly Allowed[] = [
  'a11cbb3506f293bd',
  '511749d8a8a4281b',
  '8bfe8b9beea28232',
  'f697584c3efe061d',
  '6d6b101af341c1ce',
].map((word) => ({ ...PRESET, word }))

const BINARY = /\.(?:png|jpg|ico|gz|dar|zip|woff2?|sqlite)$/u

/** Tracked files; where there is no repository, all but what is made. */
function files(): readonly string[] {
  if (existsSync(join(PROJECT, '.git'))) {
    return execFileSync('git', ['ls-files', '-z'], {
      cwd: PROJECT,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
      .split('\0')
      .filter(Boolean)
  }
  return globSync('**/*', {
    cwd: PROJECT,
    exclude: (name) => ['node_modules', 'dist', '.cache', 'data'].includes(name),
  }).filter((file) => /\.[a-z]+$/u.test(file))
}

function hashOf(word: string): string {
  return createHash('sha256').update(`${SALT}:${word}`).digest('hex').slice(0, 16)
}

const seen = new Map<string, string>()

function hashed(word: string): string {
  const known = seen.get(word)
  if (known !== undefined) return known
  const hash = hashOf(word)
  seen.set(word, hash)
  return hash
}

/**
 * Hashes of forbidden words in a text, whatever the spelling: of runs of letters, of their
 * camelCase words, and of two words in a row. Methods of arrays are named by the language; escapes
 * in texts (`\\nword`) are no letters of a word.
 */
function found(text: string): ReadonlySet<string> {
  const hits = new Set<string>()
  let first = ''
  const plain = text
    .replaceAll(/\\[a-z]/gu, ' ')
    .replaceAll(/\.([A-Za-z]+)\(/gu, (call, name) =>
      Reflect.has(Array.prototype, name) ? '.(' : call,
    )
  for (const [run] of plain.matchAll(/[A-Za-z]+/gu)) {
    const words = run.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/gu) ?? []
    for (const word of words.length > 1 ? [run, ...words] : [run]) {
      const lower = word.toLowerCase()
      const hash = hashed(lower)
      if (FORBIDDEN.has(hash)) hits.add(hash)
      const pair =
        first === '' || (word === run && words.length > 1) ? '' : hashed(`${first} ${lower}`)
      if (FORBIDDEN.has(pair)) hits.add(pair)
      if (word !== run || words.length === 1) first = FIRST_WORDS.has(hash) ? lower : ''
    }
  }
  return hits
}

test("no tracked file has a name of the public network's products and companies", () => {
  const hits: string[] = []
  const used = new Set<Allowed>()
  for (const file of files().filter((name) => existsSync(join(PROJECT, name)))) {
    for (const word of found(
      BINARY.test(file) ? file : `${file}\n${readFileSync(join(PROJECT, file), 'utf8')}`,
    )) {
      const reason = ALLOWED.find((one) => one.word === word && one.files.test(file))
      if (reason === undefined) hits.push(`${file}: ${word}`)
      else used.add(reason)
    }
  }
  assert.deepEqual(hits, [])
  assert.deepEqual(
    ALLOWED.filter((one) => !used.has(one)),
    [],
    'allowed for nothing',
  )
})

test('every spelling is seen', () => {
  const [one, two] = [['c', 'anton'].join(''), ['d', 'igital as', 'set'].join('')]
  const spelt = [
    one,
    one.toUpperCase(),
    `get${one.charAt(0).toUpperCase()}${one.slice(1)}Rules`,
    `x_${one}_y`,
    `x-${one}`,
    `(${one})`,
    `1${one}2`,
    `list.${one}(1)`,
    `'a\\n${one}'`,
    `docs/${one}.png`,
    `${one.toUpperCase()}Rules`,
  ]
  for (const text of [
    ...spelt,
    two,
    two.replace(' ', '-'),
    two.replace(' ', ''),
    two.toUpperCase(),
    two.replace(' a', 'A'),
  ]) {
    assert.ok(found(`before ${text} after`).size > 0, text)
  }
  for (const text of ['a list', 'list.splice(1)', `${one}ish`, 'digital watch'])
    assert.equal(found(text).size, 0, text)
})

const VOCABULARIES = resolve(PROJECT, '../shared/vocabulary')
const skip = existsSync(VOCABULARIES) ? false : `no vocabularies at ${VOCABULARIES}`

test("the words of the network's own vocabulary are among the hashes", { skip }, () => {
  for (const file of globSync('*.yaml', { cwd: VOCABULARIES })) {
    const { vocabulary } = loadVocabulary(join(VOCABULARIES, file))
    const missing = vocabulary.words.filter(
      ({ wire }) => !FORBIDDEN.has(hashOf(wire.toLowerCase())),
    )
    assert.deepEqual(
      missing.map(({ neutral }) => neutral),
      [],
    )
  }
})
