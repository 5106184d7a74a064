// The forms that values of keywords have: what lint calls them, what fits, and what the generator's
// own form makes of them.
import { isFields, items, text, texts } from '../values.ts'
import { TYPES } from './types.ts'

interface Form {
  /** The expected form of a value; absent if anything will do. */
  readonly wanted?: string
  readonly fits: (value: unknown) => boolean
  /** The value in the generator's own form; undefined: it is left out, or read by who knows it. */
  readonly read: (value: unknown) => unknown
}

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(TYPES)

const isLimit = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'
const numberOf = (value: unknown): unknown => (typeof value === 'number' ? value : undefined)
const limitOf = (value: unknown): unknown => (isLimit(value) ? value : undefined)
const elsewhere = (): undefined => undefined

export const FORMS = {
  text: { wanted: 'a text', fits: (value) => typeof value === 'string', read: text },
  count: {
    wanted: 'a whole number',
    fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
    read: numberOf,
  },
  step: {
    wanted: 'a number above 0',
    fits: (value) => typeof value === 'number' && value > 0,
    read: numberOf,
  },
  limit: { wanted: 'a number', fits: isLimit, read: limitOf },
  strictMinimum: {
    wanted: 'a number, or true beside minimum',
    fits: (value) => isLimit(value) || typeof value === 'boolean',
    read: limitOf,
  },
  strictMaximum: {
    wanted: 'a number, or true beside maximum',
    fits: (value) => isLimit(value) || typeof value === 'boolean',
    read: limitOf,
  },
  flag: {
    wanted: 'true or false',
    fits: (value) => typeof value === 'boolean',
    read: (value) => (value === true ? true : undefined),
  },
  type: {
    wanted: 'one of JSON’s types or a list of them',
    fits: (value) =>
      KNOWN_TYPES.has(value) ||
      (items(value).length > 0 && items(value).every((one) => KNOWN_TYPES.has(one))),
    read: elsewhere,
  },
  names: {
    wanted: 'a list of names',
    fits: (value) => Array.isArray(value) && texts(value).length === value.length,
    read: elsewhere,
  },
  values: { wanted: 'a list of values', fits: Array.isArray, read: elsewhere },
  object: { wanted: 'an object', fits: isFields, read: elsewhere },
  schemas: {
    wanted: 'a list of schemas',
    fits: (value) => items(value).length > 0,
    read: elsewhere,
  },
  schemaMap: { wanted: 'an object', fits: isFields, read: elsewhere },
  schema: { fits: () => true, read: elsewhere },
  places: { fits: () => true, read: elsewhere },
  examples: { fits: () => true, read: elsewhere },
  any: { fits: () => true, read: elsewhere },
} as const satisfies Readonly<Record<string, Form>>

export type FormName = keyof typeof FORMS

/** Forms of values that the generator's own form has as they are. */
export type ReadForm = {
  [F in FormName]: (typeof FORMS)[F]['read'] extends typeof elsewhere ? never : F
}[FormName]

/** The form of that name. */
export function formOf(name: FormName): Form {
  return FORMS[name]
}
