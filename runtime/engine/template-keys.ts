// The keys of templates by name, where a store has columns: which there are, and of which type, is
// printed from spec/contracts.yaml.
import type { ContractRecord, KeyName } from '../store/store.ts'

/** A key under which active contracts of a template are found. */
export interface KeyType {
  /** The column in which a store keeps it. */
  readonly column: KeyName
  /** A value is a string, or a bigint, which is stored as its decimal text. */
  readonly kind: 'text' | 'integer'
}

type KeyValue<K> = K extends { readonly kind: 'integer' } ? bigint : string

/** Every key of a template's printed type `D`, with its value. */
export type KeyValues<D> = D extends { readonly keys: infer K }
  ? { readonly [Name in keyof K]: KeyValue<K[Name]> }
  : Readonly<Record<string, string | bigint>>

type OneOf<K> = {
  readonly [Name in keyof K]: { readonly [N in Name]: KeyValue<K[N]> } & {
    readonly [N in Exclude<keyof K, Name>]?: never
  }
}[keyof K]

/**
 * One key of a template and its value, or none, which is every contract: a store has an index for
 * each, and none for several.
 */
export type KeyFilter<D> =
  | (D extends { readonly keys: infer K } ? OneOf<K> : never)
  | { readonly [Name in KeyNameOf<D>]?: never }

export type KeyNameOf<D> = D extends { readonly keys: infer K } ? keyof K & string : string

/** The printed type of a template with this key. */
export interface KeyedBy<Name extends string, Kind extends KeyType['kind'] = 'text'> {
  readonly keys: { readonly [N in Name]: { readonly column: KeyName; readonly kind: Kind } }
}

type Keyed = { readonly name: string; readonly keys: Readonly<Record<string, KeyType>> }

/** Keys by name, as they were stored. */
export function storedKeys(
  { keys }: Keyed,
  contract: Pick<ContractRecord, KeyName>,
): Readonly<Record<string, string | bigint>> {
  return Object.fromEntries(
    Object.entries(keys).map(([name, { column, kind }]) => [
      name,
      kind === 'integer' ? BigInt(contract[column]) : contract[column],
    ]),
  )
}

/** The column of a key. Throws a TypeError where the template has none of this name. */
export function columnOf({ name, keys }: Keyed, key: string): KeyName {
  const found = Object.hasOwn(keys, key) ? keys[key] : undefined
  if (found === undefined) throw new TypeError(`${name} has no key '${key}'`)
  return found.column
}

/**
 * The key of a filter as a store is asked for it; undefined where the filter has none. Throws a
 * TypeError where it is no key of the template, or more than one.
 */
export function storedKey(
  template: Keyed,
  filter: object,
): { readonly name: KeyName; readonly value: string } | undefined {
  const [one, ...others] = Object.entries(filter)
  if (one === undefined) return undefined
  if (others.length > 0)
    throw new TypeError(`${template.name} is asked for by several keys at once`)
  const [name, value] = one
  return { name: columnOf(template, name), value: String(value) }
}
