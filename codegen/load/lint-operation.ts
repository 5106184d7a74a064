// What operations say that cannot be served, and what of it is left out: each a finding where it
// stands.
import { compareText, fields, isFields, items, text } from '../values.ts'
import { LOSS } from './faults.ts'
import { child, peek, report, reportFault } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'
import { lintParameterForm } from './lint-parameter.ts'

const PLACES = ['path', 'query', 'header', 'cookie', 'querystring']
/** Statuses whose answers have no body, whatever a document says. */
const BODYLESS: ReadonlySet<string> = new Set(['204', '205', '304'])
/** Not imported: an import of `node:http` loads an HTTP client, 14 MB and 40 ms. */
const HTTP_METHODS: ReadonlySet<string> = new Set(process.getBuiltinModule('node:http').METHODS)
/** Node takes them for tunnels and protocol switches, not for requests. */
const TUNNELS: ReadonlySet<string> = new Set(['CONNECT'])

/** Findings at the root that change what is generated, or do not although they seem to. */
export function lintDocument(resolver: Resolver, root: Located): void {
  const self = child(root, '$self')
  if (self.value !== undefined) {
    report(
      resolver,
      self,
      'self',
      "'$self' names the document: references without it are relative to the file",
    )
  }
  const dialect = child(root, 'jsonSchemaDialect')
  const name = text(dialect.value)
  if (name !== undefined && !/2020-12|spec\.openapis\.org\/oas/u.test(name)) {
    report(resolver, dialect, 'other-dialect', 'schemas are read as JSON Schema 2020-12')
  }
  lintServers(resolver, child(root, 'servers'))
  lintSecurity(resolver, child(root, 'security'))
}

/** A server's path is not part of the routes: somebody who mounts them elsewhere should know. */
export function lintServers(resolver: Resolver, at: Located): void {
  const isRoot = at.path.length === 1
  const mount = text(fields(fields(resolver.root.data)['x-interface'])['mount'])
  for (const [index, server] of items(at.value).entries()) {
    const url = text(fields(server)['url']) ?? ''
    const path = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/]*/iu, '').replace(/\/$/u, '')
    const where = child(at, String(index))
    if (!isRoot)
      report(resolver, where, 'ignored-servers', 'servers of a path or operation are ignored')
    else if (path !== '' && path !== mount) {
      report(
        resolver,
        where,
        'server-path',
        `'${path}' is not part of the routes: x-interface.mount would put them there`,
      )
    }
  }
}

/** The templates that a router can tell from what else it serves, sorted; says what others lack. */
export function servedTemplates(resolver: Resolver, paths: Located): readonly string[] {
  const templates = Object.keys(fields(paths.value)).filter((key) => !key.startsWith('x-'))
  return templates.sort(compareText).filter((template) => {
    const faults = templateFaults(template)
    for (const fault of faults)
      reportFault(resolver, child(paths, template), 'bad-path', fault, LOSS.path)
    return resolver.isStrict ? template.startsWith('/') : faults.length === 0
  })
}

function templateFaults(template: string): readonly string[] {
  const names = [...template.matchAll(/\{([^{}]*)\}/gu)].map((match) => match[1] ?? '')
  const twice = names.find((name, index) => names.indexOf(name) < index)
  const rest = template.replaceAll(/\{[^{}]+\}/gu, '')
  return [
    ...(template.startsWith('/') ? [] : [`'${template}' must begin with '/'`]),
    ...(twice === undefined ? [] : [`'{${twice}}' is listed twice in '${template}'`]),
    ...(/[{}]/u.test(rest) ? [`the braces of '${template}' do not match`] : []),
    ...(rest.includes('?') ? [`'${template}' has a query: declare it as parameters`] : []),
    ...(rest.includes('#') ? [`'${template}' has a fragment, which no request carries`] : []),
  ]
}

/**
 * Tells operations apart as a router does, which knows no names of parameters. `first` holds what
 * came before; false for an operation that no request would ever reach.
 */
