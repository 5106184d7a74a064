// Single requests of an operation, drawn with a seed of their own: the same run asks the same.
// Drawing costs more than sending, so what was drawn for an operation and a seed is kept.
import fc from 'fast-check'
import { drawsOf } from './draws.ts'
import type { FlawedCase, OperationFacts, RequestCase } from './facts.ts'
import { CHOICES, filled } from './fill.ts'
import type { Choices } from './fill.ts'
import { alone, telling } from './select.ts'
import type { Session } from './session.ts'
import type { Target } from './probe.ts'

/** Drawn samples for each one that is sent. */
const DRAWN = 5
const EXTREMES = 70

/** Things made for an operation, by seed and purpose. */
class Memory<Value> {
  readonly #byOperation = new WeakMap<OperationFacts, Map<string, Value>>()

  get(operation: OperationFacts, key: string, make: () => Value): Value {
    const known = this.#byOperation.get(operation) ?? new Map<string, Value>()
    this.#byOperation.set(operation, known)
    const value = known.get(key) ?? make()
    known.set(key, value)
    return value
  }
}

const VALID = new Memory<readonly RequestCase[]>()
const FLAWED = new Memory<readonly FlawedCase[]>()

/** A number made of a text and a seed: operations do not depend on each other's draws. */
export function seedOf(seed: number, text: string): number {
  let hash = seed | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** Choices that fill every place with the known value at `index`. */
export function fillAll(index: number): Choices {
  return Array.from({ length: CHOICES }, () => index * 8 + 7)
}

/** Requests that the document admits, as they were drawn. */
export function drawValid(
  { options }: Session,
  { operation }: Target,
  count: number,
  purpose: string,
): readonly RequestCase[] {
  const seed = seedOf(options.seed, `${operation.operationId} valid ${purpose}`)
  return VALID.get(operation, `${seed} ${count}`, () => drawn(operation, count, seed))
}

/** None where nobody can ask the operation. */
function drawn(operation: OperationFacts, numRuns: number, seed: number): readonly RequestCase[] {
  const draws = drawsOf(operation)
  return draws === undefined ? [] : fc.sample(draws.valid, { numRuns, seed })
}

/** Requests that the document admits, with known identifiers wherever there are any. */
export function validRequests(
  session: Session,
  target: Target,
  count: number,
  purpose: string,
): readonly RequestCase[] {
  return withKnown(session, target, drawValid(session, target, count, purpose))
}

/** Requests that show every extreme that the document admits. */
export function tellingRequests(
  { options }: Session,
  { operation }: Target,
): readonly RequestCase[] {
  const seed = seedOf(options.seed, `${operation.operationId} telling`)
  const { extremes = EXTREMES } = options
  return VALID.get(operation, `${seed} telling ${extremes}`, () => {
    const all = drawn(operation, DRAWN * extremes, seed)
    const [bare, ...others] = alone(operation, all)
    return [
      ...(bare === undefined ? [] : [bare]),
      ...spread(others, extremes),
      ...telling(all, extremes),
    ]
  })
}

/** Flaws that show every extreme, for each constraint. */
export function tellingFlaws({ options }: Session, { operation }: Target): readonly FlawedCase[] {
  const { operationId } = operation
  const flawed = drawsOf(operation)?.flawed
  if (flawed === undefined) return []
  const seed = seedOf(options.seed, `${operationId} flaws`)
  const { extremes = EXTREMES } = options
  return FLAWED.get(operation, `${seed} ${extremes}`, () => {
    const drawn = fc.sample(flawed, { numRuns: 2 * DRAWN * extremes, seed })
    return spread(
      [...Map.groupBy(drawn, kindOfFlaw).values()].flatMap((same) => atFlaw(same)),
      2 * extremes,
    )
  })
}

/** Up to `limit` items, taken evenly from the whole list. */
function spread<T>(items: readonly T[], limit: number): readonly T[] {
  const place = (index: number): number => Math.floor((index * limit) / items.length)
  return items.length <= limit
    ? items
    : items.filter((_, index) => place(index) !== place(index - 1))
}

/** The first two items of a list count as places of their own. */
function kindOfFlaw({ flaw: { place, pointer, rule } }: FlawedCase): string {
  return `${place} ${pointer.replaceAll(/\/(?:[2-9]|\d\d+)(?=\/|$)/gu, '/#')} ${rule}`
}

/** Requests with the same flaw whose flawed value is an extreme. */
function atFlaw(same: readonly FlawedCase[]): readonly FlawedCase[] {
  const bare = same.map((one): RequestCase & { readonly index: FlawedCase } => {
    return { path: {}, query: { value: flawedValue(one) }, headers: {}, cookies: {}, index: one }
  })
  return telling(bare, 5).map(({ index }) => index)
}

function flawedValue({ flaw: { place, pointer }, ...request }: FlawedCase): unknown {
  const group =
    place === 'body'
      ? request.body?.value
      : place === 'header'
        ? request.headers
        : place === 'cookie'
          ? request.cookies
          : request[place]
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, step) => {
      return typeof at === 'object' && at !== null
        ? Reflect.get(at, step.replaceAll('~1', '/').replaceAll('~0', '~'))
        : undefined
    }, group)
}

/**
 * The requests with known identifiers in them, without those that would touch what is not this
 * run's.
 */
export function withKnown(
  session: Session,
  { operation }: Target,
  drawn: readonly RequestCase[],
): readonly RequestCase[] {
  return drawn.flatMap(
    (request, index) => filled(session.learner, operation, request, fillAll(index)) ?? [],
  )
}
