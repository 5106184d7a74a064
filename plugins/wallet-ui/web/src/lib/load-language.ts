// Which language the page speaks: the one chosen in the settings, else the first of the browser's
// that there is a file for, else English.
import { speak } from './language.ts'
import type { Catalogue } from './language.ts'

const KEY = 'wallet-language'
const FILES = import.meta.glob<Catalogue>('../languages/*.json', { import: 'default' })

/** Codes of all languages, English first. */
export const LANGUAGES: readonly string[] = [
  'en',
  ...Object.keys(FILES).map((path) => path.replace(/^.*\/|\.json$/gu, '')),
]

/** Loads the catalogue; English, should the server not answer. */
export async function loadLanguage(): Promise<void> {
  const code = languageCode()
  const tag = navigator.languages.find((one) => baseOf(one) === code) ?? code
  document.documentElement.lang = code
  const load = FILES[`../languages/${code}.json`]
  speak(tag, load === undefined ? {} : await load().catch(() => ({})))
}

/** The code of the language that holds now. */
export function languageCode(): string {
  const chosen = localStorage.getItem(KEY) ?? ''
  if (LANGUAGES.includes(chosen)) return chosen
  return navigator.languages.map(baseOf).find((code) => LANGUAGES.includes(code)) ?? 'en'
}

/** Keeps the choice in this browser and draws everything anew. */
export function chooseLanguage(code: string): void {
  localStorage.setItem(KEY, code)
  location.reload()
}

function baseOf(tag: string): string {
  return tag.split('-')[0] ?? tag
}
