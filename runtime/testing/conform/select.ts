// Chooses, of many drawn requests, few that differ in what servers get wrong: bounds, what is
// absent, null, empty, odd signs, far ends of ranges, each word of a list, and every optional
// parameter alone.
import type { OperationFacts, RequestCase } from './facts.ts'

const MAX_WORDS = 12
const MAX_SOLO = 14

interface Leaf {
  readonly way: string
  readonly value: unknown
}

/**
 * Requests that together show everything that the drawn ones show; at most `limit`, those that show
 * most first.
 */
export function telling<Drawn extends RequestCase>(
  drawn: readonly Drawn[],
  limit: number,
): readonly Drawn[] {
  const leaves = drawn.map((request) => leavesOf(request))
  const extremes = extremesOf(leaves)
  const traits = leaves.map((own, index) => {
    return new Set([
      ...own.flatMap((leaf) => traitsOf(leaf)),
      ...absences(own, leaves),
      ...(extremes[index] ?? []),
    ])
  })
  const order = drawn
    .map((_, index) => index)
    .sort((a, b) => (traits[b]?.size ?? 0) - (traits[a]?.size ?? 0))
  const shown = new Set<string>()
  const chosen = order.filter((index) => {
    const before = shown.size
    for (const trait of traits[index] ?? []) shown.add(trait)
    return shown.size > before
  })
  return chosen.slice(0, limit).flatMap((index) => drawn[index] ?? [])
}

/** Each optional parameter as the only one, and none of them; parameters that are required stay. */
export function alone(
  operation: OperationFacts,
  drawn: readonly RequestCase[],
): readonly RequestCase[] {
  const optional = operation.parameters.filter((parameter) => !parameter.required)
  const [first] = drawn
  if (optional.length === 0 || first === undefined) return []
  const solos = optional.flatMap(({ in: place, name }) => {
    const group = place === 'header' ? 'headers' : place === 'cookie' ? 'cookies' : place
    const having = drawn.filter((request) => Object.hasOwn(request[group], name))
    const byValue = new Map(having.map((request) => [textOf(request[group][name]), request]))
    const extremes = telling(
      [...byValue.values()].map((request) => onlyWith(operation, request, name)),
      MAX_SOLO,
    )
    return extremes
  })
  return [onlyWith(operation, first, undefined), ...solos]
}

function onlyWith(
  { parameters }: OperationFacts,
  request: RequestCase,
  name: string | undefined,
): RequestCase {
  const kept = new Set(
    parameters
      .filter((parameter) => parameter.required || parameter.name === name)
      .map((parameter) => parameter.name),
  )
  const pruned = (group: RequestCase['query']): RequestCase['query'] => {
    return Object.fromEntries(Object.entries(group).filter(([key]) => kept.has(key)))
  }
  return {
    ...request,
    query: pruned(request.query),
    headers: pruned(request.headers),
    cookies: pruned(request.cookies),
  }
}

/**
 * Every value with the way to it; items of a list share one, except that the first is told from the
 * others.
 */
function leavesOf({ path, query, headers, cookies, body }: RequestCase): readonly Leaf[] {
  const leaves: Leaf[] = []
  const step = (way: string, value: unknown): void => {
    leaves.push({ way, value })
    if (way.length > 400) return
    if (Array.isArray(value)) {
      value
        .slice(0, 6)
        .forEach((item: unknown, index) => step(`${way}/${index === 0 ? '0' : '#'}`, item))
    } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
      for (const [key, item] of Object.entries(value))
        if (item !== undefined) step(`${way}/${key}`, item)
    }
  }
  for (const [place, values] of Object.entries({ path, query, headers, cookies }))
    step(place, values)
  step(`body ${body?.mediaType ?? ''}`, body?.value)
  return leaves
}

function traitsOf({ way, value }: Leaf): readonly string[] {
  if (typeof value === 'string')
    return [`${way} text`, ...textTraits(value).map((trait) => `${way} ${trait}`)]
  if (typeof value === 'number' || typeof value === 'bigint')
    return numberTraits(value).map((trait) => `${way} ${trait}`)
  if (Array.isArray(value)) return [`${way} of ${Math.min(value.length, 3)}`]
  return [
    `${way} ${typeof value === 'object' && value !== null ? `object ${Object.keys(value).length === 0}` : String(value)}`,
  ]
}

