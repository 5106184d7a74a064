// What reading the contracts document gathers, and how its objects and names are checked.
import type { NamedTypeIr, PackageIr } from '../contracts-ir.ts'
import type { Finding } from '../findings.ts'
import { isFields, sortedEntries, text } from '../values.ts'
import type { Fields } from '../values.ts'
import type { Path, Source } from './source.ts'
import { BUILT_IN } from './type-expression.ts'

/** Names that the generated file gives a meaning of its own. */
const TAKEN: ReadonlySet<string> = new Set([
  'AnyInterfaceType',
  'AnyTemplateType',
  'ChoiceType',
  'Codec',
  'InterfaceType',
  'Readonly',
  'ReadonlyMap',
  'Record',
  'TemplateType',
])

export const TYPE_NAME = /^[A-Z][A-Za-z0-9_]*$/u

/** Data that loading gathers. */
export interface Sheet {
  readonly source: Source
  readonly findings: Finding[]
  readonly packages: Map<string, PackageIr>
  readonly types: Map<string, NamedTypeIr>
  /** Definitions of generated identifiers, by name. */
  readonly defined: Map<string, Path>
  /** Names that types use, to be looked up when all are known. */
  readonly uses: { readonly name: string; readonly path: Path }[]
}

export function report(sheet: Sheet, rule: string, message: string, path: Path): void {
  sheet.findings.push({ severity: 'error', rule, message, at: sheet.source.place(path) })
}

/** The object at a path without its unknown keys. */
export function checkFields(
  sheet: Sheet,
  value: unknown,
  path: Path,
  known: readonly string[],
  needed: readonly string[] = [],
): Fields {
  if (!isFields(value)) {
    report(sheet, 'contract-key', `expected an object with ${known.join(', ')}`, path)
    return {}
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      report(sheet, 'contract-key', `unknown key '${key}'; known are ${known.join(', ')}`, [
        ...path,
        key,
      ])
  }
  for (const key of needed) {
    if (!Object.hasOwn(value, key)) report(sheet, 'contract-key', `'${key}' is missing`, path)
  }
  return Object.fromEntries(
    known.filter((key) => Object.hasOwn(value, key)).map((key) => [key, value[key]]),
  )
}

/** Entries of an optional object, sorted by key, each with its path. */
export function entriesAt(
  sheet: Sheet,
  value: unknown,
  path: Path,
): readonly (readonly [string, unknown, Path])[] {
  if (value === undefined) return []
  if (isFields(value)) return sortedEntries(value).map(([key, item]) => [key, item, [...path, key]])
  report(sheet, 'contract-key', 'expected an object', path)
  return []
}

/** Takes an identifier of the generated file; false where that is not possible. */
export function define(sheet: Sheet, name: string, path: Path): boolean {
  const former = sheet.defined.get(name)
  if (!TYPE_NAME.test(name))
    report(
      sheet,
      'contract-name',
      `'${name}' is not a type name: an upper-case letter, then letters, digits, '_'`,
      path,
    )
  else if (BUILT_IN.has(name) || TAKEN.has(name))
    report(sheet, 'contract-name', `'${name}' has a meaning of its own`, path)
  else if (former !== undefined)
    report(
      sheet,
      'contract-name',
      `'${name}' is defined twice, the other at line ${lineOf(sheet, former)}`,
      path,
    )
  else {
    sheet.defined.set(name, path)
    return true
  }
  return false
}

function lineOf(sheet: Sheet, path: Path): number {
  return sheet.source.place(path).line
}

export function described(
  sheet: Sheet,
  item: Fields,
  path: Path,
): { readonly description?: string } {
  const description = text(item['description'])
  if (Object.hasOwn(item, 'description') && description === undefined)
    report(sheet, 'contract-key', "'description' is not text", [...path, 'description'])
  return description === undefined ? {} : { description }
}
