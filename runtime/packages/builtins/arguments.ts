// Arguments of functions, narrowed. A checked program has them right; the test is for those that a
// checker missed.
import { illTyped } from '../values/failure.ts'
import { Any, Cons, Numeric, ValueMap } from '../values/value.ts'
import type { List, Value } from '../values/value.ts'

/** An `Int64` or a `Timestamp`. */
export function integer(value: Value): bigint {
  if (typeof value === 'bigint') return value
  throw illTyped('an integer is expected')
}

/** A `Text`, a `Party` or a `ContractId`. */
export function text(value: Value): string {
  if (typeof value === 'string') return value
  throw illTyped('a text is expected')
}

/** A `Date` or a constructor of an enum. */
export function ordinal(value: Value): number {
  if (typeof value === 'number') return value
  throw illTyped('a date or a constructor is expected')
}

export function numeric(value: Value): Numeric {
  if (value instanceof Numeric) return value
  throw illTyped('a decimal is expected')
}

export function list(value: Value): List {
  if (value === null || value instanceof Cons) return value
  throw illTyped('a list is expected')
}

export function map(value: Value): ValueMap {
  if (value instanceof ValueMap) return value
  throw illTyped('a map is expected')
}

export function any(value: Value): Any {
  if (value instanceof Any) return value
  throw illTyped('a value with its type is expected')
}
