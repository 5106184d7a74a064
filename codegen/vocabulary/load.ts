// Reads a vocabulary file, strictly: a word map that is misunderstood would rename the wrong half
// of an interface.
import { isDeepStrictEqual } from 'node:util'
import type { Finding } from '../findings.ts'
import { readSource } from '../load/source.ts'
import type { Path, Source } from '../load/source.ts'
import { finding } from '../rules/document-rules.ts'
import type { DocumentRule } from '../rules/document-rules.ts'
import { fields, isFields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import type { NamePlace, Vocabulary, WholeName, WordRule } from './words.ts'

interface LoadedVocabulary {
  readonly vocabulary: Vocabulary
  readonly source: Source
  readonly findings: readonly Finding[]
}

/**
 * A word is all lower case, all upper case or capitalised: else it could not be found again in a
 * name.
 */
const ONE_WORD = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/u
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*$/u

/** Words for places in `where`, between commas and 'and'. */
const PLACE_WORDS: Readonly<Record<string, NamePlace>> = {
  paths: 'path',
  parameters: 'parameter',
  properties: 'property',
  'schema names': 'schema',
  'operation ids': 'operation',
  payloads: 'payload',
  'package names': 'package',
  'module names': 'module',
}

/** Places that `where` of a name may say, but for payloads of some templates and choices. */
const WHOLE_PLACES: Readonly<Record<string, WholeName['place']>> = {
  payloads: 'payload',
  'package names': 'package',
  'module names': 'module',
  parameters: 'parameter',
  properties: 'property',
}

/** `configuration` is for whoever serves the interface: settings that go with the words. */
const KEYS = ['words', 'names', 'keep', 'configuration']

interface Reading {
  readonly source: Source
  readonly findings: Finding[]
}

/** The vocabulary of a file; what is wrong with it is in the findings. */
export function loadVocabulary(file: string): LoadedVocabulary {
  const source = readSource(file)
  const reading: Reading = { source, findings: [...source.findings] }
  const data = fields(source.data)
  if (source.findings.length === 0) checkKeys(reading, [], data, KEYS)
  const words = items(data['words']).flatMap((one, index) =>
    readWord(reading, ['words', String(index)], one),
  )
  const names = items(data['names']).flatMap((one, index) =>
    readName(reading, ['names', String(index)], one),
  )
  const keep = items(data['keep']).flatMap((one, index) =>
    readKept(reading, ['keep', String(index)], one),
  )
  if (reading.findings.length === 0 && words.length === 0)
    report(reading, 'vocabulary-words', "'words' must be a list of { neutral, wire, where? }", [
      'words',
    ])
  checkTwice(reading, words)
  checkSame(reading, items(data['names']))
  return { vocabulary: { words, names, keep }, source, findings: reading.findings }
}

function report(
  { source, findings }: Reading,
  rule: DocumentRule,
  message: string,
  path: Path,
): void {
  findings.push(finding(rule, message, source.place(path)))
}

function checkKeys(reading: Reading, path: Path, value: Fields, known: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key) || key.startsWith('x-')) continue
    report(reading, 'vocabulary-key', `'${key}' is not understood here: ${known.join(', ')} are`, [
      ...path,
      key,
    ])
  }
}

interface Pair {
  readonly neutral: string
  readonly wire: string
  readonly where: string | undefined
}

function readPair(
  reading: Reading,
  path: Path,
  value: unknown,
  form: RegExp,
  what: string,
): Pair | undefined {
  const { neutral, wire, where } = fields(value)
  checkKeys(reading, path, fields(value), ['neutral', 'wire', 'where'])
  const pair = { neutral: text(neutral) ?? '', wire: text(wire) ?? '', where: text(where) }
  for (const key of ['neutral', 'wire'] as const) {
    if (form.test(pair[key])) continue
    report(
      reading,
      'vocabulary-word',
      `'${key}' must be ${what}`,
      isFields(value) && key in value ? [...path, key] : path,
    )
    return undefined
  }
  return pair
}

