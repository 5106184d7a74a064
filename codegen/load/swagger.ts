// Reads Swagger 2.0: a maintained converter makes OpenAPI 3.0 of it, and places lead back to where
// things are written. docs/decisions/0040-other-outputs.md
import { upgrade } from '@scalar/openapi-upgrader'
import type { Finding } from '../findings.ts'
import { finding } from '../rules/document-rules.ts'
import type { DocumentRule } from '../rules/document-rules.ts'
import { fields, isFields, items, mapValues, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { METHODS } from './keywords.ts'
import { refName } from './refs.ts'
import { pathOf } from './source.ts'
import type { Path, Source } from './source.ts'

/**
 * The source as OpenAPI 3.0 where it is a Swagger 2.0 document, with a finding that says so; any
 * other source unchanged. Never throws: what the converter cannot read is a finding.
 */
export function withoutSwagger(source: Source): Source {
  const data = fields(source.data)
  const version = String(data['swagger'] ?? '')
  if (!/^2(?:\.|$)/u.test(version) || data['openapi'] !== undefined) return source
  const say = (rule: DocumentRule, message: string): readonly Finding[] => [
    ...source.findings,
    finding(rule, message, source.place(['swagger'])),
  ]
  try {
    const message = `Swagger ${version} is read as the OpenAPI 3.0 that it converts to`
    return {
      ...source,
      data: withErrorObjects(fields(upgrade(withOwnBodies(structuredClone(data)), '3.0'))),
      findings: say('swagger-2', message),
      place: (path) => source.place(writtenPath(data, path)),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `Swagger ${version} cannot be converted: ${reason}`
    const findings = say('openapi-version', message)
    return { ...source, data: {}, findings }
  }
}

/**
 * Bodies and form fields that operations share, by reference or with their path, become their own:
 * the converter finds them only there.
 */
function withOwnBodies(data: Fields): Fields {
  const paths = Object.entries(fields(data['paths'])).map(([template, item]) => {
    const shared = listOf(data, fields(item)['parameters'])
    const moved = shared.filter(isContent)
    const entries = Object.entries(fields(item)).map(([key, value]) => {
      if (key === 'parameters') return [key, shared.filter((one) => !isContent(one))]
      if (!METHODS.some((method) => method === key) || !isFields(value)) return [key, value]
      const own = listOf(data, value['parameters'])
      const inherited = own.some(({ in: place }) => place === 'body')
        ? []
        : moved.filter((one) => !own.some(({ name }) => name === one['name']))
      return [key, { ...value, parameters: [...own, ...inherited] }]
    })
    return [template, Object.fromEntries(entries)]
  })
  const rest = Object.entries(fields(data['parameters'])).filter(
    ([, one]) => !isContent(fields(one)),
  )
  return { ...data, paths: Object.fromEntries(paths), parameters: Object.fromEntries(rest) }
}

/** Parameters; references to bodies and form fields of this document are followed. */
function listOf(data: Fields, parameters: unknown): readonly Fields[] {
  return items(parameters).map((one) => {
    const ref = text(fields(one)['$ref']) ?? ''
    const [, name = ''] = ref.startsWith('#/parameters/') ? pathOf(ref) : []
    const target = fields(fields(data['parameters'])[name])
    return isContent(target) ? target : fields(one)
  })
}

function isContent({ in: place }: Fields): boolean {
  return place === 'body' || place === 'formData'
}

/** Media types of files, which no object is written as. */
const OPAQUE =
  /^(?:audio|font|image|video)\/|[/.-](?:octet-stream|pdf|raw-stream|multiplexed-stream|tar|zip|gzip)$/iu

/**
 * An operation of Swagger 2.0 names media types for all of its answers at once: where these are
 * files, an error that is an object goes as JSON.
 */
function withErrorObjects(data: Fields): Fields {
  const paths = mapValues(fields(data['paths']), (item) =>
    mapValues(fields(item), (operation, method) =>
      METHODS.some((one) => one === method) && isFields(operation)
        ? {
            ...operation,
            responses: mapValues(fields(operation['responses']), (answer, status) =>
              /^[45d]/u.test(status) ? withObject(data, fields(answer)) : answer,
            ),
          }
        : operation,
    ),
  )
  return { ...data, paths }
}

function withObject(data: Fields, answer: Fields): Fields {
  const media = Object.entries(fields(answer['content']))
  const [first] = media
  const isJson =
    first !== undefined &&
    media.every(([type]) => OPAQUE.test(type)) &&
    isObjectSchema(data, fields(fields(first[1])['schema']))
  return isJson ? { ...answer, content: { 'application/json': first[1] } } : answer
}

function isObjectSchema(data: Fields, schema: Fields): boolean {
  const name = refName(text(schema['$ref']) ?? '')
  const named = fields(fields(data['components'])['schemas'])[name]
  const target = named === undefined ? schema : fields(named)
  return target['type'] === 'object' || isFields(target['properties'])
}

const COMPONENTS: Readonly<Record<string, string>> = {
  schemas: 'definitions',
  securitySchemes: 'securityDefinitions',
}
/** `METHOD requestBody content MEDIA schema` and `responses STATUS content MEDIA schema`. */
const BODY = 3
const CONTENT = 2

/** The place where a path of the converted document was written, or near it. */
function writtenPath(data: Fields, path: Path): Path {
  const [first, second = ''] = path
  if (first === 'components') return [COMPONENTS[second] ?? second, ...path.slice(2)]
  if (first === 'servers') return ['host']
  const body = path.indexOf('requestBody')
  if (body === BODY) return [...path.slice(0, body), ...bodyPath(data, path, body)]
  const content = path.indexOf('content')
  const answer = path.indexOf('responses')
  if (answer < 0 || content !== answer + CONTENT) return path
  return [...path.slice(0, content), ...path.slice(content + CONTENT)]
}

/** The body's parameter; a form's fields are several, so that their list stands for them. */
function bodyPath(data: Fields, path: Path, body: number): Path {
  const operation = path.slice(0, body).reduce<unknown>((at, key) => fields(at)[key], data)
  const index = items(fields(operation)['parameters']).findIndex(
    (one) => fields(one)['in'] === 'body',
  )
  return index < 0
    ? ['parameters']
    : ['parameters', String(index), ...path.slice(body + 1 + CONTENT)]
}
