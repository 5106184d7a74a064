// A resolved document as rules look at it: its operations and every schema in it, each with its
// path.
import type { LoadedInterface } from '../load/load-interface.ts'
import { METHODS, SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_SINGLES } from '../load/keywords.ts'
import { refName } from '../load/refs.ts'
import { openapiVersion } from '../load/source.ts'
import type { Path } from '../load/source.ts'
import { fields, isFields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'

const MAX_REF_CHAIN = 50

/** An object of the document and the path to it. */
export interface Node {
  readonly path: Path
  readonly value: Fields
}

export interface OperationNode extends Node {
  /** The method in capitals. */
  readonly method: string
  readonly template: string
  /** `GET /users/{id}`, for messages. */
  readonly label: string
  readonly parameters: readonly Node[]
  /** Responses by status. */
  readonly responses: readonly (Node & { readonly status: string })[]
}

export interface MediaNode extends Node {
  readonly mediaType: string
}

/** Offers of a run's documents to each other: operation ids, and paths with their mount. */
export interface Neighbours {
  readonly operationIds: ReadonlySet<string>
  readonly paths: ReadonlySet<string>
}

export interface Model {
  /** '3.0', '3.1' or '3.2'. */
  readonly version: string
  readonly document: Fields
  readonly operations: readonly OperationNode[]
  /** Every schema at every depth, references not followed. */
  readonly schemas: readonly Node[]
  readonly neighbours: Neighbours
  readonly patternCost: PatternCost
}

/** The cost of a regular expression; undefined if it is in proportion. */
export type PatternCost = (pattern: string) => string | undefined

/** The model of a loaded document among the documents of the run. */
export function modelOf(
  { document }: Pick<LoadedInterface, 'document'>,
  neighbours: Neighbours,
  patternCost: PatternCost,
): Model {
  const operations = operationsOf(document)
  return {
    version: openapiVersion(document).slice(0, 3),
    document,
    operations,
    schemas: [...schemasOf(document, operations)],
    neighbours,
    patternCost,
  }
}

/** Offers of a document to others. */
export function offers({ document }: Pick<LoadedInterface, 'document'>): Neighbours {
  const mount = text(fields(document['x-interface'])['mount']) ?? ''
  const operations = operationsOf(document)
  return {
    operationIds: new Set(operations.flatMap(({ value }) => text(value['operationId']) ?? [])),
    paths: new Set(operations.map(({ template }) => mount + template)),
  }
}

/** Operations, with those of methods that only `additionalOperations` of 3.2 can name. */
function operationsOf(document: Fields): readonly OperationNode[] {
  return Object.entries(fields(document['paths'])).flatMap(([template, item]) => {
    const path = ['paths', template]
    const more = fields(fields(item)['additionalOperations'])
    return [
      ...METHODS.flatMap((method) =>
        operationNode([...path, method], template, method.toUpperCase(), fields(item)[method]),
      ),
      ...Object.entries(more).flatMap(([method, value]) =>
        operationNode([...path, 'additionalOperations', method], template, method, value),
      ),
    ]
  })
}

function operationNode(
  path: Path,
  template: string,
  method: string,
  value: unknown,
): readonly OperationNode[] {
  if (!isFields(value)) return []
  const parameters = items(value['parameters']).map((one, index) => ({
    path: [...path, 'parameters', String(index)],
    value: fields(one),
  }))
  const responses = Object.entries(fields(value['responses'])).map(([status, one]) => ({
    status,
    path: [...path, 'responses', status],
    value: fields(one),
  }))
  return [{ path, value, method, template, label: `${method} ${template}`, parameters, responses }]
}

/** The media types of a request body, response or parameter. */
export function mediaOf({ path, value }: Node): readonly MediaNode[] {
  return Object.entries(fields(value['content'])).map(([mediaType, one]) => ({
    mediaType,
    path: [...path, 'content', mediaType],
    value: fields(one),
  }))
}

/** The request body; undefined where there is none. */
export function bodyOf({ path, value }: OperationNode): Node | undefined {
  const body = value['requestBody']
  return isFields(body) ? { path: [...path, 'requestBody'], value: body } : undefined
}

/** The schema after its references; an empty schema without one. */
export function deref({ document }: Pick<Model, 'document'>, schema: unknown): Fields {
  const schemas = fields(fields(document['components'])['schemas'])
  let found = fields(schema)
  for (let hops = 0; hops < MAX_REF_CHAIN; hops += 1) {
    const ref = text(found['$ref'])
    if (ref === undefined) return found
    found = fields(schemas[refName(ref)])
  }
  return {}
}

/** Types that a schema's `type` names, null apart; none when it has no `type`. */
export function typesOf(schema: Fields): readonly string[] {
  const given = Array.isArray(schema['type']) ? items(schema['type']) : [schema['type']]
  return given.flatMap((one) => (typeof one === 'string' && one !== 'null' ? [one] : []))
}

function* schemasOf(document: Fields, operations: readonly OperationNode[]): Generator<Node> {
  for (const [name, schema] of Object.entries(fields(fields(document['components'])['schemas']))) {
    yield* below(['components', 'schemas', name], schema)
  }
  for (const operation of operations) {
    for (const parameter of operation.parameters) yield* ofHolder(parameter)
    const body = bodyOf(operation)
    if (body !== undefined) yield* ofHolder(body)
    for (const response of operation.responses) yield* ofResponse(response)
  }
}

function* ofResponse(response: Node): Generator<Node> {
  yield* ofHolder(response)
  for (const [name, header] of Object.entries(fields(response.value['headers']))) {
    yield* ofHolder({ path: [...response.path, 'headers', name], value: fields(header) })
  }
}

function* ofHolder(node: Node): Generator<Node> {
  for (const { path, value } of [node, ...mediaOf(node)]) {
    for (const key of ['schema', 'itemSchema'])
      if (key in value) yield* below([...path, key], value[key])
  }
}

function* below(path: Path, schema: unknown): Generator<Node> {
  if (!isFields(schema)) return
  yield { path, value: schema }
  for (const [key, item] of Object.entries(schema)) {
    if (SCHEMA_SINGLES.has(key)) yield* below([...path, key], item)
    const isMap = SCHEMA_MAPS.has(key) && isFields(item)
    const isList = SCHEMA_LISTS.has(key) && Array.isArray(item)
    if (isMap || isList)
      for (const [name, one] of Object.entries(item)) yield* below([...path, key, name], one)
  }
}
