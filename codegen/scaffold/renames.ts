// What `x-renamed-from` of a document means for hand-written code: names of operations, of
// generated types, and of what a handler reads from its input.
import { operationTypeNames, schemaTypeNames } from '../emit/names.ts'
import type { InterfaceIr, MediaIr, OperationIr, ParameterPlace, Schema } from '../ir.ts'
import { refName } from '../load/refs.ts'
import { isFields, text } from '../values.ts'
import { operationRenames } from './plan.ts'
import type { GeneratedKind } from './names.ts'

/** An exported type of a generated file that has another name now. */
export interface TypeRename {
  readonly interface: string
  readonly file: GeneratedKind
  readonly from: string
  readonly to: string
}

/**
 * A member of a handler's input. Each step on the way to it may be written under any of its names.
 */
export interface ReadRename {
  readonly steps: readonly (readonly string[])[]
  readonly from: string
  readonly to: string
}

const GROUPS: Readonly<Record<ParameterPlace, string>> = {
  path: 'path',
  query: 'query',
  header: 'headers',
  cookie: 'cookies',
}
const MAX_DEPTH = 8

/**
 * Types that follow from renamed operations and schemas. A name that another type has now is no
 * rename.
 */
export function typeRenames(ir: InterfaceIr): readonly TypeRename[] {
  return [...operationTypes(ir), ...schemaTypes(ir)]
}

function operationTypes(ir: InterfaceIr): readonly TypeRename[] {
  const now = operationTypeNames(ir)
  const taken = new Set(now.values())
  const suffixes: readonly (readonly [GeneratedKind, string])[] = [
    ['handlers', 'Input'],
    ['handlers', 'Reply'],
    ['client', 'Request'],
    ['client', 'Answer'],
  ]
  return operationRenames(ir).flatMap(({ from, operation }) => {
    const former = ir.operations.map((one) =>
      one === operation ? { ...one, operationId: from } : one,
    )
    const [was, is] = [
      operationTypeNames({ ...ir, operations: former }).get(from),
      now.get(operation.operationId),
    ]
    if (was === undefined || is === undefined || was === is || taken.has(was)) return []
    return suffixes.map(([file, suffix]): TypeRename => ({
      interface: ir.name,
      file,
      from: was + suffix,
      to: is + suffix,
    }))
  })
}

function schemaTypes(ir: InterfaceIr): readonly TypeRename[] {
  const now = schemaTypeNames(ir)
  const taken = new Set(now.values())
  return Object.entries(ir.schemas).flatMap(([name, schema]): readonly TypeRename[] => {
    const from = renamedFrom(schema)
    if (from === undefined || ir.schemas[from] !== undefined) return []
    const others = Object.entries(ir.schemas).filter(([one]) => one !== name)
    const was = schemaTypeNames({
      ...ir,
      schemas: { ...Object.fromEntries(others), [from]: schema },
    }).get(from)
    const is = now.get(name)
    return was === undefined || is === undefined || was === is || taken.has(was)
      ? []
      : [{ interface: ir.name, file: 'types', from: was, to: is }]
  })
}

function renamedFrom(schema: Schema | undefined): string | undefined {
  return isFields(schema) ? text(schema['x-renamed-from']) : undefined
}

/** Reads of a handler's input under a former name. */
export function readRenames(ir: InterfaceIr, operation: OperationIr): readonly ReadRename[] {
  const parameters = operation.parameters.flatMap(
    ({ name, in: place, extensions }): readonly ReadRename[] => {
      const from = text(extensions['x-renamed-from'])
      const isThere = operation.parameters.some(
        (other) => other.in === place && other.name === from,
      )
      return from === undefined || isThere ? [] : [{ steps: [[GROUPS[place]]], from, to: name }]
    },
  )
  const body =
    operation.body?.media.flatMap(({ schema }) => propertyRenames(ir, schema, [['body']])) ?? []
  return distinct([...parameters, ...body])
}

/**
 * Properties with other names of which nobody can say where they are used: of replies, which are
 * written, and of items of a body.
 */
export function toldRenames(
  ir: InterfaceIr,
  operation: OperationIr,
): readonly Pick<ReadRename, 'from' | 'to'>[] {
  const all = (media: readonly MediaIr[]): readonly ReadRename[] =>
    media.flatMap(({ schema }) => propertyRenames(ir, schema, [['body']], true))
  const reads = readRenames(ir, operation)
  const body = all(operation.body?.media ?? []).filter(
    ({ from, to }) => !reads.some((one) => one.from === from && one.to === to),
  )
  return distinct(
    [...body, ...operation.responses.flatMap(({ media }) => all(media))].map(({ from, to }) => ({
      from,
      to,
    })),
  )
}

function distinct<T>(renames: readonly T[]): readonly T[] {
  return [...new Map(renames.map((one) => [JSON.stringify(one), one])).values()]
}

/**
 * Renamed properties that are reached through properties alone; through lists and alternatives too
 * where `anywhere`.
 */
function propertyRenames(
  ir: InterfaceIr,
  schema: Schema | undefined,
  steps: ReadRename['steps'],
  anywhere = false,
): readonly ReadRename[] {
  if (schema === undefined || typeof schema === 'boolean' || steps.length > MAX_DEPTH) return []
  const inside = (one: Schema | undefined, path = steps): readonly ReadRename[] =>
    propertyRenames(ir, one, path, anywhere)
  const target = schema.$ref === undefined ? [] : inside(ir.schemas[refName(schema.$ref)])
  const properties = schema.properties ?? {}
  const own = Object.entries(properties).flatMap(([name, property]): readonly ReadRename[] => {
    const was = renamedFrom(property)
    const from = was === undefined || properties[was] !== undefined ? undefined : was
    const deeper = inside(property, [...steps, from === undefined ? [name] : [name, from]])
    return from === undefined ? deeper : [{ steps, from, to: name }, ...deeper]
  })
  const alternatives = anywhere
    ? [
        ...(schema.oneOf ?? []),
        ...(schema.anyOf ?? []),
        ...(schema.items === undefined ? [] : [schema.items]),
      ]
    : []
  return [
    ...target,
    ...own,
    ...[...(schema.allOf ?? []), ...alternatives].flatMap((one) =>
      inside(one, anywhere ? [...steps, ['*']] : steps),
    ),
  ]
}
