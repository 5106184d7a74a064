// Copies a document into one self-contained, canonically sorted object: references outside of
// schemas inlined, shared schemas named once.
import type { SourcePlace } from '../ir.ts'
import { compareText, extensions, fields, isFields, items, sortDeep } from '../values.ts'
import type { Fields } from '../values.ts'
import {
  MEDIA_KEYS,
  METHODS,
  OPERATION_KEYS,
  PARAMETER_KEYS,
  PATH_ITEM_KEYS,
  RESPONSE_KEYS,
  ROOT_KEYS,
} from './keywords.ts'
import { answersOf, lintErrors, withoutErrors } from './errors.ts'
import { losesOperation, LOSS } from './faults.ts'
import type { Loss } from './faults.ts'
import { withoutCircles } from './circles.ts'
import { distinctHeaders, lintHeader, lintMedia } from './lint-media.ts'
import {
  isServedMethod,
  lintDocument,
  distinctParameters,
  isReached,
  lintParameter,
  lintResponses,
  lintSecurity,
  lintServers,
  servedTemplates,
} from './lint-operation.ts'
import { heldAgainstPath } from './path-parameters.ts'
import { child, follow, report, reportFault, sourceFindings } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'
import { resolveSchema } from './schema.ts'

export interface ResolvedDocument {
  /** OpenAPI document without external references, keys sorted. */
  readonly document: Fields
  /** Place of each operation, by `METHOD path`. */
  readonly places: ReadonlyMap<string, SourcePlace>
}

/** Resolves the whole document of a resolver's root. Findings gather in the resolver. */
export function resolveDocument(resolver: Resolver): ResolvedDocument {
  const root: Located = { source: resolver.root, path: [], value: resolver.root.data }
  const data = fields(root.value)
  const places = new Map<string, SourcePlace>()
  lintKeys(resolver, root, ROOT_KEYS)
  noteIgnored(resolver, root, 'webhooks')
  lintDocument(resolver, root)
  lintErrors(resolver)
  const paths = resolvePaths(resolver, root, places)
  const securitySchemes = resolveMap(
    resolver,
    child(root, 'components', 'securitySchemes'),
    (at) => at.value,
    LOSS.scheme,
  )
  const responses = Object.fromEntries(resolver.responses)
  const components = {
    schemas: resolvePending(resolver),
    securitySchemes,
    ...(resolver.responses.size > 0 ? { responses } : {}),
  }
  resolver.findings.push(...sourceFindings(resolver))
  const kept = pick(data, ['openapi', 'info', 'servers', 'tags', 'security', 'externalDocs'])
  const document = { ...kept, paths, components, ...withoutErrors(extensions(data)) }
  return { document: fields(sortDeep(document)), places }
}

/** Copies named schemas until none is left: copying one may name others. */
function resolvePending(resolver: Resolver): Fields {
  const schemas: [string, unknown][] = []
  for (let next = resolver.pending.shift(); next !== undefined; next = resolver.pending.shift()) {
    schemas.push([next.name, resolveSchema(resolver, next.located)])
  }
  return withoutCircles(resolver, Object.fromEntries(schemas))
}

function resolvePaths(resolver: Resolver, root: Located, places: Map<string, SourcePlace>): Fields {
  const paths = child(root, 'paths')
  const first = new Map<string, string>()
  return Object.fromEntries(
    servedTemplates(resolver, paths).map((template) => [
      template,
      resolvePathItem(resolver, child(paths, template), template, { places, first }),
    ]),
  )
}

interface Served {
  readonly places: Map<string, SourcePlace>
  /** Templates that are served, by method and shape of the path. */
  readonly first: Map<string, string>
}

