// Renames operations and schemas of an IR with everything that names them: what hooks of plugins do
// most.
import type { InterfaceIr, Schema, SchemaObject } from './ir.ts'
import { mapSchemas } from './load/map-operation.ts'
import { mapSchema, renameRefs } from './load/map-schema.ts'
import { schemaRef } from './load/refs.ts'
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
  const names = new Map([[from, to]])
  const change = (schema: Schema): Schema =>
    mapSchema(schema, (one) => renameRefs(withTag(one, from, to), names))
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

/** The schema with a mapping for a branch, renamed already, whose former name is its tag. */
function withTag(schema: SchemaObject, from: string, to: string): SchemaObject {
  const { discriminator, oneOf = [], anyOf = [] } = schema
  const mapping = discriminator?.mapping ?? {}
  const branch = schemaRef(to)
  const isBranch = [...oneOf, ...anyOf].some(
    (one) => typeof one === 'object' && one.$ref === branch,
  )
  const ref = schemaRef(from)
  if (discriminator === undefined || !isBranch || Object.values(mapping).includes(ref))
    return schema
  const tagged = Object.fromEntries(sortedEntries({ ...mapping, [from]: ref }))
  return { ...schema, discriminator: { ...discriminator, mapping: tagged } }
}
