// The generator's form of spec/contracts.yaml: every name resolved, records in place lifted to
// named types.

export type ScalarName =
  | 'Party'
  | 'Text'
  | 'ContractId'
  | 'Int'
  | 'Decimal'
  | 'Bool'
  | 'Time'
  | 'RelTime'
  | 'Round'
  | 'Unit'
  /** Of packages alone: texts. */
  | 'Numeric'
  | 'Date'
  | 'Timestamp'

/**
 * A type expression. `named` is one of `ContractsIr.types` or a template's payload. `limit`:
 * characters of a text, items of a collection; what is absent takes the document's default, where
 * it has defaults.
 */
export type TypeIr =
  | {
      readonly kind: 'scalar'
      readonly name: ScalarName
      readonly limit?: number
      /** Places of a numeric. */
      readonly scale?: number
      /** The contracts that ids are of, where the source says so. */
      readonly of?: TypeIr
    }
  | {
      readonly kind: 'named'
      readonly name: string
      /** A parameter of the type that it stands in. */
      readonly isVariable?: true
      readonly arguments?: readonly TypeIr[]
      /** The codec's name, where it is another one. */
      readonly codec?: string
    }
  | { readonly kind: 'optional'; readonly of: TypeIr }
  | { readonly kind: 'list' | 'set' | 'textMap'; readonly of: TypeIr; readonly limit?: number }
  | {
      readonly kind: 'map'
      readonly first: TypeIr
      readonly second: TypeIr
      readonly limit?: number
    }
  | { readonly kind: 'pair'; readonly first: TypeIr; readonly second: TypeIr }

/** Kinds of values with a limit: texts count characters, collections items. */
export type LimitedKind = 'Text' | 'Party' | 'ContractId' | 'List' | 'Set' | 'TextMap' | 'Map'

export type DefaultLimits = Readonly<Record<LimitedKind, number>>

/** A field of a record or a case of a variant. */
export interface MemberIr {
  readonly name: string
  readonly type: TypeIr
}

export type ShapeIr =
  | { readonly kind: 'record' | 'variant'; readonly members: readonly MemberIr[] }
  | { readonly kind: 'enum'; readonly names: readonly string[] }

export interface NamedTypeIr {
  readonly name: string
  readonly description?: string
  /** Members and names in the document's order: it is the order in which they are written. */
  readonly shape: ShapeIr
  /** Bytes of the value's JSON text. */
  readonly maxBytes?: number
}

export interface PackageIr {
  readonly name: string
  readonly version: string
  /** SHA-256 of `name-version` in hexadecimal. */
  readonly id: string
}

export interface ChoiceIr {
  readonly name: string
  readonly description?: string
  readonly consuming: boolean
  readonly argument: TypeIr
  readonly result: TypeIr
}

/** The common part of templates and interfaces. */
export interface EntityIr {
  readonly name: string
  readonly description?: string
  readonly package: PackageIr
  readonly module: string
  readonly choices: readonly ChoiceIr[]
}

export interface InterfaceTypeIr extends EntityIr {
  readonly view: TypeIr
}

/** The column in which a store keeps a key: it finds active contracts by each of three. */
export type KeyColumn = 1 | 2 | 3

/** A key under which active contracts of a template are found. */
export interface KeyIr {
  readonly name: string
  readonly column: KeyColumn
  /** The kind of its value in memory. */
  readonly kind: 'text' | 'integer'
}

export interface TemplateIr extends EntityIr {
  readonly payload: readonly MemberIr[]
  /** Keys in the document's order. */
  readonly keys: readonly KeyIr[]
  /** Names of interfaces. */
  readonly interfaces: readonly string[]
}

/** Lists are sorted by name. */
export interface ContractsIr {
  /** Limits of everything that names none; absent: then it has none. */
  readonly limits?: DefaultLimits
  /** The format of all texts that are written. */
  readonly texts?: 'readable'
  readonly packages: readonly PackageIr[]
  readonly types: readonly NamedTypeIr[]
  readonly interfaces: readonly InterfaceTypeIr[]
  readonly templates: readonly TemplateIr[]
}

/** Every name in a type that is no built-in word. */
export function typeNames(type: TypeIr): readonly string[] {
  switch (type.kind) {
    case 'scalar':
      return []
    case 'named':
      return [type.name, ...(type.arguments ?? []).flatMap(typeNames)]
    case 'map':
    case 'pair':
      return [...typeNames(type.first), ...typeNames(type.second)]
    default:
      return typeNames(type.of)
  }
}
