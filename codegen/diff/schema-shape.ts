// Compares what schemas say of the parts of a value: properties, items, and what must not be.
import type { Schema, SchemaObject } from '../ir.ts'
import { into, labelOf, note, noteOneSided, noteUnmatched, only, waysOf } from './comparison.ts'
import type { Spot } from './comparison.ts'
import { REQUEST, RESPONSE } from './rules.ts'
import type { RuleName } from './rules.ts'
import { isFree } from './schema-merge.ts'
import { match, same } from './sets.ts'
import { given } from '../values.ts'

/** Notes changes of every keyword that holds schemas for parts of the value. */
export function compareShape(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  compareProperties(spot, before, after)
  compareRequired(spot, before, after)
  compareAdditional(spot, before.additionalProperties, after.additionalProperties)
  comparePatternProperties(spot, before, after)
  compareSingle(
    into(spot, ' (names)', 'propertyNames'),
    before.propertyNames,
    after.propertyNames,
    NAMES,
  )
  compareSingle(into(spot, '[]', 'items'), before.items, after.items, ITEMS)
  compareTuples(spot, before, after)
  compareNot(spot, before.not, after.not)
}

const NAMES = ['property-names-restricted', 'property-names-freed'] as const
const ITEMS = ['items-restricted', 'items-freed'] as const

function compareProperties(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  const { pairs, gone, fresh } = match(propertiesOf(before), propertiesOf(after))
  for (const [name, old, now] of pairs) {
    spot.in.compare(
      only(into(spot, `.${name}`, 'properties', name), waysOfProperty(spot, before, after, name)),
      old,
      now,
    )
  }
  for (const [name, old] of gone) {
    notePart(spot, before, after, name, 'property-removed', 'old')
    compareNamed(into(spot, `.${name}`, 'properties', name), old, after.additionalProperties)
  }
  for (const [name, now] of fresh) {
    const isRequired = after.required?.includes(name) === true
    notePart(
      spot,
      before,
      after,
      name,
      isRequired ? 'property-added-required' : 'property-added-optional',
      'new',
    )
    compareNamed(into(spot, `.${name}`, 'properties', name), before.additionalProperties, now)
  }
}

/**
 * What one side has by name the other has among others: where these have a schema, so had the one.
 */
function compareNamed(spot: Spot, before: Schema = true, after: Schema = true): void {
  if ([before, after].every((schema) => typeof schema === 'object' && !isFree(schema)))
    spot.in.compare(spot, before, after)
}

function propertiesOf({ properties = {} }: SchemaObject): ReadonlyMap<string, Schema> {
  return new Map(Object.entries(properties))
}

function waysOfProperty(
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
  name: string,
): number {
  const [old, now] = [propertiesOf(before).get(name), propertiesOf(after).get(name)]
  const bits =
    (old === undefined ? 0 : waysOf(spot.in.before, old)) |
    (now === undefined ? 0 : waysOf(spot.in.after, now))
  return old === undefined && now === undefined ? REQUEST | RESPONSE : bits
}

function notePart(
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
  name: string,
  rule: RuleName,
  side?: 'old' | 'new',
): void {
  const at = only(spot, waysOfProperty(spot, before, after, name))
  note(at, rule, {
    name: `'${name}'`,
    keys: ['properties', name],
    ...given({ only: side }),
  })
}

/** A property that came or went has been noted with whether it is required. */
function compareRequired(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  const [old, now] = [before.required ?? [], after.required ?? []]
  const [wasThere, isThere] = [propertiesOf(before), propertiesOf(after)]
  const lost = old.filter(
    (name) => !now.includes(name) && !(wasThere.has(name) && !isThere.has(name)),
  )
  const won = now.filter(
    (name) => !old.includes(name) && !(isThere.has(name) && !wasThere.has(name)),
  )
  for (const name of lost) notePart(spot, before, after, name, 'property-became-optional')
  for (const name of won) notePart(spot, before, after, name, 'property-became-required')
  const isSameSet = old.length === now.length && old.every((name) => now.includes(name))
  if (isSameSet && !same(old, now))
    note(spot, 'required-reordered', { before: old, after: now, keys: ['required'] })
}

function compareAdditional(spot: Spot, before: Schema = true, after: Schema = true): void {
  const keys = ['additionalProperties']
  const [isOldFree, isNowFree] = [isFree(before), isFree(after)]
  if ((same(before, after) && typeof before === 'boolean') || (isOldFree && isNowFree)) return
  if (after === false) return note(spot, 'additional-properties-forbidden', { keys })
  if (before === false) return note(spot, 'additional-properties-allowed', { keys })
  if (isOldFree) return note(spot, 'additional-properties-restricted', { keys })
  if (isNowFree) return note(spot, 'additional-properties-freed', { keys })
  spot.in.compare(into(spot, '.*', 'additionalProperties'), before, after)
}

function comparePatternProperties(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  const of = ({ patternProperties = {} }: SchemaObject): ReadonlyMap<string, Schema> =>
    new Map(Object.entries(patternProperties))
  const matched = match(of(before), of(after))
  for (const [name, old, now] of matched.pairs)
    spot.in.compare(into(spot, `./${name}/`, 'patternProperties', name), old, now)
  noteUnmatched(spot, matched, PATTERNS, (_, name) => ({
    name,
    keys: ['patternProperties', name],
  }))
}

const PATTERNS = ['pattern-property-added', 'pattern-property-removed'] as const

function compareSingle(
  spot: Spot,
  before: Schema | undefined,
  after: Schema | undefined,
  rules: readonly [RuleName, RuleName],
): void {
  if (isFree(before ?? true) && isFree(after ?? true)) return
  if (!noteOneSided(spot, said(before), said(after), rules)) spot.in.compare(spot, before, after)
}

function said(schema: Schema | undefined): string | undefined {
  return schema === undefined ? undefined : labelOf(schema)
}

/** An item that has no schema of its own has that of the rest. */
function compareTuples(spot: Spot, before: SchemaObject, after: SchemaObject): void {
  const length = Math.max(before.prefixItems?.length ?? 0, after.prefixItems?.length ?? 0)
  for (let index = 0; index < length; index += 1) {
    const [old, now] = [
      before.prefixItems?.[index] ?? before.items ?? true,
      after.prefixItems?.[index] ?? after.items ?? true,
    ]
    const at = into(spot, `[${index}]`, 'prefixItems', String(index))
    if (isFree(old) && !isFree(now))
      note(at, 'tuple-item-added', { name: String(index), only: 'new' })
    else if (isFree(now) && !isFree(old))
      note(at, 'tuple-item-removed', { name: String(index), only: 'old' })
    else spot.in.compare(at, old, now)
  }
}

/** Inside of `not` narrower is wider: no rule would judge it rightly, so any difference counts. */
function compareNot(spot: Spot, before: Schema | undefined, after: Schema | undefined): void {
  const [old, now] = [said(before), said(after)]
  const keys = ['not']
  if (noteOneSided(spot, old, now, ['not-added', 'not-removed'], { keys })) return
  if (same(before, after)) return spot.in.compare(into(spot, ' (not)', 'not'), before, after)
  note(spot, 'not-changed', { before: old, after: now, keys })
}
