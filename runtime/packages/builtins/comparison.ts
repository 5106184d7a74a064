// Comparisons of any two values of a type.
import { compare } from '../values/compare.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'

export const comparisonFunctions = {
  EQUAL: (meter: Meter, a: Value, b: Value) => compare(a, b, meter) === 0,
  LESS_EQ: (meter: Meter, a: Value, b: Value) => compare(a, b, meter) <= 0,
  LESS: (meter: Meter, a: Value, b: Value) => compare(a, b, meter) < 0,
  GREATER_EQ: (meter: Meter, a: Value, b: Value) => compare(a, b, meter) >= 0,
  GREATER: (meter: Meter, a: Value, b: Value) => compare(a, b, meter) > 0,
}
