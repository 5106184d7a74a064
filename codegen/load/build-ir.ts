// Builds the IR of one interface from its resolved document, and lints what only shows there: operation ids, path parameters.
import { IR_VERSION } from '../ir.ts'
import type {
  HeaderIr, InterfaceIr, MediaIr, OperationIr, ParameterIr, ParameterPlace, ResponseIr, SourcePlace,
} from '../ir.ts'
import type { Finding } from '../findings.ts'
import { compareText, extensions, fields, isFields, items, sortDeep, sortedEntries, text, texts } from '../values.ts'
import type { Fields } from '../values.ts'
import type { ResolvedDocument } from './document.ts'
import { METHODS } from './keywords.ts'
import { normaliseSchema } from './normalise.ts'

const STYLES = ['simple', 'label', 'matrix', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const
const PLACES: readonly ParameterPlace[] = ['path', 'query', 'header', 'cookie']
const DEFAULT_STYLE = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const
/** OpenAPI: header parameters of these names are ignored, other parts of the document describe them. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

interface Build {
  readonly root: Fields
  readonly findings: Finding[]
  readonly usedIds: Map<string, SourcePlace>
}

/** The IR under `name`, with its findings appended to `findings`. */
export function buildIr(name: string, resolved: ResolvedDocument, findings: Finding[]): InterfaceIr {
  const root = resolved.document
  const build: Build = { root, findings, usedIds: new Map() }
  const components = fields(root['components'])
  const schemas = sortedEntries(fields(components['schemas'])).map(([key, value]) => [key, normaliseSchema(value)])
  return {
    irVersion: IR_VERSION,
    name,
    title: text(fields(root['info'])['title']) ?? name,
    version: String(fields(root['info'])['version'] ?? ''),
    openapi: text(root['openapi']) ?? '',
    operations: buildOperations(build, resolved.places),
    schemas: Object.fromEntries(schemas),
    securitySchemes: fields(components['securitySchemes']),
    extensions: extensions(root),
  }
}

function buildOperations(build: Build, places: ReadonlyMap<string, SourcePlace>): readonly OperationIr[] {
  const operations: OperationIr[] = []
  for (const [path, item] of sortedEntries(fields(build.root['paths']))) {
    for (const method of METHODS) {
      const value = fields(item)[method]
      const at = places.get(`${method.toUpperCase()} ${path}`)
      if (isFields(value) && at !== undefined) operations.push(buildOperation(build, method.toUpperCase(), path, value, at))
    }
  }
  return operations
}

function buildOperation(build: Build, method: string, path: string, value: Fields, at: SourcePlace): OperationIr {
  const summary = text(value['summary'])
  const description = text(value['description'])
  const body = fields(value['requestBody'])
  if (isFields(value['requestBody']) && (method === 'GET' || method === 'HEAD')) {
    add(build, 'note', 'body-without-method', `${method} has a body here: servers read it, but fetch cannot send it`, at)
  }
  return {
    operationId: operationId(build, method, path, value, at),
    method,
    path,
    ...(summary !== undefined ? { summary } : {}),
    ...(description !== undefined ? { description } : {}),
    tags: texts(value['tags']),
    deprecated: value['deprecated'] === true,
    parameters: buildParameters(build, path, value, at),
    ...(isFields(value['requestBody']) ? { body: { required: body['required'] === true, media: buildMedia(body['content']) } } : {}),
    responses: buildResponses(build, value, at),
    security: items(value['security'] ?? build.root['security']).map(securityGroup),
    extensions: extensions(value),
    at,
  }
}

function operationId(build: Build, method: string, path: string, value: Fields, at: SourcePlace): string {
  const declared = text(value['operationId'])
  const made = [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]+/u).filter((word) => word !== '')]
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  const first = declared === undefined ? undefined : build.usedIds.get(declared)
  let id = declared === undefined || first !== undefined ? made : declared
  for (let suffix = 2; build.usedIds.has(id); suffix += 1) id = `${made}${suffix}`
  build.usedIds.set(id, at)
  if (first !== undefined) {
    add(build, 'note', 'duplicate-operation-id', `operationId '${declared}' is taken by line ${first.line}: this one becomes '${id}'`, at)
  } else if (declared === undefined) {
    add(build, 'note', 'missing-operation-id', `${method} ${path} has no operationId: it becomes '${id}'`, at)
  }
  return id
}

