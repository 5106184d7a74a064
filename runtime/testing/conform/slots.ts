// Where values can be put into a request or taken out of a JSON value, and under which key. Names
// decide: see names.ts.
import type { OperationFacts, RequestCase } from './facts.ts'
import { isReference, keyOf, nounOf, segmentBefore } from './names.ts'
import { isIdentity } from './pool.ts'
import type { Identity } from './pool.ts'

/** A place of a request: a parameter, or a member of the body. */
export interface Slot {
  readonly place: 'path' | 'query' | 'headers' | 'body'
  /** The parameter's name alone, or the way into the body. */
  readonly way: readonly string[]
  readonly key: string
}

interface FoundValue {
  readonly key: string
  readonly value: Identity
  /** It stood in a list. */
  readonly isListed: boolean
}

const MAX_DEPTH = 12
const MAX_FOUND = 400

/**
 * The keys of path parameters and of marks such as page tokens: what one operation shows under such
 * a key another may ask for.
 */
export function askedKeys(operations: readonly OperationFacts[]): ReadonlySet<string> {
  return new Set(
    operations.flatMap((operation) =>
      operation.parameters.flatMap(({ in: place, name }) => {
        if (place === 'path') return [pathKey(operation, name)]
        return place === 'query' && /token|cursor|continuation|marker/iu.test(name)
          ? [keyOf(name, undefined)]
          : []
      }),
    ),
  )
}

/** The key of a path parameter: its own name, or what the segment before it names. */
export function pathKey({ path }: OperationFacts, name: string): string {
  const before = segmentBefore(path, path.indexOf(`{${name}}`))
  return keyOf(name, before === undefined ? undefined : nounOf(before))
}

/** The places of a request that may be filled with known values, the path's first. */
export function slotsOf(
  operation: OperationFacts,
  request: RequestCase,
  keys: ReadonlySet<string>,
): readonly Slot[] {
  const last = segmentBefore(operation.path)
  const noun = last === undefined ? undefined : nounOf(last)
  const slots: Slot[] = operation.parameters.flatMap((parameter): readonly Slot[] => {
    const { name } = parameter
    if (parameter.in === 'path')
      return [{ place: 'path', way: [name], key: pathKey(operation, name) }]
    const place =
      parameter.in === 'query' ? 'query' : parameter.in === 'header' ? 'headers' : undefined
    const key = referenceKey(name, noun, keys)
    return place === undefined || key === undefined || !Object.hasOwn(request[place], name)
      ? []
      : [{ place, way: [name], key }]
  })
  if (request.body !== undefined && request.body.raw === undefined) {
    walk(request.body.value, noun, (found) => {
      const key = referenceKey(found.name, found.noun, keys)
      if (key !== undefined) slots.push({ place: 'body', way: found.way, key })
    })
  }
  return slots
}

/** The values that a JSON value shows under keys that some operation may ask for. */
export function valuesIn(
  operation: OperationFacts,
  value: unknown,
  keys: ReadonlySet<string>,
): readonly FoundValue[] {
  const last = segmentBefore(operation.path)
  const found: FoundValue[] = []
  walk(value, last === undefined ? undefined : nounOf(last), (member) => {
    const key = referenceKey(member.name, member.noun, keys)
    const { value: one, isListed } = member
    if (key !== undefined && found.length < MAX_FOUND && isIdentity(one))
      found.push({ key, value: one, isListed })
  })
  return found
}

/**
 * The key under which a member is fed or learned: one that is asked for, as it is or as the end of
 * the name, or any `…Id`.
 */
function referenceKey(
  name: string,
  noun: string | undefined,
  keys: ReadonlySet<string>,
): string | undefined {
  const key = keyOf(name, noun)
  if (keys.has(key)) return key
  const end = [...keys]
    .filter((known) => known.length >= 4 && key.endsWith(known))
    .sort((a, b) => b.length - a.length)[0]
  return end ?? (isReference(name) ? key : undefined)
}

interface Member {
  readonly name: string
  readonly noun: string | undefined
  readonly way: readonly string[]
  readonly value: unknown
  readonly isListed: boolean
}

/**
 * Visits every scalar member, with the name of what it belongs to. Items of a list count under the
 * list's name.
 */
function walk(value: unknown, noun: string | undefined, visit: (member: Member) => void): void {
  const step = (
    item: unknown,
    name: string | undefined,
    owner: string | undefined,
    way: readonly string[],
    isListed: boolean,
  ): void => {
    if (way.length > MAX_DEPTH) return
    if (Array.isArray(item)) {
      item
        .slice(0, 50)
        .forEach((one: unknown, index) => step(one, name, owner, [...way, String(index)], true))
    } else if (typeof item === 'object' && item !== null && !(item instanceof Uint8Array)) {
      const own = name === undefined ? owner : nounOf(name)
      for (const [key, member] of Object.entries(item))
        step(member, key, own, [...way, key], isListed)
    } else if (name !== undefined && isIdentity(item)) {
      visit({ name, noun: owner, way, value: item, isListed })
    }
  }
  step(value, undefined, noun, [], false)
}

/** A request with a value put into a slot. */
export function withValue(
  request: RequestCase,
  { place, way }: Slot,
  value: Identity,
): RequestCase {
  if (place !== 'body') return { ...request, [place]: { ...request[place], [way[0] ?? '']: value } }
  if (request.body === undefined) return request
  return { ...request, body: { ...request.body, value: replaced(request.body.value, way, value) } }
}

/** The value of a slot. */
export function valueAt(request: RequestCase, { place, way }: Slot): unknown {
  let value: unknown = place === 'body' ? request.body?.value : request[place]
  for (const key of way)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return value
}

function replaced(target: unknown, [key, ...rest]: readonly string[], value: Identity): unknown {
  if (key === undefined) return value
  if (Array.isArray(target)) {
    return target.map((item: unknown, index) =>
      String(index) === key ? replaced(item, rest, value) : item,
    )
  }
  if (typeof target !== 'object' || target === null) return target
  return { ...target, [key]: replaced(Reflect.get(target, key), rest, value) }
}
