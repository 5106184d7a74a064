// Kinds of null, booleans, listed values, bytes and of what no schema describes.
import { flat, ownFlaw, remembered, typeFlaw } from './arbitrary.ts'
import type { At, FlawChoice, JsonType, Kind } from './arbitrary.ts'
import type { Arbitrary } from 'fast-check'

export function nil(): Kind<null> {
  return { valid: ({ fc }) => fc.constant(null), flaws: (at) => typeFlaw(at, 'null') }
}

export function bool(): Kind<boolean> {
  return { valid: ({ fc }) => fc.boolean(), flaws: (at) => typeFlaw(at, 'boolean') }
}

/** No value at all: the schema `false`. */
export function nothing(): Kind<never> {
  return { valid: () => undefined, flaws: () => [] }
}

const anyValues = remembered(({ fc, text }): Arbitrary<unknown> => {
  const word = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/u)
  if (text !== undefined) return word
  const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null))
  return fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 2 }),
    fc.dictionary(word, leaf, { maxKeys: 2, noNullPrototype: true }),
  )
})

/** Any JSON value: the schema `true`. */
export function anything(): Kind<unknown> {
  return { valid: (at) => anyValues(flat(at)), flaws: () => [] }
}

/** Binary content. */
export function bytes(): Kind<Uint8Array> {
  return { valid: ({ fc }) => fc.uint8Array({ maxLength: 64 }), flaws: () => [] }
}

/** One of the listed values. */
export function pick<const T extends readonly unknown[]>(...values: T): Kind<T[number]>
export function pick(...values: readonly unknown[]): Kind<unknown> {
  const types = [...new Set(values.map(typeOfJson))]
  return {
    valid: ({ fc }) => (values.length === 0 ? undefined : fc.constantFrom(...values)),
    flaws: (at) => [...typeFlaw(at, ...types), ...otherFlaws(at, values, types)],
  }
}

function otherFlaws(
  at: At,
  values: readonly unknown[],
  types: readonly JsonType[],
): readonly FlawChoice[] {
  const listed = new Set(values.map(canonicalText))
  const candidates = types.flatMap((type): readonly unknown[] => {
    if (type === 'string') return ['not-listed', 'Unlisted0', '0-unlisted']
    if (type === 'number') return [-7919, 104_729, 15_485_863]
    return type === 'boolean' && at.text === undefined ? [true, false] : []
  })
  const others = candidates.filter((value) => !listed.has(canonicalText(value)))
  return others.length === 0
    ? []
    : ownFlaw(at.fc.constantFrom(...others), values.length === 1 ? 'const' : 'enum')
}

/** The JSON type of a value. */
export function typeOfJson(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'boolean' || type === 'string' || type === 'object' ? type : 'number'
}

/**
 * A text that equal JSON values share, whatever the order of their members; a number equals the
 * bigint of its size.
 */
export function canonicalText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`,
  )
  return `{${members.sort().join()}}`
}
