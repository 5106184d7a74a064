// Which characters of a name an eye takes for others, in words.
import { t } from './language.ts'
import { skeletonOf } from './look-alike.ts'

/** A kind of character, and where it stands, counted from one. */
export interface Doubt {
  readonly words: string
  readonly places: readonly number[]
}

/** Capitals that differ from their small letters by their size alone are among them. */
const DOUBTFUL = /rn|[01ClIKmOPSUVWXZ]|^[-_ ]+|[-_ ]+$|[^\0-\x7f]/gu

const WORDS: ReadonlyMap<string, string> = new Map([
  ['I', t('capital I (i)')],
  ['l', t('small l (L)')],
  ['O', t('capital O (o)')],
  ['0', t('digit 0 (zero)')],
  ['1', t('digit 1 (one)')],
  ['m', t('one letter, m')],
  ['rn', t('two letters, r and n')],
  ['-', t('hyphen')],
  ['_', t('underscore')],
  [' ', t('space')],
])

/** Doubtful characters of a name by kind, in the order of their first places. */
export function doubtsOf(name: string): readonly Doubt[] {
  const places = new Map<string, number[]>()
  for (const { 0: found, index } of name.matchAll(DOUBTFUL)) {
    const first = [...name.slice(0, index)].length + 1
    // Several at an end are one match.
    for (const [at, piece] of (found === 'rn' ? [found] : [...found]).entries()) {
      const words = wordsFor(piece)
      if (words !== undefined) places.set(words, [...(places.get(words) ?? []), first + at])
    }
  }
  return [...places].map(([words, at]) => ({ words, places: at }))
}

/** Undefined for what looks like nothing else. */
function wordsFor(piece: string): string | undefined {
  if (/^[A-Z]$/u.test(piece)) return WORDS.get(piece) ?? t('capital {0}', piece)
  const shape = skeletonOf(piece)
  return (
    WORDS.get(piece) ?? (shape === piece ? undefined : t('{0}, which is not {1}', piece, shape))
  )
}
