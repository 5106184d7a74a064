// Expressions of the contract language as they are checked and run. A variable is a place in the
// frame of its function or among what the function captured; fields and constructors are numbers;
// applications and abstractions of several arguments are one node; source locations are gone.
// Types are for the checker and for the few expressions that name one at run time.
import type { BuiltinFunction } from './builtin-functions.ts'
import type { ConstructorType, Reference, StructShape, Type, TypeParameter } from './types.ts'

/** A value that the current function's frame holds, or that its closure does. */
export type Variable =
  | { readonly kind: 'local'; readonly slot: number }
  | { readonly kind: 'captured'; readonly index: number }

/**
 * Code with a frame of its own. Parameters are slots 0 and up, then what the body binds; slots are
 * used again when what they held is out of scope.
 */
export interface Code {
  readonly parameters: readonly Type[]
  /** Size of the frame. */
  readonly slots: number
  readonly body: Expression
}

/** Code and what it takes along of the function around it, in order. */
export interface Closure extends Code {
  readonly captures: readonly Variable[]
}

/** Type arguments or parameters that stand before the value argument of this index. */
export interface Between<T> {
  readonly before: number
  readonly types: readonly T[]
}

export interface Binding {
  readonly slot: number
  readonly type: Type
  readonly bound: Expression
}