/** Members beside a path item's reference stand for those where it leads. */
function resolvePathItem(
  resolver: Resolver,
  at: Located,
  template: string,
  { places, first }: Served,
): Fields {
  const target = follow(resolver, at, LOSS.path)
  if (target === undefined) return {}
  lintKeys(resolver, at, PATH_ITEM_KEYS)
  lintKeys(resolver, target, PATH_ITEM_KEYS)
  const member = (key: string): Located =>
    child(Object.hasOwn(fields(at.value), key) ? at : target, key)
  const item = { ...fields(target.value), ...fields(at.value) }
  lintServers(resolver, member('servers'))
  const before = resolver.findings.length
  const shared = resolveParameters(resolver, member('parameters'))
  const isLost = losesOperation(resolver.findings.slice(before))
  const resolveMethod = (
    method: string,
    written: Located,
  ): readonly (readonly [string, unknown])[] => {
    const operation = written.value === undefined ? undefined : follow(resolver, written)
    if (operation === undefined) return []
    if (!isFields(operation.value)) {
      const message = 'an operation must be an object'
      reportFault(resolver, operation, 'bad-operation', message, LOSS.operation)
      return []
    }
    const resolved = soundOperation(resolver, operation, template, shared)
    if (isLost || resolved === undefined) return []
    if (!isReached(resolver, written, [method, template], first)) return []
    places.set(`${method.toUpperCase()} ${template}`, operation.source.place(operation.path))
    return [[method, resolved]]
  }
  const more = member('additionalOperations')
  const additional = Object.keys(fields(more.value))
    .sort(compareText)
    .filter((method) => isServedMethod(resolver, child(more, method), method))
    .flatMap((method) => resolveMethod(method, child(more, method)))
  return {
    ...pick(item, ['summary', 'description', 'servers']),
    ...Object.fromEntries(METHODS.flatMap((method) => resolveMethod(method, member(method)))),
    ...(additional.length > 0 ? { additionalOperations: Object.fromEntries(additional) } : {}),
    ...extensions(item),
  }
}

/** The operation, unless a fault in it is one that it is left out for. */
function soundOperation(
  resolver: Resolver,
  at: Located,
  template: string,
  shared: readonly Fields[],
): Fields | undefined {
  const before = resolver.findings.length
  const operation = resolveOperation(resolver, at, shared)
  const { faults, parameters } = heldAgainstPath(template, items(operation['parameters']))
  for (const { rule, message, loss } of faults) reportFault(resolver, at, rule, message, loss)
  if (losesOperation(resolver.findings.slice(before))) return undefined
  return resolver.isStrict || faults.length === 0 ? operation : { ...operation, parameters }
}

function resolveOperation(resolver: Resolver, at: Located, shared: readonly Fields[]): Fields {
  const value = fields(at.value)
  lintKeys(resolver, at, OPERATION_KEYS)
  noteIgnored(resolver, at, 'callbacks')
  lintServers(resolver, child(at, 'servers'))
  lintSecurity(resolver, child(at, 'security'))
  lintResponses(resolver, child(at, 'responses'))
  const own = resolveParameters(resolver, child(at, 'parameters'))
  const inherited = shared.filter(
    (parameter) => !own.some((mine) => sameParameter(mine, parameter)),
  )
  const parameters = [...inherited, ...own]
  const requestBody = follow(resolver, child(at, 'requestBody'))
  return {
    ...pick(value, [
      'tags',
      'summary',
      'description',
      'externalDocs',
      'operationId',
      'deprecated',
      'security',
      'servers',
    ]),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isFields(requestBody?.value) ? { requestBody: resolveBody(resolver, requestBody) } : {}),
    responses: resolveResponses(resolver, at),
    ...extensions(value),
  }
}

function resolveParameters(resolver: Resolver, at: Located): readonly Fields[] {
  return distinctParameters(resolver, at).flatMap((one) => {
    const parameter = follow(resolver, one)
    return parameter === undefined ? [] : [resolveParameter(resolver, parameter)]
  })
}

function resolveParameter(resolver: Resolver, at: Located): Fields {
  lintKeys(resolver, at, PARAMETER_KEYS)
  lintParameter(resolver, at)
  return { ...fields(at.value), ...resolveSchemaAndContent(resolver, at) }
}

function resolveBody(resolver: Resolver, at: Located): Fields {
  return { ...fields(at.value), content: resolveContent(resolver, child(at, 'content'), 'request') }
}