function readWord(reading: Reading, path: Path, value: unknown): readonly WordRule[] {
  const pair = readPair(reading, path, value, ONE_WORD, 'one word, as word, Word or WORD')
  if (pair === undefined) return []
  const { neutral, wire, where } = pair
  if (spellingOf(neutral) !== spellingOf(wire)) {
    report(
      reading,
      'vocabulary-word',
      `'${neutral}' and '${wire}' must have the same case: word, Word or WORD`,
      [...path, 'wire'],
    )
    return []
  }
  if (where === undefined) return [{ neutral, wire }]
  const phrases = phrasesOf(where)
  const places = phrases.flatMap((phrase) =>
    Object.hasOwn(PLACE_WORDS, phrase) ? (PLACE_WORDS[phrase] ?? []) : [],
  )
  if (places.length < phrases.length) {
    report(
      reading,
      'vocabulary-where',
      `'${where}' is not a place for words: ${Object.keys(PLACE_WORDS).join(', ')} are`,
      [...path, 'where'],
    )
    return []
  }
  return [{ neutral, wire, places: new Set(places) }]
}

function spellingOf(word: string): 'word' | 'Word' | 'WORD' {
  if (word === word.toLowerCase()) return 'word'
  return word === word.toUpperCase() && word.length > 1 ? 'WORD' : 'Word'
}

function phrasesOf(where: string): readonly string[] {
  return where.split(/\s*,\s*|\s+and\s+/u).map((phrase) => phrase.trim())
}

function readName(reading: Reading, path: Path, value: unknown): readonly WholeName[] {
  const pair = readPair(reading, path, value, NAME, 'a name')
  if (pair === undefined) return []
  const { neutral, wire, where = 'payloads' } = pair
  const [, of] = /^(?:([A-Za-z]+) )?payloads$/u.exec(where) ?? []
  const place = Object.hasOwn(WHOLE_PLACES, where) ? WHOLE_PLACES[where] : undefined
  if (place !== undefined) return [{ neutral, wire, place }]
  if (of !== undefined) return [{ neutral, wire, place: 'payload', of }]
  const known = [...Object.keys(WHOLE_PLACES), '<word> payloads'].join(', ')
  report(reading, 'vocabulary-where', `'${where}' is not a place for names: ${known} are`, [
    ...path,
    'where',
  ])
  return []
}

function readKept(reading: Reading, path: Path, value: unknown): readonly string[] {
  const name = text(value)
  if (name !== undefined && NAME.test(name)) return [name]
  report(reading, 'vocabulary-keep', "'keep' is a list of names", path)
  return []
}

/** A word that stands on both sides, or twice on one, could not be turned back. */
function checkTwice(reading: Reading, words: readonly WordRule[]): void {
  for (const [index, { neutral, wire, places }] of words.entries()) {
    const path = ['words', String(index)]
    const earlier = words.slice(0, index).filter((one) => shareAPlace(one.places, places))
    if (earlier.some((one) => one.neutral === neutral))
      report(reading, 'vocabulary-twice', `'${neutral}' is renamed twice`, [...path, 'neutral'])
    if (earlier.some((one) => one.wire === wire))
      report(reading, 'vocabulary-twice', `two words become '${wire}'`, [...path, 'wire'])
    if (words.some((one) => one.neutral.toLowerCase() === wire.toLowerCase())) {
      report(reading, 'vocabulary-twice', `'${wire}' is a word of both vocabularies`, [
        ...path,
        'wire',
      ])
    }
  }
}

/** A name that is written twice is a mistake, even where both say the same. */
function checkSame(reading: Reading, names: readonly unknown[]): void {
  for (const [index, one] of names.entries())
    if (names.slice(0, index).some((earlier) => isDeepStrictEqual(earlier, one)))
      report(reading, 'vocabulary-twice', 'this name is here twice', ['names', String(index)])
}

function shareAPlace(
  a: ReadonlySet<NamePlace> | undefined,
  b: ReadonlySet<NamePlace> | undefined,
): boolean {
  return a === undefined || b === undefined || [...a].some((place) => b.has(place))
}
