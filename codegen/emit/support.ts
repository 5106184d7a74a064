// Joins the helper sources of emit/support into support.gen.ts and arbitrary.gen.ts, which stand
// once beside all interfaces.
import { existsSync, readFileSync } from 'node:fs'

const PARTS = [
  'wire',
  'exact-json',
  'own-member',
  'parameters',
  'forms',
  'parameter-texts',
  'callback-url',
  'form-texts',
  'response-headers',
  'security',
  'client-security',
  'client-types',
  'client',
  'client-request',
  'client-answer',
  'client-retry',
  'client-or-throw',
]
const ARBITRARY_PARTS = [
  '',
  '-scalars',
  '-numbers',
  '-text',
  '-objects',
  '-lists',
  '-unions',
  '-media',
  '-replies',
  '-operations',
].map((part) => `arbitrary${part}`)

/** Name of the file beside the interface folders that `translationSupport` belongs into. */
export const TRANSLATION_SUPPORT_FILE = 'translation.gen.ts'

/** Name of the file beside the interface folders that `arbitrarySupport` belongs into. */
export const ARBITRARY_SUPPORT_FILE = 'arbitrary.gen.ts'

/**
 * Text of support.gen.ts, without marker. The helpers are real TypeScript files, so they are
 * compiled and tested as such.
 */
export function printSupport(): string {
  return join(PARTS, [
    `import { placeProblems, step } from './validation.gen.ts'`,
    `import type { Problem, ProblemPlace } from './validation.gen.ts'`,
  ])
}

/**
 * Text of arbitrary.gen.ts, without marker: the combinators of printed arbitraries. fast-check is
 * imported for its types only.
 */
export function arbitrarySupport(): string {
  return join(ARBITRARY_PARTS, [
    '// @ts-nocheck: fast-check is an optional peer, without which its types are missing. With it, nothing here needs this line.',
    `import {\n  isByte, isDate, isDateTime, isDecimal, isEmail, isMultiple, isObject, isReadable, isUri, isUuid, length, step,\n} from './validation.gen.ts'`,
    `import type { Problem } from './validation.gen.ts'`,
    `import type { Arbitrary, default as fastCheck } from 'fast-check'`,
  ])
}

/**
 * Text of translation.gen.ts, without marker: what printed translations between vocabularies are
 * made of.
 */
export function translationSupport(): string {
  return ['translation', 'translation-operations'].map(withoutImports).join('\n')
}

/**
 * Text of contract-codec.gen.ts, without marker: the forms of ledger values that printed codecs are
 * put together from.
 */
export function contractCodecSupport(): string {
  return join(
    ['contract-codec', 'contract-containers', 'contract-types', 'contract-limits'],
    [`import { isReadable } from './validation.gen.ts'`],
  )
}

function join(parts: readonly string[], imports: readonly string[]): string {
  return `${imports.join('\n')}\n\n${parts.map(withoutImports).join('\n')}`
}

function withoutImports(part: string): string {
  return readPart(part).replaceAll(
    /^import (?:type )?\{[^}]*\} from '(?:\.\/[^']*|fast-check)'\n/gmu,
    '',
  )
}

function readPart(part: string): string {
  const source = new URL(`./support/${part}.ts`, import.meta.url)
  if (existsSync(source)) return readFileSync(source, 'utf8')
  throw new Error(`the generator's helper ${part}.ts is missing beside ${import.meta.url}`)
}
