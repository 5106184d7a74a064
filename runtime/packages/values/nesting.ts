// How deep values in contracts and choices may be, and how large as JSON, where what they share is
// written each time.
import { EvaluationError } from './failure.ts'
import { Cons, Optional, Rec, ValueMap, Variant } from './value.ts'
import type { Meter } from './meter.ts'
import type { Value } from './value.ts'

const MAX_NESTING = 100
const CELL_CHARACTERS = 8
/** Steps that writing a part of a value is worth. */
const PART_STEPS = 20

/** Throws where a value is nested more than 100 deep, or its JSON exceeds the limits. */
export function demandNesting(value: Value, meter: Meter): void {
  const pending: { readonly value: Value; readonly depth: number }[] = [{ value, depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next.value === 'string')
      meter.allocate(Math.ceil(next.value.length / CELL_CHARACTERS))
    const parts = partsOf(next.value)
    if (parts === undefined) continue
    const depth = next.depth + 1
    if (depth > MAX_NESTING) throw new EvaluationError({ kind: 'nesting' })
    for (const part of parts) {
      meter.work(PART_STEPS)
      if (typeof part === 'object' || typeof part === 'string') pending.push({ value: part, depth })
    }
  }
}

/** Undefined where a value has none; the elements of a list are its parts, however long it is. */
function partsOf(value: Value): Iterable<Value> | undefined {
  if (value instanceof Rec) return value.fields
  if (value instanceof Variant) return [value.value]
  if (value instanceof Optional) return value.isSome ? [value.value] : undefined
  if (value instanceof Cons) return elements(value)
  return value instanceof ValueMap ? entries(value) : undefined
}

function* elements(list: Cons): Generator<Value> {
  for (let rest: Cons | null = list; rest !== null; rest = rest.tail) yield rest.head
}

function* entries(map: ValueMap): Generator<Value> {
  for (const { key, value } of map.entries()) {
    yield key
    yield value
  }
}
