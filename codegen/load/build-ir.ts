// Builds the IR of one interface from its resolved document, and lints what only shows there:
// operation ids, path parameters.
import { IR_VERSION } from '../ir.ts'
import type { HeaderIr, InterfaceIr, MediaIr, OperationIr, ResponseIr, SourcePlace } from '../ir.ts'
import type { Finding } from '../findings.ts'
import {
  extensions,
  fields,
  isFields,
  items,
  sortDeep,
  sortedEntries,
  text,
  texts,
} from '../values.ts'
import type { Fields } from '../values.ts'
import { finding } from '../rules/document-rules.ts'
import type { DocumentRule } from '../rules/document-rules.ts'
import { buildParameters, valueForm } from './build-parameters.ts'
import { tagExtensions } from './discriminators.ts'
import type { ResolvedDocument } from './document.ts'
import { itemsOf } from './items.ts'
import { METHODS } from './keywords.ts'
import { normaliseSchema } from './normalise.ts'
import { splitByWay } from './read-write.ts'
import { withWholeNumbers } from './whole-numbers.ts'
import { given } from '../values.ts'

/** Statuses whose answers have no body. */
const BODYLESS: ReadonlySet<string> = new Set(['204', '205', '304'])

interface Build {
  readonly root: Fields
  readonly findings: Finding[]
  /** Ids in use, each with the place of its operation. */
  readonly usedIds: Map<string, SourcePlace>
  /** Ids that operations declare: none is made that equals one of them. */
  readonly declaredIds: ReadonlySet<string>
}

/** The IR under `name`, with its findings appended to `findings`. */
export function buildIr(
  name: string,
  resolved: ResolvedDocument,
  findings: Finding[],
): InterfaceIr {
  const root = resolved.document
  const declared = operationsOf(root).flatMap(([, , value]) => text(value['operationId']) ?? [])
  const build: Build = { root, findings, usedIds: new Map(), declaredIds: new Set(declared) }
  const components = fields(root['components'])
  const schemas = sortedEntries(fields(components['schemas'])).map(
    ([key, value]) => [key, normaliseSchema(value)] as const,
  )
  const ir = splitByWay(
    {
      irVersion: IR_VERSION,
      name,
      title: text(fields(root['info'])['title']) ?? name,
      version: String(fields(root['info'])['version'] ?? ''),
      openapi: text(root['openapi']) ?? '',
      operations: buildOperations(build, resolved.places),
      schemas: tagExtensions(Object.fromEntries(schemas)),
      securitySchemes: fields(components['securitySchemes']),
      extensions: extensions(root),
    },
    findings,
  )
  return withWholeNumbers(ir)
}

function buildOperations(
  build: Build,
  places: ReadonlyMap<string, SourcePlace>,
): readonly OperationIr[] {
  return operationsOf(build.root).flatMap(([method, path, value]) => {
    const at = places.get(`${method.toUpperCase()} ${path}`)
    return at === undefined ? [] : [buildOperation(build, method.toUpperCase(), path, value, at)]
  })
}

/**
 * Method, path and content of every operation, by path and in the order of METHODS, those of other
 * methods last.
 */
function operationsOf(root: Fields): readonly (readonly [string, string, Fields])[] {
  return sortedEntries(fields(root['paths'])).flatMap(([path, item]) => {
    const known = METHODS.map((method) => [method, fields(item)[method]] as const)
    return [...known, ...sortedEntries(fields(fields(item)['additionalOperations']))].flatMap(
      ([method, value]) => (isFields(value) ? [[method, path, value] as const] : []),
    )
  })
}

