// Packages of the contract language, and what their modules define. All of it is read on first use:
// a package costs its bytes until somebody asks for a definition, and a definition's code is
// decoded when it is first looked at. A getter may therefore throw MalformedArchive for a package
// that was never checked.
import type { Code } from './expressions.ts'
import type { Reference, Type, TypeParameter } from './types.ts'

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

/** A name for a type; `type` is what it stands for. */
export interface SynonymDefinition {
  readonly reference: Reference
  readonly parameters: readonly TypeParameter[]
  readonly type: Type
}

export interface ValueDefinition {
  readonly reference: Reference
  readonly type: Type
  /** Without parameters. */
  readonly code: Code
}

export interface ChoiceDefinition {
  readonly name: string
  readonly consuming: boolean
  readonly argument: Type
  readonly result: Type
  /** Parameters: the contract's payload, or the interface's value; then the argument. */
  readonly controllers: Code
  /** Likewise. */
  readonly observers: Code
  /** Likewise; where absent, signatories and controllers authorise. */
  readonly authorizers: Code | undefined
  /** Parameters: payload or interface value, argument, contract id. */
  readonly update: Code
}

/** What a template has of an interface; every code has the payload as its parameter. */
export interface Implementation {
  readonly interface: Reference
  readonly methods: ReadonlyMap<string, Code>
  readonly view: Code
}

/** Every code has the payload as its parameter. */
export interface TemplateDefinition {
  readonly reference: Reference
  readonly precondition: Code | undefined
  readonly signatories: Code
  readonly observers: Code
  readonly choices: ReadonlyMap<string, ChoiceDefinition>
  /** By the text of the interface's reference. */
  readonly implementations: ReadonlyMap<string, Implementation>
}

export interface InterfaceDefinition {
  readonly reference: Reference
  readonly requires: readonly Reference[]
  readonly methods: ReadonlyMap<string, Type>
  readonly choices: ReadonlyMap<string, ChoiceDefinition>
  readonly view: Type
}

export interface ExceptionDefinition {
  readonly reference: Reference
  /** Without parameters: evaluates to a function from the exception to a text. */
  readonly message: Code
}

/** Definitions by name. */
export interface Module {
  readonly name: string
  readonly synonyms: ReadonlyMap<string, SynonymDefinition>
  readonly dataTypes: ReadonlyMap<string, DataDefinition>
  readonly values: ReadonlyMap<string, ValueDefinition>
  readonly templates: ReadonlyMap<string, TemplateDefinition>
  readonly interfaces: ReadonlyMap<string, InterfaceDefinition>
  readonly exceptions: ReadonlyMap<string, ExceptionDefinition>
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
  reference(packageId: string, module: string, name: string): Reference
  dataType(reference: Reference): DataDefinition
  value(reference: Reference): ValueDefinition
  template(reference: Reference): TemplateDefinition
  interface(reference: Reference): InterfaceDefinition
  exception(reference: Reference): ExceptionDefinition
}
