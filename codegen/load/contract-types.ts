// Reads the types of the contracts document: records, variants, enums, and types in place.
import { typeNames } from '../contracts-ir.ts'
import type { MemberIr, NamedTypeIr, ShapeIr, TypeIr } from '../contracts-ir.ts'
import { given, isFields, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { readLimit } from './contract-limits.ts'
import { checkFields, define, described, report, TYPE_NAME } from './contract-sheet.ts'
import type { Sheet } from './contract-sheet.ts'
import type { Path } from './source.ts'
import { parseType } from './type-expression.ts'

const UNIT: TypeIr = { kind: 'scalar', name: 'Unit' }

export const FIELD_NAME = /^[a-z_][A-Za-z0-9_]*$/u

export function readNamedType(sheet: Sheet, name: string, value: unknown, path: Path): void {
  const item = checkFields(sheet, value, path, [
    'record',
    'variant',
    'enum',
    'maxBytes',
    'description',
  ])
  const [kind, ...others] = (['record', 'variant', 'enum'] as const).filter((key) =>
    Object.hasOwn(item, key),
  )
  if (kind === undefined || others.length > 0) {
    report(sheet, 'contract-key', `'${name}' is either a record, a variant or an enum`, path)
    return
  }
  const shape =
    kind === 'enum'
      ? readEnum(sheet, item[kind], [...path, kind])
      : readShape(sheet, kind, item[kind], [...path, kind])
  const maxBytes = readLimit(item, 'maxBytes', (key, message) =>
    report(sheet, 'contract-limit', message, [...path, key]),
  )
  addType(sheet, name, { shape, ...given({ maxBytes }) }, path, item)
}

type Definition = Pick<NamedTypeIr, 'shape' | 'maxBytes'>

function addType(
  sheet: Sheet,
  name: string,
  definition: Definition,
  path: Path,
  item: Fields = {},
): void {
  if (define(sheet, name, path))
    sheet.types.set(name, { name, ...described(sheet, item, path), ...definition })
}

function readEnum(sheet: Sheet, value: unknown, path: Path): ShapeIr {
  const names = Array.isArray(value) ? value.map((name) => text(name) ?? '') : []
  if (names.length === 0) report(sheet, 'contract-key', 'an enum lists its names', path)
  for (const [index, name] of names.entries()) {
    if (!TYPE_NAME.test(name))
      report(sheet, 'contract-name', `'${name}' is not a name of an enum's value`, [
        ...path,
        String(index),
      ])
    if (names.indexOf(name) < index)
      report(sheet, 'contract-name', `'${name}' is listed twice`, [...path, String(index)])
  }
  return { kind: 'enum', names }
}

function readShape(sheet: Sheet, kind: 'record' | 'variant', value: unknown, path: Path): ShapeIr {
  const members = readMembers(sheet, value, path, kind === 'record' ? FIELD_NAME : TYPE_NAME)
  if (kind === 'variant' && members.length === 0)
    report(sheet, 'contract-key', 'a variant lists its cases', path)
  return { kind, members }
}

/** Fields or cases, in the document's order. */
export function readMembers(
  sheet: Sheet,
  value: unknown,
  path: Path,
  form: RegExp,
): readonly MemberIr[] {
  if (!isFields(value)) {
    report(sheet, 'contract-key', 'expected an object of names and types', path)
    return []
  }
  return Object.entries(value).map(([name, type]) => {
    const place = [...path, name]
    if (!form.test(name) || name === '__proto__')
      report(sheet, 'contract-name', `'${name}' is not a name of a field or case here`, place)
    return { name, type: readType(sheet, type, place) }
  })
}

function readType(sheet: Sheet, value: unknown, path: Path): TypeIr {
  if (typeof value !== 'string') {
    report(sheet, 'contract-type', 'expected a type, such as Decimal or List<Party>', path)
    return UNIT
  }
  const parsed = parseType(value)
  if (!parsed.ok) {
    report(sheet, 'contract-type', `the type '${value}' ${parsed.problem}`, path)
    return UNIT
  }
  for (const name of typeNames(parsed.type)) sheet.uses.push({ name, path })
  return parsed.type
}

/** A type, or a record in place, which becomes a type called `name`. Absent: Unit. */
export function readTypeOrRecord(
  sheet: Sheet,
  item: Fields,
  key: string,
  name: string,
  path: Path,
): TypeIr {
  if (!Object.hasOwn(item, key)) return UNIT
  const place = [...path, key]
  if (!isFields(item[key])) return readType(sheet, item[key], place)
  addType(sheet, name, { shape: readShape(sheet, 'record', item[key], place) }, place)
  return { kind: 'named', name }
}
