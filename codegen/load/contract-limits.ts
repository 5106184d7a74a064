// Reads the limits of contracts.yaml: the defaults of the document and the bytes of a named type.
import type { DefaultLimits, LimitedKind } from '../contracts-ir.ts'
import type { Fields } from '../values.ts'

/** The keys of `limits`: a document with limits has all of them, so that nothing is forgotten. */
export const LIMITED_KINDS: readonly LimitedKind[] = [
  'Text',
  'Party',
  'ContractId',
  'List',
  'Set',
  'TextMap',
  'Map',
]
/** A larger limit is none. */
const LARGEST = 999_999_999

/** Says what is wrong, under the key that is wrong. */
type Report = (key: string, message: string) => void

/** The document's defaults, given that each has its key; what is no limit is reported. */
export function readLimits(fields: Fields, report: Report): DefaultLimits {
  const limit = (kind: LimitedKind): number => readLimit(fields, kind, report) ?? 0
  return {
    Text: limit('Text'),
    Party: limit('Party'),
    ContractId: limit('ContractId'),
    List: limit('List'),
    Set: limit('Set'),
    TextMap: limit('TextMap'),
    Map: limit('Map'),
  }
}

/**
 * A limit under a key; undefined where there is none, which is reported unless the key is absent.
 */
export function readLimit(fields: Fields, key: string, report: Report): number | undefined {
  const value = fields[key]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= LARGEST)
    return value
  report(key, `a limit is a whole number from 1 to ${LARGEST}`)
  return undefined
}
