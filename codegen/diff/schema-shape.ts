// Compares what schemas say of the parts of a value: properties, items, and what must not be.
import type { Schema, SchemaObject } from '../ir.ts'
import { into, labelOf, note, only, waysOf } from './comparison.ts'
import type { Compare, Comparison, Spot } from './comparison.ts'
import { REQUEST, RESPONSE } from './rules.ts'
import type { RuleName } from './rules.ts'
import { isFree } from './schema-merge.ts'
import { match, same } from './sets.ts'

/** Notes changes of every keyword that holds schemas for parts of the value. */
export function compareShape(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
  compare: Compare,
): void {
  compareProperties(comparison, spot, before, after, compare)
  compareRequired(comparison, spot, before, after)
  compareAdditional(
    comparison,
    spot,
    before.additionalProperties,
    after.additionalProperties,
    compare,
  )
  comparePatternProperties(comparison, spot, before, after, compare)
  compareSingle(
    comparison,
    into(spot, ' (names)', 'propertyNames'),
    before.propertyNames,
    after.propertyNames,
    NAMES,
    compare,
  )
  compareSingle(comparison, into(spot, '[]', 'items'), before.items, after.items, ITEMS, compare)
  compareTuples(comparison, spot, before, after, compare)
  compareNot(comparison, spot, before.not, after.not, compare)
}

const NAMES = ['property-names-restricted', 'property-names-freed'] as const
const ITEMS = ['items-restricted', 'items-freed'] as const

function compareProperties(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
  compare: Compare,
): void {
  const { pairs, gone, fresh } = match(propertiesOf(before), propertiesOf(after))
  for (const [name, old, now] of pairs) {
    compare(
      comparison,
      only(
        into(spot, `.${name}`, 'properties', name),
        waysOfProperty(comparison, before, after, name),
      ),
      old,
      now,
    )
  }
  for (const [name, old] of gone) {
    notePart(comparison, spot, before, after, name, 'property-removed', 'old')
    compareNamed(
      comparison,
      into(spot, `.${name}`, 'properties', name),
      old,
      after.additionalProperties,
      compare,
    )
  }
  for (const [name, now] of fresh) {
    const isRequired = after.required?.includes(name) === true
    notePart(
      comparison,
      spot,
      before,
      after,
      name,
      isRequired ? 'property-added-required' : 'property-added-optional',
      'new',
    )
    compareNamed(
      comparison,
      into(spot, `.${name}`, 'properties', name),
      before.additionalProperties,
      now,
      compare,
    )
  }
}

/**
 * What one side has by name the other has among others: where these have a schema, so had the one.
 */
function compareNamed(
  comparison: Comparison,
  spot: Spot,
  before: Schema = true,
  after: Schema = true,
  compare: Compare,
): void {
  if ([before, after].every((schema) => typeof schema === 'object' && !isFree(schema)))
    compare(comparison, spot, before, after)
}

function propertiesOf({ properties = {} }: SchemaObject): ReadonlyMap<string, Schema> {
  return new Map(Object.entries(properties))
}

function waysOfProperty(
  comparison: Comparison,
  before: SchemaObject,
  after: SchemaObject,
  name: string,
): number {
  const [old, now] = [propertiesOf(before).get(name), propertiesOf(after).get(name)]
  const bits =
    (old === undefined ? 0 : waysOf(comparison.before, old)) |
    (now === undefined ? 0 : waysOf(comparison.after, now))
  return old === undefined && now === undefined ? REQUEST | RESPONSE : bits
}

function notePart(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
  name: string,
  rule: RuleName,
  side?: 'old' | 'new',
): void {
  const at = only(spot, waysOfProperty(comparison, before, after, name))
  note(comparison, at, rule, {
    name: `'${name}'`,
    keys: ['properties', name],
    ...(side === undefined ? {} : { only: side }),
  })
}

/** A property that came or went has been noted with whether it is required. */
function compareRequired(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
): void {
  const [old, now] = [before.required ?? [], after.required ?? []]
  const [wasThere, isThere] = [propertiesOf(before), propertiesOf(after)]
  const lost = old.filter(
    (name) => !now.includes(name) && !(wasThere.has(name) && !isThere.has(name)),
  )
  const won = now.filter(
    (name) => !old.includes(name) && !(isThere.has(name) && !wasThere.has(name)),
  )
  for (const name of lost)
    notePart(comparison, spot, before, after, name, 'property-became-optional')
  for (const name of won)
    notePart(comparison, spot, before, after, name, 'property-became-required')
  const isSameSet = old.length === now.length && old.every((name) => now.includes(name))
  if (isSameSet && !same(old, now))
    note(comparison, spot, 'required-reordered', { before: old, after: now, keys: ['required'] })
}

