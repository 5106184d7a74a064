// The functions that are part of the language and only compute: a function of each, by name. Those
// that call functions of the program are the machine's. docs/decisions/0056-packages-that-run.md
import { EvaluationError } from '../values/failure.ts'
import { EMPTY_MAP } from '../values/map.ts'
import { text, map, ordinal } from './arguments.ts'
import { comparisonFunctions } from './comparison.ts'
import { cryptoFunctions } from './crypto.ts'
import { int64Functions } from './int64.ts'
import { mapFunctions } from './maps.ts'
import { numericFunctions } from './numeric.ts'
import { textFunctions } from './text.ts'
import { timeFunctions } from './time.ts'
import type { BuiltinFunction } from '../program/builtin-functions.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'

/** Functions that the machine knows: they call functions that they are given, or evaluate code. */
export const CALLING = {
  FOLDL: 3,
  FOLDR: 3,
  EQUAL_LIST: 3,
  ANY_EXCEPTION_MESSAGE: 1,
} as const satisfies Partial<Record<BuiltinFunction, number>>

export type CallingFunction = keyof typeof CALLING

/** Functions without arguments: values. */
export const CONSTANTS = {
  GENMAP_EMPTY: EMPTY_MAP,
  TEXTMAP_EMPTY: EMPTY_MAP,
} as const satisfies Partial<Record<BuiltinFunction, Value>>

export function isCalling(name: BuiltinFunction): name is CallingFunction {
  return name in CALLING
}

export function isConstant(name: BuiltinFunction): name is keyof typeof CONSTANTS {
  return name in CONSTANTS
}

type ComputingFunction = Exclude<BuiltinFunction, CallingFunction | keyof typeof CONSTANTS>

/** A function that only computes; what it has no argument for is unit. */
export type Compute = (meter: Meter, a: Value, b: Value, c: Value, d: Value) => Value

export interface Computing {
  readonly arity: number
  readonly compute: Compute
}

const functions: Readonly<Record<ComputingFunction, Compute>> = {
  TRACE: (_: Meter, _message: Value, value: Value) => value,
  ERROR: (_: Meter, message: Value) => {
    throw new EvaluationError({ kind: 'error', message: text(message) })
  },
  FAIL_WITH_STATUS: failWithStatus,
  ...comparisonFunctions,
  ...int64Functions,
  ...numericFunctions,
  ...textFunctions,
  ...timeFunctions,
  ...mapFunctions,
  ...cryptoFunctions,
}

/** Computing functions by name. */
export const COMPUTING: ReadonlyMap<string, Computing> = new Map(
  Object.entries(functions).map(([name, compute]) => [
    name,
    // The first parameter is the meter. What takes none has one argument all the same.
    { arity: Math.max(compute.length - 1, 1), compute },
  ]),
)

/** The category is 0 for an argument that is wrong whatever the state, 1 for one that is not. */
function failWithStatus(
  _: Meter,
  id: Value,
  category: Value,
  message: Value,
  metadata: Value,
): Value {
  const entries = Array.from(map(metadata).entries(), ({ key, value }): [string, string] => [
    text(key),
    text(value),
  ])
  throw new EvaluationError({
    kind: 'status',
    id: text(id),
    category: ordinal(category) === 0 ? 'argument' : 'state',
    message: text(message),
    metadata: new Map(entries),
  })
}
