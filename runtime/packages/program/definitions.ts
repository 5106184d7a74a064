// Packages of the contract language, and what their modules define. All of it is read on first use:
// a package costs its bytes until somebody asks for a definition. Code is decoded each time that it
// is asked for, and nobody keeps it but the caller. Both throw MalformedArchive, but for packages
// that were checked.
import type { Code } from './expressions.ts'
import type { Types } from './type-table.ts'
import type { Reference, SynonymDefinition, Type, TypeParameter } from './types.ts'

/** Decodes code; the caller keeps what it makes of it. */
export type ReadCode = () => Code

export interface Field {
  readonly name: string
  readonly type: Type
}

/** `indexes` says where a field or constructor is. */
export type DataShape =
  | {
      readonly kind: 'record'
      readonly fields: readonly Field[]
      readonly indexes: ReadonlyMap<string, number>
    }
  | {
      readonly kind: 'variant'
      readonly constructors: readonly Field[]
      readonly indexes: ReadonlyMap<string, number>
    }
  | {
      readonly kind: 'enum'
      readonly constructors: readonly string[]
      readonly indexes: ReadonlyMap<string, number>
    }
  | { readonly kind: 'interface' }

export interface DataDefinition {
  readonly reference: Reference
  readonly parameters: readonly TypeParameter[]
  readonly serializable: boolean
  readonly shape: DataShape
}

export interface ValueDefinition {
  readonly reference: Reference
  readonly type: Type
  /** Without parameters. */
  readonly code: ReadCode
}

export interface ChoiceDefinition {
  readonly name: string
  readonly consuming: boolean
  readonly argument: Type
  readonly result: Type
  /** Parameters: the contract's payload, or the interface's value; then the argument. */
  readonly controllers: ReadCode
  /** Likewise. */
  readonly observers: ReadCode
  /** Parameters: payload or interface value, argument, contract id. */
  readonly update: ReadCode
}

/** A template's part of an interface; every code has the payload as its parameter. */
export interface Implementation {
  readonly interface: Reference
  readonly methods: ReadonlyMap<string, { readonly code: ReadCode }>
  readonly view: ReadCode
}

/** Every code has the payload as its parameter. */
export interface TemplateDefinition {
  readonly reference: Reference
  readonly precondition: ReadCode | undefined
  readonly signatories: ReadCode
  readonly observers: ReadCode
  readonly choices: ReadonlyMap<string, ChoiceDefinition>
  /** Keys are texts of the interfaces' references. */
  readonly implementations: ReadonlyMap<string, Implementation>
}

export interface InterfaceDefinition {
  readonly reference: Reference
  readonly requires: readonly Reference[]
  readonly methods: ReadonlyMap<string, Field>
  readonly choices: ReadonlyMap<string, ChoiceDefinition>
  readonly view: Type
}

export interface ExceptionDefinition {
  readonly reference: Reference
  /** Without parameters: evaluates to a function from the exception to a text. */
  readonly message: ReadCode
}

/** Definitions by name, each read when it is first asked for. */
export type Definitions<T> = ReadonlyMap<string, () => T>

export interface Module {
  readonly name: string
  readonly synonyms: Definitions<SynonymDefinition>
  readonly dataTypes: Definitions<DataDefinition>
  readonly values: Definitions<ValueDefinition>
  readonly templates: Definitions<TemplateDefinition>
  readonly interfaces: Definitions<InterfaceDefinition>
  readonly exceptions: Definitions<ExceptionDefinition>
}

export interface Package {
  readonly packageId: string
  readonly name: string
  readonly version: string
  /** The language's version, such as `2.1`. */
  readonly languageVersion: string
  readonly modules: ReadonlyMap<string, Module>
}

/**
 * Packages that refer to each other, by id. The methods answer the definition of that name and
 * throw MalformedArchive where there is none; the same reference always gives the same object.
 */
export interface Program {
  readonly packages: ReadonlyMap<string, Package>
  readonly types: Types
  reference(packageId: string, module: string, name: string): Reference
  dataType(reference: Reference): DataDefinition
  value(reference: Reference): ValueDefinition
  template(reference: Reference): TemplateDefinition
  interface(reference: Reference): InterfaceDefinition
  exception(reference: Reference): ExceptionDefinition
}