function buildOperation(
  build: Build,
  method: string,
  path: string,
  value: Fields,
  at: SourcePlace,
): OperationIr {
  const summary = text(value['summary'])
  const description = text(value['description'])
  const body = fields(value['requestBody'])
  if (isFields(value['requestBody']) && (method === 'GET' || method === 'HEAD')) {
    add(
      build,
      'body-without-method',
      `${method} has a body here: servers read it, but fetch cannot send it`,
      at,
    )
  }
  if (method === 'TRACE')
    add(build, 'unsendable-method', 'TRACE is served, but fetch cannot send it', at)
  return {
    operationId: operationId(build, method, path, value, at),
    method,
    path,
    ...given({ summary, description }),
    tags: texts(value['tags']),
    deprecated: value['deprecated'] === true,
    parameters: buildParameters(path, value, at, build.findings),
    ...(isFields(value['requestBody'])
      ? { body: { required: body['required'] === true, media: buildMedia(build, body['content']) } }
      : {}),
    responses: buildResponses(build, value),
    security: items(value['security'] ?? build.root['security']).map(securityGroup),
    extensions: extensions(value),
    at,
  }
}

function operationId(
  build: Build,
  method: string,
  path: string,
  value: Fields,
  at: SourcePlace,
): string {
  const declared = text(value['operationId'])
  const made = [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]+/u).filter((word) => word !== '')]
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
  const first = declared === undefined ? undefined : build.usedIds.get(declared)
  let id = declared === undefined || first !== undefined ? made : declared
  const isTaken = (name: string): boolean =>
    build.usedIds.has(name) || (build.declaredIds.has(name) && name !== declared)
  for (let suffix = 2; isTaken(id); suffix += 1) id = `${made}${suffix}`
  build.usedIds.set(id, at)
  if (first !== undefined) {
    add(
      build,
      'duplicate-operation-id',
      `operationId '${declared}' is taken by line ${first.line}: this one becomes '${id}'`,
      at,
    )
  } else if (declared === undefined) {
    add(
      build,
      'missing-operation-id',
      `${method} ${path} has no operationId: it becomes '${id}'`,
      at,
    )
  }
  return id
}

function add({ findings }: Build, rule: DocumentRule, message: string, at: SourcePlace): void {
  findings.push(finding(rule, message, at))
}

function buildMedia(build: Build, content: unknown): readonly MediaIr[] {
  return sortedEntries(fields(content)).map(([mediaType, item]) => {
    const value = fields(item)
    const schema = itemsOf(mediaType, value, build.root) ?? value['schema']
    return {
      mediaType,
      ...(schema !== undefined ? { schema: normaliseSchema(schema) } : {}),
      examples: examplesOf(value),
      ...(isFields(value['encoding']) ? { encoding: value['encoding'] } : {}),
    }
  })
}

function examplesOf(media: Fields): readonly unknown[] {
  if ('example' in media) return [sortDeep(media['example'])]
  return sortedEntries(fields(media['examples'])).flatMap(([, one]) => exampleOf(one))
}

/** None for an example that stands elsewhere or is written as text. */
function exampleOf(example: unknown): readonly unknown[] {
  const key = ['value', 'dataValue'].find((one) => one in fields(example))
  return key === undefined ? [] : [sortDeep(fields(example)[key])]
}

function buildResponses(build: Build, value: Fields): readonly ResponseIr[] {
  const known = sortedEntries(fields(value['responses'])).filter(([status]) =>
    /^(?:[1-5](?:\d\d|XX)|default)$/iu.test(status),
  )
  return known.map(([status, response]) => buildResponse(build, status, fields(response)))
}

function buildResponse(build: Build, status: string, value: Fields): ResponseIr {
  return {
    status: status.toUpperCase() === 'DEFAULT' ? 'default' : status.toUpperCase(),
    description: text(value['description']) ?? text(value['summary']) ?? '',
    media: BODYLESS.has(status) ? [] : buildMedia(build, value['content']),
    headers: sortedEntries(fields(value['headers'])).flatMap(([name, header]) =>
      buildHeader(name, fields(header)),
    ),
  }
}

function buildHeader(name: string, value: Fields): readonly HeaderIr[] {
  if (name.toLowerCase() === 'content-type') return []
  const header = { name, required: value['required'] === true, explode: value['explode'] === true }
  return [{ ...header, ...valueForm(value) }]
}

function securityGroup(value: unknown): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    sortedEntries(fields(value)).map(([scheme, scopes]) => [scheme, texts(scopes)]),
  )
}