function textTraits(text: string): readonly string[] {
  return [
    ...(text === '' ? ['empty'] : []),
    `from ${kindOf(text.charAt(0))}`,
    `to ${kindOf(text.charAt(text.length - 1))}`,
    ...new Set(
      text
        .match(/[^\p{L}\p{N}]/gu)
        ?.slice(0, 8)
        .map((sign) => (sign < '\x7f' ? `with ${sign}` : 'with an odd sign')),
    ),
    ...(/[\u0100-\uffff]/u.test(text) ? ['beyond Latin-1'] : []),
    ...(/[\u{10000}-\u{10ffff}]/u.test(text) ? ['beyond the basic plane'] : []),
    ...(text.trim() === text ? [] : ['with white space at an end']),
    ...(text.length > 100 ? ['long'] : []),
  ]
}

function kindOf(sign: string): string {
  if (/\p{Lu}/u.test(sign)) return 'upper'
  if (/\p{L}/u.test(sign)) return 'lower'
  return /\p{N}/u.test(sign) ? 'digit' : 'sign'
}

function numberTraits(value: number | bigint): readonly string[] {
  const size = Math.abs(Number(value))
  return [
    value < 0 ? 'below zero' : value > 0 ? 'above zero' : 'zero',
    ...(size > 2 ** 31 ? ['beyond 32 bits'] : []),
    ...(size > Number.MAX_SAFE_INTEGER ? ['beyond 53 bits'] : []),
    ...(Number.isInteger(Number(value)) ? [] : ['with a fraction']),
  ]
}

/** Members that other requests have at an object that this one has, too. */
function absences(own: readonly Leaf[], all: readonly (readonly Leaf[])[]): readonly string[] {
  const ways = waysOf(all)
  const given = new Set(own.map(({ way }) => way))
  return [...ways]
    .filter((way) => !given.has(way) && given.has(way.slice(0, way.lastIndexOf('/'))))
    .map((way) => `${way} absent`)
}

const KNOWN_WAYS = new WeakMap<object, ReadonlySet<string>>()

function waysOf(all: readonly (readonly Leaf[])[]): ReadonlySet<string> {
  const known = KNOWN_WAYS.get(all)
  if (known !== undefined) return known
  const ways = new Set(all.flatMap((leaves) => leaves.map(({ way }) => way)))
  KNOWN_WAYS.set(all, ways)
  return ways
}

/**
 * Which request has the least, greatest, shortest or longest value at a place, and each value where
 * there are few.
 */
function extremesOf(all: readonly (readonly Leaf[])[]): readonly (readonly string[])[] {
  const byWay = Map.groupBy(
    all.flatMap((leaves, index) => leaves.map((leaf) => ({ ...leaf, index }))),
    ({ way }) => way,
  )
  const traits = all.map((): string[] => [])
  for (const [way, found] of byWay) {
    const scalars = found.filter(({ value }) => typeof value !== 'object' && value !== undefined)
    const words = new Map(scalars.map(({ value, index }) => [textOf(value), index]))
    if (words.size <= MAX_WORDS)
      for (const [word, index] of words) traits[index]?.push(`${way} is ${word}`)
    for (const [name, measure] of Object.entries(MEASURES)) {
      const measured = found
        .flatMap(({ value, index }) => {
          const size = measure(value)
          return size === undefined ? [] : [{ size, index }]
        })
        .sort((a, b) => (a.size < b.size ? -1 : a.size > b.size ? 1 : 0))
      for (const [end, one] of [
        ['least', measured[0]],
        ['most', measured.at(-1)],
      ] as const) {
        if (one !== undefined) traits[one.index]?.push(`${way} ${end} ${name}`)
      }
    }
  }
  return traits
}

const MEASURES: Readonly<Record<string, (value: unknown) => number | bigint | string | undefined>> =
  {
    size: (value) => (typeof value === 'number' || typeof value === 'bigint' ? value : undefined),
    length: (value) =>
      typeof value === 'string'
        ? [...value].length
        : Array.isArray(value)
          ? value.length
          : undefined,
    order: (value) => (typeof value === 'string' ? value : undefined),
  }

function textOf(value: unknown): string {
  return typeof value === 'object'
    ? JSON.stringify(value, (_key, item: unknown) =>
        typeof item === 'bigint' ? String(item) : item,
      )
    : `${typeof value} ${String(value)}`
}
