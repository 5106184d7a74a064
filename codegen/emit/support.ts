// Joins the helper sources of emit/support into the files that stand once beside all interfaces,
// and prints the imports of what printed code uses of them. The helpers are real TypeScript files,
// so they are compiled and tested as such.
import { existsSync, readFileSync } from 'node:fs'
import { importOf } from '../layout.ts'
import { once } from '../once.ts'
import { freeNames } from './uses.ts'

interface Support {
  /** Names of the sources. */
  readonly parts: readonly string[]
  /** Lines that the joined file begins with. */
  readonly imports?: readonly string[]
}

const NO_CHECK =
  '// @ts-nocheck: fast-check is an optional peer, without which its types are missing. With it, nothing here needs this line.'
const FAST_CHECK = `import type { Arbitrary, default as fastCheck } from 'fast-check'`

/** By file. Arbitraries import fast-check for its types only. */
const SUPPORTS = {
  'support.gen.ts': {
    parts: [
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
    ],
    imports: [
      `import { placeProblems, step } from './validation.gen.ts'`,
      `import type { Problem, ProblemPlace } from './validation.gen.ts'`,
    ],
  },
  'validation.gen.ts': { parts: ['validation'] },
  'arbitrary.gen.ts': {
    parts: [
      'arbitrary',
      'arbitrary-scalars',
      'arbitrary-numbers',
      'arbitrary-text',
      'arbitrary-objects',
      'arbitrary-lists',
      'arbitrary-unions',
      'arbitrary-media',
      'arbitrary-replies',
      'arbitrary-operations',
    ],
    imports: [
      NO_CHECK,
      `import {\n  isByte, isDate, isDateTime, isDecimal, isEmail, isMultiple, isObject, isReadable, isUri, isUuid, length, step,\n} from './validation.gen.ts'`,
      `import type { Problem } from './validation.gen.ts'`,
      FAST_CHECK,
    ],
  },
  'translation.gen.ts': { parts: ['translation', 'translation-operations'] },
  'contract-codec.gen.ts': {
    parts: ['contract-codec', 'contract-containers', 'contract-types', 'contract-limits'],
    imports: [`import { isReadable } from './validation.gen.ts'`],
  },
  'package-arbitraries.gen.ts': {
    parts: ['package-arbitrary'],
    imports: [
      NO_CHECK,
      `import type { Codec, Shape, Shaped } from './contract-codec.gen.ts'`,
      FAST_CHECK,
    ],
  },
  'packages.gen.ts': {
    parts: ['package-codec', 'package-types', 'package-ledger'],
    imports: [
      `import { DecodeError, fail, isFields, time, unfit } from './contract-codec.gen.ts'`,
      `import type { Codec, Json, Shape } from './contract-codec.gen.ts'`,
    ],
  },
} as const satisfies Readonly<Record<string, Support>>

export type SupportFile = keyof typeof SUPPORTS

const supportOf = (file: SupportFile): Support => SUPPORTS[file]

/** Text of a file of helpers, without marker. */
export function printSupport(file: SupportFile): string {
  const { parts, imports = [] } = supportOf(file)
  const head = imports.length === 0 ? '' : `${imports.join('\n')}\n\n`
  return head + parts.map(withoutImports).join('\n')
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

const exportsOf = once(({ parts }: Support) => {
  const text = parts.map(readPart).join('')
  const found = Array.from(
    text.matchAll(/^export (?:async )?(const|function|class|type|interface) (\w+)/gmu),
    ([, kind = '', name = '']) => ({ name, isType: kind === 'type' || kind === 'interface' }),
  )
  const named = (isType: boolean): readonly string[] =>
    [...new Set(found.filter((one) => one.isType === isType).map(({ name }) => name))].sort()
  return { values: named(false), types: named(true) }
})

/**
 * Imports of what printed code uses: from the files of helpers, which stand in `folder`, of the
 * types of its interface, and of its checks and lifts.
 */
export function printImports(code: string, files: readonly SupportFile[], folder = '../'): string {
  const used = freeNames(code)
  const own = [...used].filter((name) => /^(?:check|lift)_/u.test(name)).sort()
  const helpers = files.flatMap((file) => {
    const { values, types } = exportsOf(supportOf(file))
    return [
      importOf(
        'import',
        values.filter((name) => used.has(name)),
        folder + file,
      ),
      importOf(
        'import type',
        types.filter((name) => used.has(name)),
        folder + file,
      ),
    ]
  })
  return [
    ...helpers,
    used.has('types') ? `import type * as types from './types.gen.ts'\n` : '',
    importOf('import', own, './validators.gen.ts'),
  ].join('')
}
