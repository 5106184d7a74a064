// Names in generated code: identifiers for schemas and operations, the same for the same document
// whatever its key order.
import type { InterfaceIr } from '../ir.ts'
import { compareText } from '../values.ts'

/** Names that generated type files use themselves; a schema called so gets a suffix. */
const TAKEN: ReadonlySet<string> = new Set([
  'Array',
  'AsyncIterable',
  'BigInt',
  'Blob',
  'Boolean',
  'ClientOptions',
  'Date',
  'Error',
  'Exclude',
  'Extract',
  'File',
  'Map',
  'Number',
  'Object',
  'Omit',
  'Partial',
  'Pick',
  'Promise',
  'Readonly',
  'ReadonlyArray',
  'Record',
  'Required',
  'Set',
  'String',
  'Symbol',
  'Uint8Array',
])

/**
 * Upper camel case of any text: `get-user_by.id` becomes `GetUserById`, `größe` `Größe`. Never
 * empty, never starts with a digit.
 */
export function pascal(value: string): string {
  const name = value
    .normalize('NFC')
    .split(/[^\p{L}\p{Nd}]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return /^\p{ID_Start}/u.test(name) ? name : `N${name}`
}

/** Emitted type name of every component schema. */
export function schemaTypeNames(ir: InterfaceIr): ReadonlyMap<string, string> {
  return uniqueNames(Object.keys(ir.schemas), 'Schema')
}

/** Base of an operation's type names (`GetUser` of `GetUserInput`), by operation id. */
export function operationTypeNames(ir: InterfaceIr): ReadonlyMap<string, string> {
  return uniqueNames(
    ir.operations.map((operation) => operation.operationId),
    'Operation',
  )
}

function uniqueNames(names: readonly string[], suffix: string): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  const used = new Set<string>()
  const counts = new Map<string, number>()
  const ranked = names.map((name) => ({ name, asType: pascal(name) }))
  // A name that is an identifier already keeps it; the others give way.
  const rank = ({ name, asType }: (typeof ranked)[number]): number => (asType === name ? 0 : 1)
  ranked.sort((a, b) => rank(a) - rank(b) || compareText(a.name, b.name))
  for (const { name, asType } of ranked) {
    const wanted = TAKEN.has(asType) ? `${asType}${suffix}` : asType
    let free = wanted
    let count = counts.get(wanted) ?? 1
    while (used.has(free)) free = `${wanted}${suffix}${(count += 1)}`
    counts.set(wanted, count)
    used.add(free)
    given.set(name, free)
  }
  return given
}
