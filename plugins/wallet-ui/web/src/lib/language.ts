// The language of the page: texts stand in the sources in English, which is also their key in the
// files of languages/. One language holds for a load of the page, so texts may be constants.

/** English text to that of another language. What is missing stays English. */
export type Catalogue = Readonly<Record<string, string>>

let words: Catalogue = {}
let locale = 'en-US'

/**
 * To be called before anything is drawn. `tag` is a language tag, by which numbers and dates are
 * written.
 */
export function speak(tag: string, catalogue: Catalogue): void {
  locale = tag
  words = catalogue
  separators = separatorsOf(tag)
}

/** The tag for `Intl`: `de-CH`. */
export function localeTag(): string {
  return locale
}

/**
 * The text in the page's language; `{0}`, `{1}` … stand for the parts.
 *
 * @example t('{0} sent to {1}', amount, name)
 */
export function t(text: string, ...parts: readonly (string | number)[]): string {
  return (words[text] ?? text).replaceAll(PLACE, (place, at: string) =>
    String(parts[Number(at)] ?? place),
  )
}

/** Another person's text, in the quotation marks of the language. */
export function quoted(text: string): string {
  return t('“{0}”', apart(text))
}

/**
 * For the middle of a sentence: what is written from right to left turns nothing around it, and
 * characters that do nothing but turn are seen as such.
 */
export function apart(text: string): string {
  const shown = text.replace(/\p{Bidi_C}/gu, '\ufffd')
  return /[\u0590-\u08ff\ufb1d-\ufefc]/u.test(shown) ? `\u2068${shown}\u2069` : shown
}

const PLACE = /\{(\d)\}/gu

interface Separators {
  readonly group: string
  readonly point: string
}

let separators = separatorsOf(locale)

/** How the language writes `1,234.5`. */
export function numberSeparators(): Separators {
  return separators
}

function separatorsOf(tag: string): Separators {
  const parts = new Intl.NumberFormat(tag).formatToParts(1_234_567.8)
  const of = (type: 'group' | 'decimal', usual: string): string =>
    parts.find((part) => part.type === type)?.value ?? usual
  return { group: of('group', ','), point: of('decimal', '.') }
}
