// Compares component schemas: each pair of schemas that stand in the same place somewhere is
// compared once, however many places.
import type { InterfaceIr, OperationIr } from '../ir.ts'
import { refsIn } from '../load/refs.ts'
import { isFields, text } from '../values.ts'
import { note } from './comparison.ts'
import type { Comparison, Link, Notes, Spot } from './comparison.ts'
import { isRewritten } from './rewritten.ts'
import { compareSchemas } from './schema.ts'

export interface SchemaPair extends Notes {
  readonly old: string
  readonly new: string
}

/** Former names of component schemas by the new ones, as `x-renamed-from` says on either side. */
export function renamedSchemas(
  before: InterfaceIr,
  after: InterfaceIr,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  const add = (old: string, now: string): void => {
    const isFree = !Object.hasOwn(after.schemas, old) && !Object.hasOwn(before.schemas, now)
    if (
      isFree &&
      Object.hasOwn(before.schemas, old) &&
      Object.hasOwn(after.schemas, now) &&
      !renamed.has(now)
    )
      renamed.set(now, old)
  }
  for (const [now, old] of formerNames(after)) add(old, now)
  for (const [old, now] of formerNames(before))
    if (![...renamed.values()].includes(old)) add(old, now)
  return renamed
}

function formerNames({ schemas }: InterfaceIr): readonly (readonly [string, string])[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const former = isFields(schema) ? text(schema['x-renamed-from']) : undefined
    return former === undefined ? [] : [[name, former] as const]
  })
}

/** Key of a pair of component schemas. */
export function pairKey({ old, new: now }: { readonly old: string; readonly new: string }): string {
  return `${old}\n${now}`
}

/**
 * Compares every pair that `links` and what is found on the way lead to, and those of the same
 * name. By key.
 */
export function compareAllSchemas(
  shared: Omit<Comparison, 'to'>,
  links: readonly Link[],
): ReadonlyMap<string, SchemaPair> {
  const { before, after, renamed } = shared
  const pairs = new Map<string, SchemaPair>()
  const waiting: SchemaPair[] = []
  const add = (old: string, now: string): void => {
    const pair: SchemaPair = { old, new: now, notes: [], links: [] }
    const isKnown =
      pairs.has(pairKey(pair)) ||
      !Object.hasOwn(before.schemas, old) ||
      !Object.hasOwn(after.schemas, now)
    if (isKnown) return
    pairs.set(pairKey(pair), pair)
    waiting.push(pair)
  }
  for (const name of Object.keys(after.schemas)) add(renamed.get(name) ?? name, name)
  for (const link of links) add(link.old, link.new)
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    comparePair({ ...shared, to: pair }, pair)
    for (const link of pair.links) add(link.old, link.new)
  }
  return pairs
}

const BOTH_WAYS = 3

function comparePair(comparison: Comparison, { old, new: now, notes, links }: SchemaPair): void {
  const spot: Spot = {
    in: comparison,
    old: ['components', 'schemas', old],
    new: ['components', 'schemas', now],
    subject: old === now ? now : `${now} (was ${old})`,
    ways: BOTH_WAYS,
  }
  const [one, other] = [comparison.before.schemas[old], comparison.after.schemas[now]]
  if (comparison.renamed.get(now) === old) note(spot, 'schema-renamed', { before: old, after: now })
  compareSchemas(spot, one, other)
  const isSilent = links.every((link) => link.old === link.new)
  if (isSilent && isRewritten(notes, one, other)) note(spot, 'schema-rewritten')
}

/**
 * Notes component schemas that only one document has. `kept`: the old operations that are still
 * there.
 */
export function noteNames(comparison: Comparison, kept: readonly OperationIr[]): void {
  const { before, after, renamed } = comparison
  const former = new Set(renamed.values())
  const used = new Set(refsIn(kept))
  for (const name of used) for (const next of refsIn(before.schemas[name])) used.add(next)
  const spotOf = (name: string): Spot => {
    const path = ['components', 'schemas', name]
    return { in: comparison, old: path, new: path, subject: name, ways: 0 }
  }
  for (const name of Object.keys(before.schemas)) {
    if (Object.hasOwn(after.schemas, name) || former.has(name)) continue
    note(spotOf(name), used.has(name) ? 'schema-removed' : 'unused-schema-removed', {
      only: 'old',
    })
  }
  for (const name of Object.keys(after.schemas)) {
    if (!Object.hasOwn(before.schemas, name) && !renamed.has(name))
      note(spotOf(name), 'schema-added', { only: 'new' })
  }
}
