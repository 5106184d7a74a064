// Puts known values into the places of a request that ask for something by name, so that deep
// operations get real identifiers. A request that changes things is given only what this run has
// made itself. docs/decisions/0005-conformance.md, Manners
import type { Flaw, OperationFacts, RequestCase } from './facts.ts'
import { keyOf, nounOf, segmentBefore } from './names.ts'
import { isIdentity } from './pool.ts'
import type { Identity, KnownValues } from './pool.ts'
import { pathKey, slotsOf, withValue } from './slots.ts'
import type { Slot } from './slots.ts'

interface FillContext {
  readonly pool: KnownValues
  readonly keys: ReadonlySet<string>
  /** Key of what a POST on this path creates; such a place of the body keeps its own value. */
  identityOf(operation: OperationFacts): string | undefined
}

/**
 * One number for each place: below `KEEP` the place keeps its value, else the number picks one.
 * They shrink to keeping all.
 */
export type Choices = readonly number[]

const KEEP = 2
const SPAN = 8
/** Things of a kind that are left to the other operations. */
const SPARED = 3
/** Numbers by which places are distinguished. */
export const CHOICES = 6
/** Greatest number that says something new. */
export const MAX_CHOICE = SPAN * 48 - 1

/** True for methods that are not meant to change anything. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/**
 * The request with known values in it; undefined where it would touch what this run has not made.
 */
export function filled(
  context: FillContext,
  operation: OperationFacts,
  request: RequestCase,
  choices: Choices,
  flaw?: Flaw,
): RequestCase | undefined {
  let result = request
  const chosen = new Map<string, Identity>()
  slotsOf(operation, request, context.keys).forEach((slot, index) => {
    if (flaw !== undefined && touches(flaw, slot)) return
    if (
      slot.place === 'body' &&
      slot.key === context.identityOf(operation) &&
      !chosen.has(slot.key)
    )
      return
    const value =
      chosen.get(slot.key) ??
      picked(context.pool, operation, slot, choices[index % Math.max(choices.length, 1)] ?? 0)
    if (value === undefined) return
    chosen.set(slot.key, value)
    result = withValue(result, slot, value)
  })
  return isOurs(context, operation, result) ? result : undefined
}

function picked(
  pool: KnownValues,
  operation: OperationFacts,
  slot: Slot,
  choice: number,
): Identity | undefined {
  if (choice % SPAN < KEEP) return undefined
  if (operation.method === 'DELETE' && pool.madeCount(slot.key) <= SPARED) return undefined
  // What a body names may be someone else's only where this run has nothing of the kind.
  const onlyMade =
    !isSafe(operation.method) && (slot.place !== 'body' || pool.madeCount(slot.key) > 0)
  return pool.pick(slot.key, Math.floor(choice / SPAN), onlyMade)
}

function touches(flaw: Flaw, slot: Slot): boolean {
  const place = slot.place === 'headers' ? 'header' : slot.place
  if (flaw.place !== place) return false
  const pointer = `/${slot.way.join('/')}`
  return (
    pointer === flaw.pointer ||
    pointer.startsWith(`${flaw.pointer}/`) ||
    flaw.pointer.startsWith(`${pointer}/`)
  )
}

/**
 * No request that changes things names in its address what others have made, not even by chance.
 */
function isOurs({ pool }: FillContext, operation: OperationFacts, request: RequestCase): boolean {
  if (isSafe(operation.method)) return true
  return operation.parameters.every(({ in: place, name }) => {
    if (place !== 'path' && place !== 'query') return true
    const value = request[place][name]
    if (!isIdentity(value)) return true
    const last = segmentBefore(operation.path)
    const key =
      place === 'path'
        ? pathKey(operation, name)
        : keyOf(name, last === undefined ? undefined : nounOf(last))
    return !pool.isStrange(key, value)
  })
}
