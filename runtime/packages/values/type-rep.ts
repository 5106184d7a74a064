// Types as values: compared in the language's order of types. A type is kept as the sequence of its
// parts in pre-order, so nothing here depends on how deep it is.
import { compareText } from './text.ts'
import type { BuiltinTypeName } from '../program/builtin-types.ts'
import type { Reference } from '../program/types.ts'

/** A part of a type; a structural type is followed by the types of its fields. */
export type TypePart =
  | { readonly kind: 'builtin'; readonly name: BuiltinTypeName }
  | { readonly kind: 'constructor'; readonly reference: Reference }
  | { readonly kind: 'nat'; readonly value: number }
  | { readonly kind: 'struct'; readonly names: readonly string[] }
  /** Followed by the function and the argument. */
  | { readonly kind: 'application' }

/** Built-in types in their order. */
const BUILTIN_TYPES = [
  'Unit',
  'Bool',
  'Int64',
  'Text',
  'Timestamp',
  'Party',
  'List',
  'Update',
  'Date',
  'ContractId',
  'Optional',
  'Arrow',
  'TextMap',
  'Numeric',
  'Any',
  'TypeRep',
  'GenMap',
  'AnyException',
  'FailureCategory',
] as const satisfies readonly BuiltinTypeName[]

const KINDS = ['builtin', 'constructor', 'nat', 'struct', 'application'] as const

export class TypeRep {
  readonly parts: readonly TypePart[]
  /** The same text for the same type, another for another; of a name, its text. */
  readonly key: string

  constructor(parts: readonly TypePart[]) {
    this.parts = parts
    this.key = parts.map(textOf).join(' ')
  }
}

/** Negative, zero or positive as the first type comes before, with or after the second. */
export function compareTypes(a: TypeRep, b: TypeRep): number {
  if (a.key === b.key) return 0
  for (const [at, part] of a.parts.entries()) {
    const other = b.parts[at]
    const order = other === undefined ? 1 : compareParts(part, other)
    if (order !== 0) return order
  }
  return -1
}

function compareParts(a: TypePart, b: TypePart): number {
  if (a.kind === 'builtin' && b.kind === 'builtin')
    return BUILTIN_TYPES.indexOf(a.name) - BUILTIN_TYPES.indexOf(b.name)
  if (a.kind === 'nat' && b.kind === 'nat') return a.value - b.value
  if (a.kind === 'struct' && b.kind === 'struct') return compareTexts(a.names, b.names)
  if (a.kind === 'constructor' && b.kind === 'constructor')
    return compareNames(a.reference, b.reference)
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
}

/** Names by package, module and entity. */
export function compareNames(a: Reference, b: Reference): number {
  return compareTexts([a.packageId, a.module, a.name], [b.packageId, b.module, b.name])
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  for (const [at, text] of a.entries()) {
    const other = b[at]
    const order = other === undefined ? 1 : compareText(text, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function textOf(part: TypePart): string {
  switch (part.kind) {
    case 'builtin':
      return part.name
    case 'constructor':
      return part.reference.text
    case 'nat':
      return String(part.value)
    case 'struct':
      return `<${part.names.join(',')}>`
    case 'application':
      return '@'
  }
}
