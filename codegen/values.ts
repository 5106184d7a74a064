// Narrowing of unknown values read from documents, and ordering that depends on no locale.

export type Fields = Readonly<Record<string, unknown>>

/** True for an object that is not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value's fields; none when it is no object. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The value's items; none when it is no array. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value when it is a text. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The texts of an array. */
export function texts(value: unknown): readonly string[] {
  return items(value).filter((item) => typeof item === 'string')
}

/** Compares by code units: -1, 0 or 1. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Entries with keys in code-unit order. */
export function sortedEntries<T>(
  value: Readonly<Record<string, T>>,
): readonly (readonly [string, T])[] {
  const entries = Object.entries(value)
  const isSorted = entries.every(
    ([key], index) => index === 0 || (entries[index - 1]?.[0] ?? '') <= key,
  )
  return isSorted ? entries : entries.sort(([a], [b]) => compareText(a, b))
}

/** A copy with every member's value changed. */
export function mapValues<T, R>(
  members: Readonly<Record<string, T>>,
  change: (value: T, key: string) => R,
): Readonly<Record<string, R>> {
  return Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, change(value, key)]),
  )
}

/** A copy with every object's keys in code-unit order. Arrays keep their order. */
export function sortDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortDeep)
  if (!isFields(value)) return value
  return Object.fromEntries(sortedEntries(value).map(([key, item]) => [key, sortDeep(item)]))
}

/** The `x-` keys of an object, sorted. */
export function extensions(value: Fields): Fields {
  return fields(
    sortDeep(Object.fromEntries(Object.entries(value).filter(([key]) => key.startsWith('x-')))),
  )
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** The members that are not undefined. */
export function given<T extends object>(members: T): Given<T>
export function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
