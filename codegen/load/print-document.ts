// Brings a document in line with an IR that hooks have changed, so that what /docs shows and diff
// reads is what the server does.
import type {
  HeaderIr,
  InterfaceIr,
  MediaIr,
  OperationIr,
  ParameterIr,
  ResponseIr,
  Schema,
} from '../ir.ts'
import { canonicalJson } from '../json.ts'
import { fields, given, isFields, sortDeep } from '../values.ts'
import type { Fields } from '../values.ts'
import { METHODS } from './keywords.ts'

/**
 * The document of `before` as `after` has it. Where hooks only renamed or dropped operations, the
 * rest stays word for word; else paths and schemas are written anew from the IR, in OpenAPI 3.1 or
 * newer.
 */
export function documentOf(document: Fields, before: InterfaceIr, after: InterfaceIr): Fields {
  const outside = {
    info: { ...fields(document['info']), title: after.title, version: after.version },
    ...after.extensions,
  }
  const shape = (ir: InterfaceIr): string => canonicalJson([ir.schemas, ir.securitySchemes])
  const isKept =
    shape(before) === shape(after) && after.operations.every((one) => isRenamedOnly(before, one))
  const inside = isKept ? { paths: keptPaths(document, after) } : printed(document, after)
  return fields(sortDeep({ ...withoutExtensions(document), ...outside, ...inside }))
}

function isRenamedOnly({ operations }: InterfaceIr, after: OperationIr): boolean {
  const before = operations.find((one) => one.method === after.method && one.path === after.path)
  return (
    before !== undefined &&
    canonicalJson({ ...before, operationId: '' }) === canonicalJson({ ...after, operationId: '' })
  )
}

function keptPaths(document: Fields, { operations }: InterfaceIr): Fields {
  const ids = new Map(
    operations.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]),
  )
  const paths = Object.entries(fields(document['paths'])).map(([path, item]): [string, Fields] => {
    return [
      path,
      Object.fromEntries(
        Object.entries(fields(item)).flatMap(([key, value]): readonly [string, unknown][] => {
          if (!METHODS.some((method) => method === key)) return [[key, value]]
          const operationId = ids.get(`${key.toUpperCase()} ${path}`)
          return operationId === undefined ? [] : [[key, { ...fields(value), operationId }]]
        }),
      ),
    ]
  })
  return Object.fromEntries(
    paths.filter(([, item]) => METHODS.some((method) => isFields(item[method]))),
  )
}

function printed(document: Fields, ir: InterfaceIr): Fields {
  const paths = new Map<string, Record<string, unknown>>()
  for (const operation of ir.operations) {
    paths.set(operation.path, {
      ...paths.get(operation.path),
      [operation.method.toLowerCase()]: printOperation(operation),
    })
  }
  return {
    openapi: ir.openapi.startsWith('3.0') ? '3.1.0' : document['openapi'],
    paths: Object.fromEntries(paths),
    components: { schemas: ir.schemas, securitySchemes: ir.securitySchemes },
  }
}

function printOperation(operation: OperationIr): Fields {
  const {
    operationId,
    summary,
    description,
    tags,
    deprecated,
    parameters,
    body,
    responses,
    security,
    extensions,
  } = operation
  return {
    operationId,
    ...given({ summary, description }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(deprecated ? { deprecated } : {}),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(printParameter) }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: body.required, content: printContent(body.media) } }),
    responses: Object.fromEntries(
      responses.map((response) => [response.status, printResponse(response)]),
    ),
    security,
    ...extensions,
  }
}

function printParameter(parameter: ParameterIr): Fields {
  const { mediaType, schema, extensions, ...rest } = parameter
  if (mediaType === undefined) return { ...rest, schema, ...extensions }
  return { ...named(rest), content: { [mediaType]: { schema } }, ...extensions }
}

/** Style and explode belong to parameters with a schema. */
function named({
  style: _style,
  explode: _explode,
  ...rest
}: Omit<ParameterIr, 'mediaType' | 'schema' | 'extensions'>): Fields {
  return rest
}

function printResponse({ description, media, headers }: ResponseIr): Fields {
  return {
    description,
    ...(media.length === 0 ? {} : { content: printContent(media) }),
    ...(headers.length === 0
      ? {}
      : {
          headers: Object.fromEntries(headers.map((header) => [header.name, printHeader(header)])),
        }),
  }
}

function printHeader({ required, schema }: HeaderIr): {
  readonly required: boolean
  readonly schema: Schema
} {
  return { required, schema }
}

function printContent(media: readonly MediaIr[]): Fields {
  return Object.fromEntries(
    media.map(({ mediaType, schema, examples, encoding }) => [
      mediaType,
      {
        ...given({ schema }),
        ...(examples.length === 0
          ? {}
          : {
              examples: Object.fromEntries(
                examples.map((value, index) => [exampleName(index), { value }]),
              ),
            }),
        ...given({ encoding }),
      },
    ]),
  )
}

/** Sorts as the examples stood. */
function exampleName(index: number): string {
  return `example-${String(index + 1).padStart(3, '0')}`
}

function withoutExtensions(document: Fields): Fields {
  return Object.fromEntries(Object.entries(document).filter(([key]) => !key.startsWith('x-')))
}
