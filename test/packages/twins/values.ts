// Values of two ledgers that say the same in two vocabularies: how each is written for a ledger,
// and where they differ.
import { isMembers } from '../../../codegen/emit/support/translation.ts'
import type { Shaped } from '../../../generated/contract-codec.gen.ts'

/** A value as a type has it: what the type does not know is left out. */
export function fitted(value: unknown, { shape }: Shaped): unknown {
  if (value === null || value === undefined) return value
  if (shape.kind === 'optional') return fitted(value, shape.of)
  if (shape.kind === 'list' && Array.isArray(value))
    return value.map((each: unknown) => fitted(each, shape.of))
  if (shape.kind === 'map' && Array.isArray(value))
    return value.map((entry: unknown) =>
      Array.isArray(entry) ? [fitted(entry[0], shape.key), fitted(entry[1], shape.value)] : entry,
    )
  if (!isMembers(value)) return value
  if (shape.kind === 'textMap')
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, fitted(each, shape.of)]),
    )
  if (shape.kind === 'variant') {
    const of = shape.cases.get(value['tag'])
    return of === undefined ? value : { tag: value['tag'], value: fitted(value['value'], of) }
  }
  if (shape.kind !== 'record') return value
  const fields = shape.fields.filter(([name]) => Object.hasOwn(value, name))
  return Object.fromEntries(fields.map(([name, of]) => [name, fitted(value[name], of)]))
}

/** A value with its texts replaced. */
export function withTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((each: unknown) => withTexts(each, replace))
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withTexts(each, replace)]),
  )
}

/** A place where two values differ; `undefined` is nothing, and so is null. */
export interface Difference {
  /** Names of members, without the places in lists. */
  readonly at: string
  readonly ours: unknown
  readonly released: unknown
}

/** All places where two values differ. */
export function differences(ours: unknown, released: unknown, at = ''): readonly Difference[] {
  if ((ours ?? undefined) === (released ?? undefined)) return []
  if (Array.isArray(ours) && Array.isArray(released) && ours.length === released.length)
    return ours.flatMap((each: unknown, index) => differences(each, released[index], at))
  if (!isMembers(ours) || !isMembers(released)) return [{ at, ours, released }]
  const names = new Set([...Object.keys(ours), ...Object.keys(released)])
  return [...names].flatMap((name) =>
    differences(ours[name], released[name], at === '' ? name : `${at}.${name}`),
  )
}
