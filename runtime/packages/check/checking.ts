// What the rules of expressions share.
import type { Program } from '../program/definitions.ts'
import type { Closure, Expression } from '../program/expressions.ts'
import type { Types } from '../program/type-table.ts'
import type { Type } from '../program/types.ts'
import type { Kinds } from './kinds.ts'

/** The state of checking one piece of code. */
export interface Checking {
  readonly program: Program
  readonly types: Types
  readonly kinds: Kinds
  /** The type of an expression in the current frame. */
  typeOf(expression: Expression): Type
  /** Refuses an expression of another type. */
  require(expression: Expression, type: Type, rule: string): void
  requireEqual(found: Type, type: Type, rule: string): void
  /** Gives the variable of a slot its type. */
  bind(slot: number, type: Type): void
  /** Works in the frame of a closure that the current frame makes. */
  inClosure<T>(closure: Closure, work: () => T): T
  fail(rule: string, problem: string): never
}
