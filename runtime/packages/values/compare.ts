// The language's order of values. What is left to compare is on a stack of its own: a value may be
// deeper than the host's.
import { EvaluationError, illTyped } from './failure.ts'
import { compareText } from './text.ts'
import { compareNames, TypeRep } from './type-rep.ts'
import {
  Any,
  Cons,
  Contract,
  FunctionValue,
  Numeric,
  Optional,
  Rec,
  Struct,
  ValueMap,
  Variant,
} from './value.ts'
import type { Meter } from './meter.ts'
import type { Value } from './value.ts'

/**
 * Negative, zero or positive as `a` comes before, with or after `b`, a value of the same type.
 * Throws where a function is compared.
 */
export function compare(a: Value, b: Value, meter: Meter): number {
  const flat = compareFlat(a, b, meter)
  if (flat !== undefined) return flat
  const pending: Value[] = [b, a]
  while (pending.length > 0) {
    const x = pending.pop()
    const y = pending.pop()
    meter.work(1)
    const order = compareFlat(x, y, meter) ?? compareHeads(x, y, pending, meter)
    if (order !== 0) return order
  }
  return 0
}

/** Whether two values of a type are equal. Throws where a function is compared. */
export function equal(a: Value, b: Value, meter: Meter): boolean {
  return compare(a, b, meter) === 0
}

/** The order of values that have no parts; undefined for others. */
function compareFlat(a: Value, b: Value, meter: Meter): number | undefined {
  switch (typeof a) {
    case 'string':
      if (typeof b !== 'string') return undefined
      meter.read(a)
      return compareText(a, b)
    case 'bigint':
      if (typeof b !== 'bigint') return undefined
      return a < b ? -1 : a > b ? 1 : 0
    case 'number':
      return typeof b === 'number' ? a - b : undefined
    case 'boolean':
      return typeof b === 'boolean' ? Number(a) - Number(b) : undefined
    case 'undefined':
      return b === undefined ? 0 : undefined
    default:
      if (a instanceof Numeric && b instanceof Numeric)
        return a.unscaled < b.unscaled ? -1 : a.unscaled > b.unscaled ? 1 : 0
      return undefined
  }
}

/** The order of what can be told at once; the rest goes on the stack. */
function compareHeads(a: Value, b: Value, pending: Value[], meter: Meter): number {
  if (a === null || b === null) {
    if (!isList(a) || !isList(b)) throw mismatch()
    return Number(a !== null) - Number(b !== null)
  }
  if (a instanceof Cons && b instanceof Cons) pending.push(b.tail, a.tail, b.head, a.head)
  else if (a instanceof Rec && b instanceof Rec) pushAll(a.fields, b.fields, pending, meter)
  else if (a instanceof Struct && b instanceof Struct) pushAll(a.fields, b.fields, pending, meter)
  else if (a instanceof Optional && b instanceof Optional) {
    if (a.isSome !== b.isSome) return Number(a.isSome) - Number(b.isSome)
    pending.push(b.value, a.value)
  } else if (a instanceof Variant && b instanceof Variant) {
    if (a.rank !== b.rank) return a.rank - b.rank
    pending.push(b.value, a.value)
  } else if (a instanceof ValueMap && b instanceof ValueMap) pushMaps(a, b, pending, meter)
  else return compareTyped(a, b, pending)
  return 0
}

function compareTyped(a: Value, b: Value, pending: Value[]): number {
  if (a instanceof FunctionValue || b instanceof FunctionValue)
    throw new EvaluationError({ kind: 'incomparable' })
  if (a instanceof TypeRep && b instanceof TypeRep) return compareNames(a.reference, b.reference)
  if (a instanceof Any && b instanceof Any) {
    pending.push(b.value, a.value)
    return compareNames(a.type.reference, b.type.reference)
  }
  if (a instanceof Contract && b instanceof Contract) {
    pending.push(b.payload, a.payload)
    return compareNames(a.template, b.template)
  }
  throw mismatch()
}

function pushMaps(a: ValueMap, b: ValueMap, pending: Value[], meter: Meter): void {
  meter.work(a.size + b.size)
  const [left, right] = [a, b].map((map) => map.entries().flatMap(({ key, value }) => [key, value]))
  pending.push(b.size, a.size)
  if (left === undefined || right === undefined) return
  const common = Math.min(left.length, right.length)
  pushAll(left.slice(0, common), right.slice(0, common), pending, meter)
}

/** The first one goes on top. */
function pushAll(a: readonly Value[], b: readonly Value[], pending: Value[], meter: Meter): void {
  meter.work(a.length)
  if (a.length !== b.length) throw mismatch()
  for (let at = a.length - 1; at >= 0; at -= 1) pending.push(b[at], a[at])
}

function isList(value: Value): boolean {
  return value === null || value instanceof Cons
}

function mismatch(): Error {
  return illTyped('values of different types are compared')
}