function compareAdditional(
  comparison: Comparison,
  spot: Spot,
  before: Schema = true,
  after: Schema = true,
  compare: Compare,
): void {
  const keys = ['additionalProperties']
  const [isOldFree, isNowFree] = [isFree(before), isFree(after)]
  if ((same(before, after) && typeof before === 'boolean') || (isOldFree && isNowFree)) return
  if (after === false) return note(comparison, spot, 'additional-properties-forbidden', { keys })
  if (before === false) return note(comparison, spot, 'additional-properties-allowed', { keys })
  if (isOldFree) return note(comparison, spot, 'additional-properties-restricted', { keys })
  if (isNowFree) return note(comparison, spot, 'additional-properties-freed', { keys })
  compare(comparison, into(spot, '.*', 'additionalProperties'), before, after)
}

function comparePatternProperties(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
  compare: Compare,
): void {
  const of = ({ patternProperties = {} }: SchemaObject): ReadonlyMap<string, Schema> =>
    new Map(Object.entries(patternProperties))
  const { pairs, gone, fresh } = match(of(before), of(after))
  for (const [name, old, now] of pairs)
    compare(comparison, into(spot, `./${name}/`, 'patternProperties', name), old, now)
  for (const [name] of gone)
    note(comparison, spot, 'pattern-property-removed', {
      name,
      keys: ['patternProperties', name],
      only: 'old',
    })
  for (const [name] of fresh)
    note(comparison, spot, 'pattern-property-added', {
      name,
      keys: ['patternProperties', name],
      only: 'new',
    })
}

function compareSingle(
  comparison: Comparison,
  spot: Spot,
  before: Schema | undefined,
  after: Schema | undefined,
  [restricted, freed]: readonly [RuleName, RuleName],
  compare: Compare,
): void {
  if (
    (before === undefined && after === undefined) ||
    (isFree(before ?? true) && isFree(after ?? true))
  )
    return
  if (before === undefined)
    return note(comparison, spot, restricted, { after: labelOf(after ?? true), only: 'new' })
  if (after === undefined)
    return note(comparison, spot, freed, { before: labelOf(before), only: 'old' })
  compare(comparison, spot, before, after)
}

/** An item that has no schema of its own has that of the rest. */
function compareTuples(
  comparison: Comparison,
  spot: Spot,
  before: SchemaObject,
  after: SchemaObject,
  compare: Compare,
): void {
  const length = Math.max(before.prefixItems?.length ?? 0, after.prefixItems?.length ?? 0)
  for (let index = 0; index < length; index += 1) {
    const [old, now] = [
      before.prefixItems?.[index] ?? before.items ?? true,
      after.prefixItems?.[index] ?? after.items ?? true,
    ]
    const at = into(spot, `[${index}]`, 'prefixItems', String(index))
    if (isFree(old) && !isFree(now))
      note(comparison, at, 'tuple-item-added', { name: String(index), only: 'new' })
    else if (isFree(now) && !isFree(old))
      note(comparison, at, 'tuple-item-removed', { name: String(index), only: 'old' })
    else compare(comparison, at, old, now)
  }
}

/** Inside of `not` narrower is wider: no rule would judge it rightly, so any difference counts. */
function compareNot(
  comparison: Comparison,
  spot: Spot,
  before: Schema | undefined,
  after: Schema | undefined,
  compare: Compare,
): void {
  if (before === undefined && after === undefined) return
  const detail = {
    ...(before === undefined ? {} : { before: labelOf(before) }),
    ...(after === undefined ? {} : { after: labelOf(after) }),
    keys: ['not'],
  }
  if (before === undefined) return note(comparison, spot, 'not-added', { ...detail, only: 'new' })
  if (after === undefined) return note(comparison, spot, 'not-removed', { ...detail, only: 'old' })
  if (same(before, after)) return compare(comparison, into(spot, ' (not)', 'not'), before, after)
  note(comparison, spot, 'not-changed', detail)
}