function add(build: Build, severity: Finding['severity'], rule: string, message: string, at: SourcePlace): void {
  build.findings.push({ severity, rule, message, at })
}

function buildParameters(build: Build, path: string, value: Fields, at: SourcePlace): readonly ParameterIr[] {
  const parameters = items(value['parameters']).flatMap((item) => buildParameter(build, fields(item), at))
  const inTemplate = [...path.matchAll(/\{([^{}]+)\}/gu)].map((match) => match[1] ?? '')
  const declared = parameters.filter((parameter) => parameter.in === 'path')
  for (const name of inTemplate) {
    if (declared.some((parameter) => parameter.name === name)) continue
    add(build, 'error', 'undeclared-path-parameter', `path parameter '${name}' of ${path} is not declared`, at)
  }
  for (const parameter of declared) {
    if (inTemplate.includes(parameter.name)) continue
    add(build, 'error', 'unknown-path-parameter', `path parameter '${parameter.name}' does not stand in ${path}`, at)
  }
  const inPath = inTemplate.flatMap((name) => declared.find((parameter) => parameter.name === name) ?? [])
  const others = parameters.filter((parameter) => parameter.in !== 'path')
  others.sort((a, b) => PLACES.indexOf(a.in) - PLACES.indexOf(b.in) || compareText(a.name, b.name))
  return [...inPath, ...others]
}

function buildParameter(build: Build, value: Fields, at: SourcePlace): readonly ParameterIr[] {
  const name = text(value['name']) ?? ''
  const place = PLACES.find((known) => known === value['in'])
  if (place === undefined || name === '') {
    add(build, 'error', 'bad-parameter', `a parameter needs a name and one of in: ${PLACES.join(', ')}`, at)
    return []
  }
  if (place === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) return []
  const style = STYLES.find((known) => known === value['style']) ?? DEFAULT_STYLE[place]
  const [mediaType, media] = Object.entries(fields(value['content']))[0] ?? []
  const description = text(value['description'])
  return [{
    name,
    in: place,
    required: place === 'path' || value['required'] === true,
    style,
    explode: typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form',
    schema: normaliseSchema(mediaType === undefined ? value['schema'] : fields(media)['schema']),
    ...(mediaType !== undefined ? { mediaType } : {}),
    ...(description !== undefined ? { description } : {}),
    ...(value['deprecated'] === true ? { deprecated: true } : {}),
    extensions: extensions(value),
  }]
}

function buildMedia(content: unknown): readonly MediaIr[] {
  return sortedEntries(fields(content)).map(([mediaType, item]) => {
    const value = fields(item)
    const schema = value['itemSchema'] ?? value['schema']
    const examples = isFields(value['examples'])
      ? sortedEntries(value['examples']).map(([, example]) => fields(example)['value'])
      : []
    return {
      mediaType,
      ...(schema !== undefined ? { schema: normaliseSchema(schema) } : {}),
      examples: 'example' in value ? [sortDeep(value['example'])] : examples.map(sortDeep),
      ...(isFields(value['encoding']) ? { encoding: value['encoding'] } : {}),
    }
  })
}

function buildResponses(build: Build, value: Fields, at: SourcePlace): readonly ResponseIr[] {
  return sortedEntries(fields(value['responses'])).flatMap(([status, response]) => {
    if (/^(?:[1-5](?:\d\d|XX)|default)$/iu.test(status)) return [buildResponse(status, fields(response))]
    add(build, 'error', 'bad-status', `'${status}' is no status: it must be like 200, 4XX or default`, at)
    return []
  })
}

function buildResponse(status: string, value: Fields): ResponseIr {
  return {
    status: status.toUpperCase() === 'DEFAULT' ? 'default' : status.toUpperCase(),
    description: text(value['description']) ?? '',
    media: buildMedia(value['content']),
    headers: sortedEntries(fields(value['headers'])).flatMap(([name, header]) => buildHeader(name, fields(header))),
  }
}

function buildHeader(name: string, value: Fields): readonly HeaderIr[] {
  if (name.toLowerCase() === 'content-type') return []
  return [{ name, required: value['required'] === true, schema: normaliseSchema(value['schema']) }]
}

function securityGroup(value: unknown): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(sortedEntries(fields(value)).map(([scheme, scopes]) => [scheme, texts(scopes)]))
}
