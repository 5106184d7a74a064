// Renames operations and schemas of an IR with everything that names them: what hooks of plugins do
// most.
import type { InterfaceIr, Schema, SchemaObject } from './ir.ts'
import { mapInner } from './keywords/walk.ts'
import { mapSchemas } from './load/map-operation.ts'
import { refName, schemaRef } from './load/refs.ts'
import { compareText, sortedEntries } from './values.ts'

/**
 * A copy in which the operation `from` is called `to`. Throws when there is no `from`, or a `to`
 * already.
 */
export function renameOperation(ir: InterfaceIr, from: string, to: string): InterfaceIr {
  const ids = ir.operations.map(({ operationId }) => operationId)
  refuse('operation', ids, from, to)
  return {
    ...ir,
    operations: ir.operations.map((one) =>
      one.operationId === from ? { ...one, operationId: to } : one,
    ),
  }
}

/**
 * A copy in which the schema `from` is called `to`, in references too. Values stay as they are:
 * where the name served as the tag of a discriminator, a mapping keeps the tag. Throws when there
 * is no `from`, or a `to` already.
 */
export function renameSchema(ir: InterfaceIr, from: string, to: string): InterfaceIr {
  refuse('schema', Object.keys(ir.schemas), from, to)
  const change = (schema: Schema): Schema => renamed(schema, from, to)
  const schemas = Object.entries(ir.schemas).map(([name, schema]): [string, Schema] => [
    name === from ? to : name,
    change(schema),
  ])
  return {
    ...ir,
    schemas: Object.fromEntries(schemas.sort(([a], [b]) => compareText(a, b))),
    operations: ir.operations.map((operation) => mapSchemas(operation, change)),
  }
}

function refuse(what: string, names: readonly string[], from: string, to: string): void {
  if (!names.includes(from)) throw new Error(`there is no ${what} '${from}'`)
  if (names.includes(to) && from !== to) throw new Error(`there is a ${what} '${to}' already`)
}

function renamed(schema: Schema, from: string, to: string): Schema {
  if (typeof schema === 'boolean') return schema
  return {
    ...mapInner(schema, (one) => renamed(one, from, to)),
    ...(schema.$ref === schemaRef(from) ? { $ref: schemaRef(to) } : {}),
    ...discriminatorOf(schema, from, to),
  }
}

function discriminatorOf(
  schema: SchemaObject,
  from: string,
  to: string,
): Pick<SchemaObject, 'discriminator'> {
  const { discriminator, oneOf = [], anyOf = [] } = schema
  if (discriminator === undefined) return {}
  const mapping = Object.entries(discriminator.mapping ?? {})
  const isMapped = mapping.some(([, target]) => refName(target) === from)
  const isBranch = [...oneOf, ...anyOf].some(
    (branch) => typeof branch === 'object' && branch.$ref === schemaRef(from),
  )
  const changed = mapping.map(([tag, target]): [string, string] => [
    tag,
    target === schemaRef(from) ? schemaRef(to) : target,
  ])
  const all = isBranch && !isMapped ? [...changed, [from, schemaRef(to)]] : changed
  if (all.length === 0) return {}
  return {
    discriminator: {
      ...discriminator,
      mapping: Object.fromEntries(sortedEntries(Object.fromEntries(all))),
    },
  }
}
