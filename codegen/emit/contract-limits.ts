// Prints the limits of contract types: limited texts get a constant each, collections are wrapped
// in place.
import type { DefaultLimits, LimitedKind, TypeIr } from '../contracts-ir.ts'

/** Limits of a document for its printed file. */
export interface LimitSheet {
  readonly defaults: DefaultLimits | undefined
  /** Whether all texts have to be readable. */
  readonly isReadable: boolean
  /** `text280`: the codec that it stands for. */
  readonly constants: Map<string, string>
}

const KINDS: Readonly<Record<string, LimitedKind>> = {
  Text: 'Text',
  Party: 'Party',
  ContractId: 'ContractId',
  list: 'List',
  set: 'Set',
  textMap: 'TextMap',
  map: 'Map',
}

/** The codec of a scalar: the constant of its rules where it has some. */
export function limitedScalar(
  sheet: LimitSheet,
  type: TypeIr & { readonly kind: 'scalar' },
): string {
  const codec = type.name.charAt(0).toLowerCase() + type.name.slice(1)
  const limit = limitOf(sheet, type.name, type.limit)
  const limited = limit === undefined ? codec : `maxLength(${codec}, ${limit})`
  const isReadable = sheet.isReadable && type.name === 'Text'
  if (limit === undefined && !isReadable) return codec
  const constant = `${codec}${limit ?? 's'}`
  sheet.constants.set(constant, isReadable ? `readable(${limited})` : limited)
  return constant
}

/** The codec of a collection, within its limit. */
export function limitedItems(
  sheet: LimitSheet,
  type: { readonly kind: string; readonly limit?: number },
  codec: string,
): string {
  const limit = limitOf(sheet, type.kind, type.limit)
  return limit === undefined ? codec : `maxItems(${codec}, ${limit})`
}

/** The further argument of a text map's codec: its keys are texts like others. */
export function limitedKeys(sheet: LimitSheet): string {
  return sheet.defaults === undefined && !sheet.isReadable
    ? ''
    : `, ${limitedScalar(sheet, { kind: 'scalar', name: 'Text' })}`
}

/** The codec of a named type, within its bytes. */
export function limitedBytes(maxBytes: number | undefined, codec: string): string {
  return maxBytes === undefined ? codec : `maxBytes(${codec}, ${maxBytes})`
}

/** The constants that were used, sorted; '' without any. */
export function printLimitConstants({ constants }: LimitSheet): string {
  const sorted = [...constants].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([name, codec]) => `const ${name} = ${codec}\n`).join('')
}

function limitOf(sheet: LimitSheet, kind: string, own: number | undefined): number | undefined {
  const limited = KINDS[kind]
  return limited === undefined ? undefined : (own ?? sheet.defaults?.[limited])
}