export function isReached(
  resolver: Resolver,
  at: Located,
  [method, template]: readonly [string, string],
  first: Map<string, string>,
): boolean {
  const shape = `${method.toUpperCase()} ${template.replaceAll(/\{[^{}]*\}/gu, '{}')}`
  const twin = first.get(shape)
  if (twin === undefined) {
    first.set(shape, template)
    return true
  }
  const message = `the same requests fit '${template}' and '${twin}'`
  reportFault(resolver, at, 'same-path', message, LOSS.operation)
  return resolver.isStrict
}

/** True for a method of `additionalOperations` that a server can be asked by. */
export function isServedMethod(resolver: Resolver, at: Located, method: string): boolean {
  if (HTTP_METHODS.has(method) && !TUNNELS.has(method)) return true
  report(
    resolver,
    at,
    'unknown-method',
    `no request can have the method '${method}' here: the operation is left out`,
  )
  return false
}

/** The parameters of one list, each once: the first of two of one name counts. */
export function distinctParameters(resolver: Resolver, list: Located): readonly Located[] {
  const seen = new Set<string>()
  return items(list.value).flatMap((_, index) => {
    const at = child(list, String(index))
    const value = fields(peek(resolver, at)?.value)
    const name = text(value['name']) ?? ''
    const key = `${String(value['in'])} ${value['in'] === 'header' ? name.toLowerCase() : name}`
    const isTwice = name !== '' && seen.has(key)
    seen.add(key)
    if (!isTwice) return [at]
    const message = `the ${String(value['in'])} parameter '${name}' is declared twice`
    reportFault(resolver, at, 'duplicate-parameter', message, LOSS.parameter)
    return []
  })
}

/** Reports what is wrong with one parameter, and what of it is not understood. */
export function lintParameter(resolver: Resolver, at: Located): void {
  const value = fields(at.value)
  const [name, place] = [text(value['name']) ?? '', text(value['in']) ?? '']
  const fail = (where: Located, message: string): void => {
    reportFault(resolver, where, 'bad-parameter', message, LOSS.operation)
  }
  if (name === '' || !PLACES.includes(place)) {
    fail(at, `a parameter needs a name and one of in: ${PLACES.join(', ')}`)
  } else if (isFields(value['content']) && value['schema'] !== undefined) {
    fail(
      child(at, 'content'),
      `parameter '${name}' has a schema and content: it must be one of them`,
    )
  } else if (isFields(value['content']) && Object.keys(value['content']).length !== 1) {
    fail(child(at, 'content'), `parameter '${name}' must have one media type`)
  } else {
    lintParameterForm(resolver, at, name, place)
  }
}

/**
 * Reports statuses that are none, bodies that no answer can have, and operations without answers.
 */
export function lintResponses(resolver: Resolver, responses: Located): void {
  const statuses = Object.keys(fields(responses.value)).filter((key) => !key.startsWith('x-'))
  if (statuses.length === 0)
    report(resolver, responses, 'no-responses', 'no answer is declared: a handler can only fail')
  for (const status of statuses) {
    const at = child(responses, status)
    if (!/^(?:[1-5](?:\d\d|XX)|default)$/iu.test(status)) {
      const message = `'${status}' is not a status: it must be like 200, 4XX or default`
      reportFault(resolver, at, 'bad-status', message, LOSS.answer)
    } else if (/^1\d\d$/u.test(status)) {
      report(
        resolver,
        at,
        'unsendable-status',
        `${status} does not end a request: it cannot be sent`,
      )
    }
    const content = BODYLESS.has(status) ? child(peek(resolver, at) ?? at, 'content') : undefined
    if (isFields(content?.value)) {
      report(
        resolver,
        content,
        'bodyless-status',
        `an answer ${status} has no body: its content is ignored`,
      )
    }
  }
}

/** Reports security schemes that nobody defined. */
export function lintSecurity(resolver: Resolver, at: Located): void {
  const schemes = fields(fields(fields(resolver.root.data)['components'])['securitySchemes'])
  for (const [index, group] of items(at.value).entries()) {
    for (const scheme of Object.keys(fields(group))) {
      if (Object.hasOwn(schemes, scheme)) continue
      report(
        resolver,
        child(at, String(index), scheme),
        'unknown-security-scheme',
        `no security scheme is called '${scheme}'`,
      )
    }
  }
}
