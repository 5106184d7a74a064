// Parses the type words of contracts.yaml: `Decimal`, `Coin?`, `Text(280)`, `Map<Party,
// List<Text>(10)>`.
import type { ScalarName, TypeIr } from '../contracts-ir.ts'

const SCALARS: readonly ScalarName[] = [
  'Party',
  'Text',
  'ContractId',
  'Int',
  'Decimal',
  'Bool',
  'Time',
  'RelTime',
  'Round',
  'Unit',
]
const OF_ONE: ReadonlyMap<string, 'list' | 'set' | 'textMap'> = new Map([
  ['List', 'list'],
  ['Set', 'set'],
  ['TextMap', 'textMap'],
])
const OF_TWO: ReadonlyMap<string, 'map' | 'pair'> = new Map([
  ['Map', 'map'],
  ['Pair', 'pair'],
])
const TEXTUAL: ReadonlySet<ScalarName> = new Set(['Party', 'Text', 'ContractId'])
const NEST_LIMIT = 20
const LIMIT_FORM = /^[1-9]\d{0,8}$/u

/** Words that mean a type already, so that no definition may be called so. */
export const BUILT_IN: ReadonlySet<string> = new Set<string>([
  ...SCALARS,
  ...OF_ONE.keys(),
  ...OF_TWO.keys(),
])

type ParsedType =
  { readonly ok: true; readonly type: TypeIr } | { readonly ok: false; readonly problem: string }

class Misread extends Error {}

/** Reads a type expression. Names are not looked up; `typeNames` lists them. */
export function parseType(source: string): ParsedType {
  const tokens = source.match(/[A-Za-z_][A-Za-z0-9_]*|\d+|[^\sA-Za-z_]/gu) ?? []
  try {
    const type = readType({ tokens, at: 0 }, 0)
    return { ok: true, type }
  } catch (error) {
    if (error instanceof Misread) return { ok: false, problem: error.message }
    throw error
  }
}

interface Cursor {
  readonly tokens: readonly string[]
  at: number
}

function readType(cursor: Cursor, level: number): TypeIr {
  if (level > NEST_LIMIT) throw new Misread(`is nested more than ${NEST_LIMIT} levels deep`)
  const type = readPlain(cursor, level)
  const isOptional = cursor.tokens[cursor.at] === '?'
  if (isOptional) cursor.at += 1
  if (cursor.tokens[cursor.at] === '?')
    throw new Misread(`has '??': null cannot say which of two optionals is empty`)
  if (level === 0 && cursor.at < cursor.tokens.length)
    throw new Misread(`has '${cursor.tokens[cursor.at] ?? ''}' after its end`)
  return isOptional ? { kind: 'optional', of: type } : type
}

function readPlain(cursor: Cursor, level: number): TypeIr {
  const word = cursor.tokens[cursor.at] ?? ''
  if (!/^[A-Za-z_]/u.test(word))
    throw new Misread(word === '' ? 'ends too early' : `has '${word}' where a type should be`)
  cursor.at += 1
  const one = OF_ONE.get(word)
  const two = OF_TWO.get(word)
  if (one !== undefined) {
    return {
      ...readArguments(cursor, level, (next) => ({ kind: one, of: next() })),
      ...readLimit(cursor),
    }
  }
  if (two !== undefined) {
    const type = readArguments(cursor, level, (next) => ({ kind: two, ...readTwo(cursor, next) }))
    return two === 'map' ? { ...type, kind: two, ...readLimit(cursor) } : { ...type, kind: two }
  }
  const scalar = SCALARS.find((name) => name === word)
  if (scalar === undefined) return { kind: 'named', name: word }
  return { kind: 'scalar', name: scalar, ...(TEXTUAL.has(scalar) ? readLimit(cursor) : {}) }
}

function readTwo(
  cursor: Cursor,
  next: () => TypeIr,
): { readonly first: TypeIr; readonly second: TypeIr } {
  const first = next()
  expect(cursor, ',')
  return { first, second: next() }
}

/** `(280)`, where it stands. */
function readLimit(cursor: Cursor): { readonly limit?: number } {
  if (cursor.tokens[cursor.at] !== '(') return {}
  const number = cursor.tokens[cursor.at + 1] ?? ''
  if (!LIMIT_FORM.test(number)) throw new Misread(`has '${number}' where a limit should be`)
  cursor.at += 2
  expect(cursor, ')')
  return { limit: Number(number) }
}

function readArguments<T>(cursor: Cursor, level: number, read: (next: () => TypeIr) => T): T {
  expect(cursor, '<')
  const type = read(() => readType(cursor, level + 1))
  expect(cursor, '>')
  return type
}

function expect(cursor: Cursor, token: string): void {
  const found = cursor.tokens[cursor.at]
  if (found === undefined)
    throw new Misread(
      `ends where '${token}' should be (inside { } a type with a comma needs quotes)`,
    )
  if (found !== token) throw new Misread(`has '${found}' where '${token}' should be`)
  cursor.at += 1
}