function resolveResponses(resolver: Resolver, operation: Located): Fields {
  return Object.fromEntries(
    answersOf(resolver, operation).flatMap(([status, answer]) => {
      const target = follow(resolver, answer)
      if (target === undefined) return []
      const response = resolveResponse(resolver, target)
      noteShared(resolver, answer, target, response)
      return [[status, response]]
    }),
  )
}

/**
 * The first response of a name keeps it: another of that name in another file stays where it is.
 */
function noteShared(resolver: Resolver, answer: Located, target: Located, response: Fields): void {
  const name = target.path.at(-1) ?? ''
  const isComponent = target.path.length === 3 && target.path[1] === 'responses'
  if (answer === target || !isComponent || resolver.responses.has(name)) return
  resolver.responses.set(name, response)
}

function resolveResponse(resolver: Resolver, at: Located): Fields {
  lintKeys(resolver, at, RESPONSE_KEYS)
  noteIgnored(resolver, at, 'links')
  const value = fields(at.value)
  const headers = resolveMap(
    resolver,
    distinctHeaders(resolver, child(at, 'headers')),
    (header, name) => {
      lintHeader(resolver, header, name)
      return { ...fields(header.value), ...resolveSchemaAndContent(resolver, header) }
    },
  )
  return {
    ...pick(value, ['summary', 'description']),
    ...(isFields(value['content'])
      ? { content: resolveContent(resolver, child(at, 'content'), 'response') }
      : {}),
    ...(isFields(value['headers']) ? { headers } : {}),
    ...extensions(value),
  }
}

function resolveContent(
  resolver: Resolver,
  at: Located,
  use: 'request' | 'response' | 'parameter',
): Fields {
  return resolveMap(resolver, at, (media, mediaType) => {
    lintKeys(resolver, media, MEDIA_KEYS)
    if (use !== 'parameter') lintMedia(resolver, media, mediaType)
    return { ...fields(media.value), ...resolveSchemaAndContent(resolver, media) }
  })
}

/** The members of a parameter, header or media type that hold schemas and examples. */
function resolveSchemaAndContent(resolver: Resolver, at: Located): Fields {
  const value = fields(at.value)
  const examples = child(at, 'examples')
  return {
    ...('schema' in value ? { schema: resolveSchema(resolver, child(at, 'schema')) } : {}),
    ...('itemSchema' in value
      ? { itemSchema: resolveSchema(resolver, child(at, 'itemSchema')) }
      : {}),
    ...('content' in value
      ? { content: resolveContent(resolver, child(at, 'content'), 'parameter') }
      : {}),
    ...(isFields(examples.value)
      ? { examples: resolveMap(resolver, examples, (example) => example.value) }
      : {}),
  }
}

function resolveMap(
  resolver: Resolver,
  at: Located,
  copy: (item: Located, name: string) => unknown,
  loss: Loss = LOSS.operation,
): Fields {
  const names = Object.keys(fields(at.value)).sort(compareText)
  return Object.fromEntries(
    names.flatMap((name) => {
      const item = follow(resolver, child(at, name), loss)
      return item === undefined ? [] : [[name, copy(item, name)]]
    }),
  )
}

function sameParameter(a: Fields, b: Fields): boolean {
  const nameOf = ({ name, in: place }: Fields): string =>
    place === 'header' ? String(name).toLowerCase() : String(name)
  return a['in'] === b['in'] && nameOf(a) === nameOf(b)
}

function lintKeys(resolver: Resolver, at: Located, known: ReadonlySet<string>): void {
  for (const key of Object.keys(fields(at.value))) {
    if (known.has(key) || key.startsWith('x-')) continue
    report(resolver, child(at, key), 'unknown-keyword', `'${key}' is not understood here`)
  }
}

function noteIgnored(
  resolver: Resolver,
  at: Located,
  key: 'webhooks' | 'callbacks' | 'links',
): void {
  const ignored = child(at, key)
  if (ignored.value !== undefined)
    report(
      resolver,
      ignored,
      `ignored-${key}`,
      key === 'links'
        ? 'links are ignored'
        : `${key} are for an interface of their own: webhooks: true`,
    )
}

function pick(value: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(
    keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]),
  )
}
