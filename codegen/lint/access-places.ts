// Follows the places that `x-access` names (`path.NAME`, `query.NAME`, `body.A.B`) into what an
// operation declares.
import { fields, isFields, items } from '../values.ts'
import type { Fields } from '../values.ts'
import { bodyOf, deref, mediaOf } from './model.ts'
import type { Model, OperationNode } from './model.ts'

const COMPOSED = ['allOf', 'anyOf', 'oneOf'] as const

/** True for the form of a place. */
export function isPlace(where: unknown): where is string {
  return typeof where === 'string' && /^(?:path|query|body)\../u.test(where)
}

/** Schemas that may stand at a place of an operation's requests; none when it is not declared. */
export function schemasAt(
  model: Model,
  operation: OperationNode,
  where: string,
): readonly unknown[] {
  const [place, ...names] = where.split('.')
  if (place === 'body')
    return names.reduce<readonly unknown[]>(
      (found, name) => found.flatMap((one) => members(model, one, name, new Set())),
      bodies(operation),
    )
  const name = names.join('.')
  return operation.parameters
    .filter(({ value }) => value['in'] === place && value['name'] === name)
    .map(({ value }) => value['schema'] ?? true)
}

function bodies(operation: OperationNode): readonly unknown[] {
  const body = bodyOf(operation)
  return body === undefined ? [] : mediaOf(body).map(({ value }) => value['schema'] ?? true)
}

/**
 * The member `name` of a schema's values; of lists, that of their items. What was `seen` is not
 * looked at again.
 */
function members(
  model: Model,
  schema: unknown,
  name: string,
  seen: Set<unknown>,
): readonly unknown[] {
  if (schema === true) return [true]
  const value = deref(model, schema)
  if (seen.has(value)) return []
  seen.add(value)
  const composed = COMPOSED.flatMap((key) => items(value[key])).flatMap((one) =>
    members(model, one, name, seen),
  )
  const ofItems = value['items'] === undefined ? [] : members(model, value['items'], name, seen)
  return [...ownMembers(value, name), ...ofItems, ...composed]
}

function ownMembers(value: Fields, name: string): readonly unknown[] {
  const properties = fields(value['properties'])
  if (Object.hasOwn(properties, name)) return [properties[name]]
  return isFields(value['additionalProperties']) ? [value['additionalProperties']] : []
}

/**
 * True when values of a schema can be texts, or lists of texts, at any depth of its alternatives.
 */
export function canBeText(model: Model, schema: unknown, seen: Set<unknown> = new Set()): boolean {
  if (!isFields(schema)) return true
  const value = deref(model, schema)
  if (seen.has(value)) return false
  seen.add(value)
  const alternatives = [...items(value['anyOf']), ...items(value['oneOf'])]
  if (alternatives.length > 0) return alternatives.some((one) => canBeText(model, one, seen))
  const types = Array.isArray(value['type']) ? items(value['type']) : [value['type']]
  if (types.includes('array')) return canBeText(model, value['items'], seen)
  return value['type'] === undefined || types.includes('string')
}
