// How deep values in contracts and choices may be, and how large as JSON, where what they share is
// written each time.
import { EvaluationError } from './failure.ts'
import { Cons, elementsOf, Optional, Rec, ValueMap, Variant } from './value.ts'
import type { Meter } from './meter.ts'
import type { Value } from './value.ts'

const MAX_NESTING = 100
const CELL_CHARACTERS = 8
/** Steps that writing a part of a value is worth. */
const PART_STEPS = 20

/** Throws where a value is nested more than 100 deep, or its JSON exceeds the limits. */
export function demandNesting(value: Value, meter: Meter): void {
  const pending: Value[] = [value]
  const depths = [0]
  while (pending.length > 0) {
    const next = pending.pop()
    const depth = (depths.pop() ?? 0) + 1
    if (typeof next === 'string') meter.allocate(Math.ceil(next.length / CELL_CHARACTERS))
    const parts = partsOf(next)
    if (parts === undefined) continue
    if (depth > MAX_NESTING) throw new EvaluationError({ kind: 'nesting' })
    for (const part of parts) {
      meter.work(PART_STEPS)
      if (typeof part !== 'object' && typeof part !== 'string') continue
      pending.push(part)
      depths.push(depth)
    }
  }
}

/** Undefined where a value has none; the elements of a list are its parts, however long it is. */
function partsOf(value: Value): readonly Value[] | undefined {
  if (value instanceof Rec) return value.fields
  if (value instanceof Variant) return [value.value]
  if (value instanceof Optional) return value.isSome ? [value.value] : undefined
  if (value instanceof Cons) return elementsOf(value)
  return value instanceof ValueMap
    ? value.entries().flatMap(({ key, value: at }) => [key, at])
    : undefined
}
