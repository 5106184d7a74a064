// How an evaluation ends without a value: with an exception that the contract's code can catch, or
// with a failure that it cannot.
import { Any, Rec } from './value.ts'
import { TypeRep } from './type-rep.ts'

/** The limits of an evaluation. docs/decisions/0056-packages-that-run.md */
export interface EvaluationLimits {
  /** Steps of the machine, parts of expressions included. */
  readonly steps: number
  /** Cells, of about 16 bytes, that values and frames take altogether; text counts too. */
  readonly cells: number
  /** Continuations that wait at the same time. */
  readonly depth: number
}

/** Limits of one evaluation, and of all that a transaction repeats. */
export type Limited = keyof EvaluationLimits | 'repeated steps'

export type Failure =
  /** The contract's code said so, in words. */
  | { readonly kind: 'error'; readonly message: string }
  /** The contract's code said so, with an id, a category and metadata. */
  | FailureStatus
  /** An exception that nothing caught. */
  | { readonly kind: 'unhandled'; readonly exception: string; readonly message: string }
  | { readonly kind: 'limit'; readonly of: Limited; readonly limit: number }
  /** A value in a contract or a choice is nested more than 100 deep. */
  | { readonly kind: 'nesting' }
  /** Functions cannot be compared, nor can what has one in it. */
  | { readonly kind: 'incomparable' }
  /** A text is not of the form that a cryptographic function demands. */
  | { readonly kind: 'malformed'; readonly message: string }
  /** A contract is of another template than was said, or has no such interface. */
  | { readonly kind: 'wrong-template'; readonly message: string }
  /** The code does what no checked code does. */
  | { readonly kind: 'ill-typed'; readonly message: string }

interface FailureStatus {
  readonly kind: 'status'
  readonly id: string
  readonly category: 'argument' | 'state'
  readonly message: string
  readonly metadata: ReadonlyMap<string, string>
}

/** The end of an evaluation that no contract's code can catch. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError'
  readonly failure: Failure

  constructor(failure: Failure) {
    super('message' in failure ? failure.message : failure.kind)
    this.failure = failure
  }
}

/** An exception of the contract language on its way to a handler. No Error: a stack costs. */
export class Thrown {
  /** An `AnyException`. */
  readonly exception: Any

  constructor(exception: Any) {
    this.exception = exception
  }
}

/** The error of code that a checker should have refused. */
export function illTyped(message: string): EvaluationError {
  return new EvaluationError({ kind: 'ill-typed', message })
}

/** The failure of a text that is none of the required form. */
export function malformed(message: string): EvaluationError {
  return new EvaluationError({ kind: 'malformed', message })
}

const ARITHMETIC_PACKAGE = 'ee33fb70918e7aaa3d3fc44d64a399fb2bf5bcefc54201b1690ecd448551ba88'
const ARITHMETIC_NAME = { module: 'DA.Exception.ArithmeticError', name: 'ArithmeticError' }

/** The exception that functions of the language throw themselves; no package need have it. */
export const ARITHMETIC_ERROR = new TypeRep({
  packageId: ARITHMETIC_PACKAGE,
  ...ARITHMETIC_NAME,
  text: `${ARITHMETIC_PACKAGE}:${ARITHMETIC_NAME.module}:${ARITHMETIC_NAME.name}`,
})

/** The exception of a function, named as the language names it, that has no result. */
export function arithmeticError(name: string, args: readonly string[]): Thrown {
  const message = `ArithmeticError while evaluating (${[name, ...args].join(' ')}).`
  return new Thrown(new Any(ARITHMETIC_ERROR, new Rec([message])))
}