export type Literal =
  | { readonly kind: 'unit' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int64'; readonly value: bigint }
  /** `value` is the number times 10 to the power of `scale`. */
  | { readonly kind: 'numeric'; readonly value: bigint; readonly scale: number }
  | { readonly kind: 'text'; readonly value: string }
  /** Days since 1970-01-01. */
  | { readonly kind: 'date'; readonly value: number }
  /** Microseconds since 1970-01-01T00:00Z. */
  | { readonly kind: 'timestamp'; readonly value: bigint }
  | { readonly kind: 'failureCategory'; readonly value: FailureCategory }

export type FailureCategory =
  'InvalidIndependentOfSystemState' | 'InvalidGivenCurrentSystemStateOther'

/** Data: records, variants, enums, structs, lists and optionals. */
export type DataExpression =
  /** Values of all fields in the order of the definition. */
  | {
      readonly kind: 'record'
      readonly type: ConstructorType
      readonly fields: readonly Expression[]
    }
  | {
      readonly kind: 'recordField'
      readonly type: ConstructorType
      readonly field: number
      readonly record: Expression
    }
  | {
      readonly kind: 'recordUpdate'
      readonly type: ConstructorType
      readonly field: number
      readonly record: Expression
      readonly value: Expression
    }
  | {
      readonly kind: 'variant'
      readonly type: ConstructorType
      readonly constructor: number
      readonly argument: Expression
    }
  | { readonly kind: 'enum'; readonly type: ConstructorType; readonly constructor: number }
  /** Fields in the order in which they are evaluated; `index` is the place in the shape. */
  | {
      readonly kind: 'struct'
      readonly shape: StructShape
      readonly fields: readonly { readonly index: number; readonly value: Expression }[]
    }
  | { readonly kind: 'structField'; readonly field: string; readonly struct: Expression }
  | {
      readonly kind: 'structUpdate'
      readonly field: string
      readonly struct: Expression
      readonly value: Expression
    }
  | { readonly kind: 'nil'; readonly type: Type }
  | {
      readonly kind: 'cons'
      readonly type: Type
      readonly front: readonly Expression[]
      readonly tail: Expression
    }
  | { readonly kind: 'none'; readonly type: Type }
  | { readonly kind: 'some'; readonly type: Type; readonly value: Expression }

/** Functions and control. */
export type FlowExpression =
  /** The function is evaluated before its arguments. */
  | {
      readonly kind: 'application'
      readonly function: Expression
      readonly arguments: readonly Expression[]
      readonly types: readonly Between<Type>[]
    }
  /** Evaluates as `expression` does. */
  | {
      readonly kind: 'typeApplication'
      readonly expression: Expression
      readonly types: readonly Type[]
    }
  | ({
      readonly kind: 'abstraction'
      readonly typeParameters: readonly Between<TypeParameter>[]
    } & Closure)
  /** Evaluates as `body` does, in the same frame. */
  | {
      readonly kind: 'typeAbstraction'
      readonly parameters: readonly TypeParameter[]
      readonly body: Expression
    }
  | {
      readonly kind: 'case'
      readonly scrutinee: Expression
      readonly alternatives: readonly Alternative[]
    }
  | {
      readonly kind: 'let'
      readonly bindings: readonly Binding[]
      readonly body: Expression
    }

export interface Alternative {
  readonly pattern: Pattern
  readonly body: Expression
}

/** Slots are where what is matched goes. */
export type Pattern =
  | { readonly kind: 'any' }
  | {
      readonly kind: 'variant'
      readonly reference: Reference
      readonly constructor: number
      readonly slot: number
    }
  | { readonly kind: 'enum'; readonly reference: Reference; readonly constructor: number }
  | { readonly kind: 'unit' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'nil' }
  | { readonly kind: 'cons'; readonly head: number; readonly tail: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'some'; readonly slot: number }

/** Types at run time, and exceptions. */
export type DynamicExpression =
  | { readonly kind: 'toAny'; readonly type: Type; readonly value: Expression }
  | { readonly kind: 'fromAny'; readonly type: Type; readonly value: Expression }
  | { readonly kind: 'typeRep'; readonly type: Type }
  | { readonly kind: 'toAnyException'; readonly type: ConstructorType; readonly value: Expression }
  | {
      readonly kind: 'fromAnyException'
      readonly type: ConstructorType
      readonly value: Expression
    }
  | {
      readonly kind: 'throw'
      readonly returns: Type
      readonly type: ConstructorType
      readonly value: Expression
    }

/** Interfaces. `contractId` is evaluated before `value`, and is for the error's text only. */
export type InterfaceExpression =
  | {
      readonly kind: 'toInterface' | 'fromInterface'
      readonly interface: Reference
      readonly template: Reference
      readonly value: Expression
    }
  | {
      readonly kind: 'unsafeFromInterface'
      readonly interface: Reference
      readonly template: Reference
      readonly contractId: Expression
      readonly value: Expression
    }
  | {
      readonly kind: 'toRequiredInterface' | 'fromRequiredInterface'
      readonly required: Reference
      readonly requiring: Reference
      readonly value: Expression
    }
  | {
      readonly kind: 'unsafeFromRequiredInterface'
      readonly required: Reference
      readonly requiring: Reference
      readonly contractId: Expression
      readonly value: Expression
    }
  | {
      readonly kind: 'callInterface'
      readonly interface: Reference
      readonly method: string
      readonly value: Expression
    }
  | {
      readonly kind:
        'interfaceView' | 'interfaceSignatories' | 'interfaceObservers' | 'interfaceTypeRep'
      readonly interface: Reference
      readonly value: Expression
    }

/**
 * Updates: they evaluate to a value that something else runs. Arguments are evaluated with the
 * expression, closures when it runs.
 */
export type UpdateExpression =
  | { readonly kind: 'pure'; readonly type: Type; readonly value: Expression }
  /**
   * `first` is evaluated with the expression. When it runs, its result is the parameter of `block`;
   * then each of `then` is evaluated and run in the frame of `block`, and last its body.
   */
  | {
      readonly kind: 'bind'
      readonly first: Expression
      readonly then: readonly Binding[]
      readonly block: Closure
    }
  | { readonly kind: 'create'; readonly template: Reference; readonly argument: Expression }
  | {
      readonly kind: 'createInterface'
      readonly interface: Reference
      readonly argument: Expression
    }
  | {
      readonly kind: 'exercise'
      readonly template: Reference
      readonly choice: string
      readonly contractId: Expression
      readonly argument: Expression
    }
  | {
      readonly kind: 'exerciseInterface'
      readonly interface: Reference
      readonly choice: string
      readonly contractId: Expression
      readonly argument: Expression
    }
  | { readonly kind: 'fetch'; readonly template: Reference; readonly contractId: Expression }
  | {
      readonly kind: 'fetchInterface'
      readonly interface: Reference
      readonly contractId: Expression
    }
  | { readonly kind: 'getTime' }
  /** True where the ledger's time is before a timestamp. */
  | { readonly kind: 'ledgerTimeLessThan'; readonly time: Expression }
  | { readonly kind: 'embed'; readonly type: Type; readonly code: Closure }
  /** The parameter of `handler` is the exception; it answers an optional update. */
  | {
      readonly kind: 'tryCatch'
      readonly type: Type
      readonly attempt: Closure
      readonly handler: Closure
    }

export type Expression =
  | Variable
  | { readonly kind: 'value'; readonly reference: Reference }
  | { readonly kind: 'builtin'; readonly name: BuiltinFunction }
  | Literal
  | DataExpression
  | FlowExpression
  | DynamicExpression
  | InterfaceExpression
  | UpdateExpression
