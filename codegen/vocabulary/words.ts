// A word map: which words of names are others on the wire, and where in a document that holds.
import { packageText, renamed } from '../emit/support/translation.ts'
import type { Dictionary, NameRule } from '../emit/support/translation.ts'
import { given, sortedEntries } from '../values.ts'

/** Kinds of names. A word without places is renamed in all of them. */
const PLACES = [
  'path',
  'parameter',
  'property',
  'schema',
  'operation',
  'payload',
  'package',
  'module',
] as const

export type NamePlace = (typeof PLACES)[number]

export interface WordRule {
  readonly neutral: string
  readonly wire: string
  /** Absent: everywhere. */
  readonly places?: ReadonlySet<NamePlace>
}

/**
 * A name that is replaced as a whole. In payloads, `of` limits it to those of templates and choices
 * whose name has this word.
 */
export interface WholeName {
  readonly neutral: string
  readonly wire: string
  readonly place: 'payload' | 'package' | 'module' | 'parameter' | 'property'
  readonly of?: string
}

export interface Vocabulary {
  readonly words: readonly WordRule[]
  readonly names: readonly WholeName[]
  /** Names that are the same in both vocabularies although they have one of the words. */
  readonly keep: readonly string[]
  /** Neutral names and ids of the packages that are called otherwise; absent: all are. */
  readonly own?: readonly string[]
}

type WordMap = Readonly<Record<string, string>>

/**
 * The words of one place, in their three spellings. What is spelt out in the vocabulary goes before
 * what is derived.
 */
function wordsOf(vocabulary: Vocabulary, place: NamePlace): WordMap {
  const holds = vocabulary.words.filter(({ places }) => places?.has(place) ?? true)
  const spelt = new Map(vocabulary.words.map((word) => [word.neutral, word]))
  const derived = holds.flatMap((word) =>
    spellings(word).filter(([neutral]) => !spelt.has(neutral)),
  )
  const own = holds.map(({ neutral, wire }): [string, string] => [neutral, wire])
  return Object.fromEntries(sortedEntries(Object.fromEntries([...derived, ...own])))
}

function spellings({ neutral, wire }: WordRule): readonly (readonly [string, string])[] {
  if (neutral !== neutral.toLowerCase()) return []
  const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
  return [
    [upper(neutral), upper(wire)],
    [neutral.toUpperCase(), wire.toUpperCase()],
  ]
}

/** Renames names of one place. */
export function renamer(vocabulary: Vocabulary, place: NamePlace): (name: string) => string {
  const words = wordsOf(vocabulary, place)
  const whole = new Map(
    vocabulary.names
      .filter((one) => one.place === place && (place === 'parameter' || place === 'property'))
      .map(({ neutral, wire }) => [neutral, wire]),
  )
  return (name) => whole.get(name) ?? renamed(name, words, vocabulary.keep)
}

/** The dictionary that translates replies. */
export function outwardDictionary(vocabulary: Vocabulary): Dictionary {
  return {
    words: wordsOf(vocabulary, 'payload'),
    modules: wordsOf(vocabulary, 'module'),
    packages: wordsOf(vocabulary, 'package'),
    whole: { packages: wholeOf(vocabulary, 'package'), modules: wholeOf(vocabulary, 'module') },
    names: namesOf(vocabulary, ({ neutral, wire }) => ({ from: neutral, to: wire })),
    keep: vocabulary.keep,
    ...given({ own: vocabulary.own && setOf(vocabulary.own) }),
  }
}

function setOf(names: readonly string[]): Readonly<Record<string, true>> {
  return Object.fromEntries(names.toSorted().map((name) => [name, true]))
}

/** The dictionary that translates requests. */
export function inwardDictionary(vocabulary: Vocabulary): Dictionary {
  const dictionary = outwardDictionary(vocabulary)
  const { words, modules, packages, whole, keep } = dictionary
  const outward = packageText(dictionary)
  return {
    ...given({ own: vocabulary.own && setOf(vocabulary.own.map((name) => String(outward(name)))) }),
    words: turned(words),
    modules: turned(modules),
    packages: turned(packages),
    whole: { packages: turned(whole.packages), modules: turned(whole.modules) },
    keep,
    names: namesOf(vocabulary, ({ neutral, wire }) => ({ from: wire, to: neutral })).map(
      ({ of, ...name }) => ({
        ...name,
        ...(of === undefined ? {} : { of: renamed(of, words, keep) }),
      }),
    ),
  }
}

function wholeOf({ names }: Vocabulary, place: WholeName['place']): WordMap {
  const entries = names
    .filter((one) => one.place === place)
    .map(({ neutral, wire }): [string, string] => [neutral, wire])
  return Object.fromEntries(entries)
}

function namesOf(
  { names }: Vocabulary,
  turn: (name: WholeName) => Pick<NameRule, 'from' | 'to'>,
): readonly NameRule[] {
  return names
    .filter(({ place }) => place === 'payload')
    .map((name) => ({ ...turn(name), ...given({ of: name.of }) }))
}

function turned(words: WordMap): WordMap {
  return Object.fromEntries(
    sortedEntries(
      Object.fromEntries(Object.entries(words).map(([neutral, wire]) => [wire, neutral])),
    ),
  )
}
