// Kinds and types of the contract language. Synonyms are expanded and the fields of structs sorted
// before anybody sees a type, and each type exists once, so that equal types are the same object.
import type { BuiltinTypeName } from './builtin-types.ts'

/** Range of a type variable; functions of types are arrows. */
export type Kind =
  | { readonly kind: 'star' }
  | { readonly kind: 'nat' }
  | {
      readonly kind: 'arrow'
      readonly parameter: Kind
      readonly result: Kind
      /** Arrows inside each other. */
      readonly depth: number
    }

/** A definition's name, the same object wherever it is referred to. */
export interface Reference {
  readonly packageId: string
  readonly module: string
  readonly name: string
  /** `<package id>:<Module>:<Entity>`. */
  readonly text: string
}

interface Measured {
  /** Nodes of the type as a tree. */
  readonly size: number
  readonly depth: number
  /** True where a variable occurs that the type does not bind. */
  readonly open: boolean
}

export interface VariableType extends Measured {
  readonly kind: 'variable'
  readonly name: string
  readonly arguments: readonly Type[]
}

/** A number as an argument of `Numeric`. */
export interface NatType extends Measured {
  readonly kind: 'nat'
  readonly value: number
}

export interface BuiltinType extends Measured {
  readonly kind: 'builtin'
  readonly name: BuiltinTypeName
  /** As many as the type has, or fewer where a function of types is meant. */
  readonly arguments: readonly Type[]
}

/** A record, variant, enum or interface that a package defines. */
export interface ConstructorType extends Measured {
  readonly kind: 'constructor'
  readonly reference: Reference
  readonly arguments: readonly Type[]
}

export interface ForallType extends Measured {
  readonly kind: 'forall'
  readonly parameter: TypeParameter
  readonly body: Type
}

export interface StructType extends Measured {
  readonly kind: 'struct'
  readonly shape: StructShape
  /** The shape's order; a synonym's are made when they are asked for. */
  readonly types: readonly Type[]
  /** The synonym that it was written as. */
  readonly synonym?: Synonym
}

/** A name for a type; `type` is what it stands for. */
export interface SynonymDefinition {
  readonly reference: Reference
  readonly parameters: readonly TypeParameter[]
  readonly type: Type
}

export interface Synonym {
  readonly definition: SynonymDefinition
  readonly arguments: readonly Type[]
}

export type Type = VariableType | NatType | BuiltinType | ConstructorType | ForallType | StructType

export interface TypeParameter {
  readonly name: string
  readonly kind: Kind
}

/** The fields of a struct, sorted by name; the same object for the same names. */
export interface StructShape {
  readonly names: readonly string[]
  /** Places of the fields among the names. */
  readonly indexes: ReadonlyMap<string, number>
}
