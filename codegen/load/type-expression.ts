// Parses the type words of contracts.yaml: `Decimal`, `Coin?`, `Map<Party, List<Text>>`.
import type { ScalarName, TypeIr } from '../contracts-ir.ts'

const SCALARS: readonly ScalarName[] = ['Party', 'Text', 'ContractId', 'Int', 'Decimal', 'Bool', 'Time', 'RelTime', 'Round', 'Unit']
const OF_ONE: ReadonlyMap<string, 'list' | 'set' | 'textMap'> = new Map([['List', 'list'], ['Set', 'set'], ['TextMap', 'textMap']])
const OF_TWO: ReadonlyMap<string, 'map' | 'pair'> = new Map([['Map', 'map'], ['Pair', 'pair']])
const NEST_LIMIT = 20

/** Words that mean a type already, so that no definition may be called so. */
export const BUILT_IN: ReadonlySet<string> = new Set<string>([...SCALARS, ...OF_ONE.keys(), ...OF_TWO.keys()])

export type ParsedType = { readonly ok: true; readonly type: TypeIr } | { readonly ok: false; readonly problem: string }

class Misread extends Error {}

/** Reads a type expression. Names are not looked up; `typeNames` lists them. */
export function parseType(source: string): ParsedType {
  const tokens = source.match(/[A-Za-z_][A-Za-z0-9_]*|[^\sA-Za-z_]/gu) ?? []
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
  if (cursor.tokens[cursor.at] === '?') throw new Misread(`has '??': null cannot say which of two optionals is empty`)
  if (level === 0 && cursor.at < cursor.tokens.length) throw new Misread(`has '${cursor.tokens[cursor.at] ?? ''}' after its end`)
  return isOptional ? { kind: 'optional', of: type } : type
}

function readPlain(cursor: Cursor, level: number): TypeIr {
  const word = cursor.tokens[cursor.at] ?? ''
  if (!/^[A-Za-z_]/u.test(word)) throw new Misread(word === '' ? 'ends too early' : `has '${word}' where a type should be`)
  cursor.at += 1
  const one = OF_ONE.get(word)
  const two = OF_TWO.get(word)
  if (one !== undefined) return readArguments(cursor, level, (next) => ({ kind: one, of: next() }))
  if (two !== undefined) return readArguments(cursor, level, (next) => readTwo(cursor, two, next))
  const scalar = SCALARS.find((name) => name === word)
  return scalar === undefined ? { kind: 'named', name: word } : { kind: 'scalar', name: scalar }
}

function readTwo(cursor: Cursor, kind: 'map' | 'pair', next: () => TypeIr): TypeIr {
  const first = next()
  expect(cursor, ',')
  return { kind, first, second: next() }
}

function readArguments(cursor: Cursor, level: number, read: (next: () => TypeIr) => TypeIr): TypeIr {
  expect(cursor, '<')
  const type = read(() => readType(cursor, level + 1))
  expect(cursor, '>')
  return type
}

function expect(cursor: Cursor, token: string): void {
  const found = cursor.tokens[cursor.at]
  if (found === undefined) throw new Misread(`ends where '${token}' should be (inside { } a type with a comma needs quotes)`)
  if (found !== token) throw new Misread(`has '${found}' where '${token}' should be`)
  cursor.at += 1
}
