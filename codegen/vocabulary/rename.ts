// Writes a resolved document in the words of the wire: keys, names and references; values and texts
// stay.
import { fields, isFields, items, mapValues, sortedEntries, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { normaliseSchema } from '../load/normalise.ts'
import { METHODS, SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_SINGLES } from '../load/keywords.ts'
import { refName, schemaRef } from '../load/refs.ts'
import type { Path } from '../load/source.ts'
import type { Change } from '../emit/support/translation.ts'
import type { Schema } from '../ir.ts'

/** How names of each kind are said on the wire, and values of a schema. */
export interface Renaming {
  readonly path: (name: string) => string
  readonly parameter: (name: string) => string
  readonly property: (name: string) => string
  readonly schema: (name: string) => string
  readonly operation: (name: string) => string
  readonly value: (schema: Schema) => Change
  /** The components that extend one by allOf. */
  readonly extensions: (name: string) => readonly string[]
  /** Two names fall together; `path` is that of the second in the document as it is. */
  readonly clash: (path: Path, message: string) => void
}

/** The renamed document. */
export function renameDocument(document: Fields, renaming: Renaming): Fields {
  const components = fields(document['components'])
  const schemas = renameKeys(
    fields(components['schemas']),
    ['components', 'schemas'],
    renaming,
    renaming.schema,
    'schemas',
  )
  const paths = renameKeys(
    fields(document['paths']),
    ['paths'],
    renaming,
    (template) => renamePath(template, renaming),
    'paths',
  )
  return {
    ...document,
    paths: mapped(paths, ({ value, path }) => renameItem(fields(value), path, renaming)),
    components: {
      ...components,
      ...renameShared(components, renaming),
      schemas: mapped(schemas, ({ value, path }) => renameSchema(value, path, renaming)),
    },
  }
}

function renameShared({ responses }: Fields, renaming: Renaming): Fields {
  if (!isFields(responses)) return {}
  const renamed = (response: unknown, name: string): Fields =>
    renameResponse(fields(response), ['components', 'responses', name], renaming)
  return { responses: mapValues(responses, renamed) }
}

interface Renamed {
  readonly name: string
  readonly value: unknown
  /** The path in the document as it is. */
  readonly path: Path
}

function renameKeys(
  value: Fields,
  path: Path,
  { clash }: Renaming,
  rename: (name: string) => string,
  what: string,
): readonly Renamed[] {
  const seen = new Map<string, string>()
  return sortedEntries(value).map(([key, item]) => {
    const name = rename(key)
    const former = seen.get(name)
    if (former !== undefined)
      clash(
        [...path, key],
        `the ${what} '${former}' and '${key}' are both '${name}' in the vocabulary`,
      )
    seen.set(name, key)
    return { name, value: item, path: [...path, key] }
  })
}

function mapped(members: readonly Renamed[], change: (member: Renamed) => unknown): Fields {
  return Object.fromEntries(members.map((member) => [member.name, change(member)]))
}

/**
 * A path template in the words of the wire: parameters in it are parameter names, the rest are
 * words of paths.
 */
export function renamePath(
  template: string,
  { path, parameter }: Pick<Renaming, 'path' | 'parameter'>,
): string {
  return template.replaceAll(
    /\{([^{}]+)\}|([^{}]+)/gu,
    (_, name: string | undefined, rest: string = '') => {
      return name === undefined ? path(rest) : `{${parameter(name)}}`
    },
  )
}

function renameItem(item: Fields, path: Path, renaming: Renaming): Fields {
  const rename = (methods: readonly string[], from: Fields, at: Path): Fields =>
    Object.fromEntries(
      methods.flatMap((method) => {
        const operation = from[method]
        return isFields(operation)
          ? [[method, renameOperation(operation, [...at, method], renaming)]]
          : []
      }),
    )
  const more = item['additionalOperations']
  const additional = isFields(more)
    ? { additionalOperations: rename(Object.keys(more), more, [...path, 'additionalOperations']) }
    : {}
  return { ...item, ...rename(METHODS, item, path), ...additional }
}

function renameOperation(operation: Fields, path: Path, renaming: Renaming): Fields {
  const operationId = text(operation['operationId'])
  const body = operation['requestBody']
  const responses = mapValues(fields(operation['responses']), (response, status) =>
    renameResponse(fields(response), [...path, 'responses', status], renaming),
  )
  return {
    ...operation,
    ...(operationId === undefined ? {} : { operationId: renaming.operation(operationId) }),
    ...(operation['parameters'] === undefined
      ? {}
      : { parameters: renameParameters(operation['parameters'], path, renaming) }),
    ...(isFields(body)
      ? { requestBody: renameBody(body, [...path, 'requestBody'], renaming) }
      : {}),
    ...(operation['responses'] === undefined ? {} : { responses }),
    ...(operation['x-access'] === undefined
      ? {}
      : { 'x-access': renamePlaces(operation['x-access'], renaming) }),
    ...(isFields(operation['x-versions'])
      ? { 'x-versions': renameSuccessor(operation['x-versions'], renaming) }
      : {}),
  }
}

/** Renames an operation's successor, a path or the id of another: its callers are sent there. */
function renameSuccessor(versions: Fields, renaming: Renaming): Fields {
  const successor = text(versions['successor'])
  if (successor === undefined) return versions
  return {
    ...versions,
    successor: successor.startsWith('/')
      ? renamePath(successor, renaming)
      : renaming.operation(successor),
  }
}

function renameParameters(value: unknown, path: Path, renaming: Renaming): readonly Fields[] {
  const seen = new Map<string, string>()
  return items(value).map((item, index) => {
    const parameter = fields(item)
    const at = [...path, 'parameters', String(index)]
    const name = text(parameter['name']) ?? ''
    const wire = renaming.parameter(name)
    const key = `${String(parameter['in'])} ${wire}`
    const former = seen.get(key)
    if (former !== undefined)
      renaming.clash(
        at,
        `the parameters '${former}' and '${name}' are both '${wire}' in the vocabulary`,
      )
    seen.set(key, name)
    return { ...renameMedia(parameter, at, renaming), name: wire }
  })
}

function renameBody(body: Fields, path: Path, renaming: Renaming): Fields {
  return { ...body, ...renameContent(body, path, renaming) }
}

function renameResponse(response: Fields, path: Path, renaming: Renaming): Fields {
  const headers = mapValues(fields(response['headers']), (header, name) =>
    renameMedia(fields(header), [...path, 'headers', name], renaming),
  )
  return {
    ...response,
    ...renameContent(response, path, renaming),
    ...(response['headers'] === undefined ? {} : { headers }),
  }
}

function renameContent(value: Fields, path: Path, renaming: Renaming): Fields {
  if (!isFields(value['content'])) return {}
  const content = mapValues(value['content'], (media, type) =>
    renameMedia(fields(media), [...path, 'content', type], renaming),
  )
  return { content }
}

/** A parameter, header or media type: schemas, and examples along them. */
function renameMedia(media: Fields, path: Path, renaming: Renaming): Fields {
  const change = renaming.value(
    normaliseSchema(media['itemSchema'] ?? media['schema'] ?? contentSchema(media)),
  )
  const examples = mapValues(fields(media['examples']), (example) => {
    const one = fields(example)
    return 'value' in one ? { ...one, value: change(one['value']) } : example
  })
  const encoding = Object.entries(fields(media['encoding'])).map(([name, one]) => [
    renaming.property(name),
    one,
  ])
  return {
    ...media,
    ...renameContent(media, path, renaming),
    ...renamedSchemas(media, path, renaming, ['schema', 'itemSchema']),
    ...('example' in media ? { example: change(media['example']) } : {}),
    ...(isFields(media['examples']) ? { examples } : {}),
    ...(isFields(media['encoding']) ? { encoding: Object.fromEntries(encoding) } : {}),
  }
}

function contentSchema(media: Fields): unknown {
  return fields(Object.values(fields(media['content']))[0])['schema']
}

function renamedSchemas(
  value: Fields,
  path: Path,
  renaming: Renaming,
  keys: readonly string[],
): Fields {
  const found = keys.filter((key) => value[key] !== undefined)
  return Object.fromEntries(
    found.map((key) => [key, renameSchema(value[key], [...path, key], renaming)]),
  )
}

function renameSchema(schema: unknown, path: Path, renaming: Renaming): unknown {
  if (!isFields(schema)) return schema
  return mapValues(schema, (value, key) =>
    renameKeyword(schema, key, value, [...path, key], renaming),
  )
}

function renameKeyword(
  schema: Fields,
  key: string,
  value: unknown,
  path: Path,
  renaming: Renaming,
): unknown {
  if (key === 'properties' || key === 'dependentSchemas') {
    const members = renameKeys(fields(value), path, renaming, renaming.property, 'properties')
    return mapped(members, (member) => renameSchema(member.value, member.path, renaming))
  }
  if (SCHEMA_MAPS.has(key))
    return mapValues(fields(value), (one, name) => renameSchema(one, [...path, name], renaming))
  if (SCHEMA_LISTS.has(key))
    return items(value).map((one, index) => renameSchema(one, [...path, String(index)], renaming))
  if (SCHEMA_SINGLES.has(key)) return renameSchema(value, path, renaming)
  if (key === 'discriminator') return renameDiscriminator(schema, path, renaming)
  return renamePlain(schema, key, value, renaming)
}

function renamePlain(schema: Fields, key: string, value: unknown, renaming: Renaming): unknown {
  const { property } = renaming
  switch (key) {
    case '$ref':
      return renameRef(value, renaming)
    case 'required':
      return items(value).map((name) => property(String(name)))
    case 'dependentRequired':
      return Object.fromEntries(
        Object.entries(fields(value)).map(([name, more]) => {
          return [property(name), items(more).map((one) => property(String(one)))]
        }),
      )
    case 'const':
    case 'default':
    case 'example':
      return renaming.value(normaliseSchema(schema))(value)
    case 'enum':
    case 'examples':
      return items(value).map((one) => renaming.value(normaliseSchema(schema))(one))
    default:
      return value
  }
}

function renameRef(value: unknown, { schema }: Renaming): unknown {
  const ref = text(value)
  return ref === undefined ? value : schemaRef(schema(refName(ref)))
}

function renameDiscriminator(schema: Fields, path: Path, renaming: Renaming): Fields {
  const value = fields(schema['discriminator'])
  const mapping = { ...unmappedTags(schema, path, renaming), ...fields(value['mapping']) }
  const renamed = mapValues(mapping, (target) => renameRef(target, renaming))
  return {
    ...value,
    propertyName: renaming.property(text(value['propertyName']) ?? ''),
    ...(Object.keys(renamed).length > 0 || isFields(value['mapping']) ? { mapping: renamed } : {}),
    ...(value['defaultMapping'] === undefined
      ? {}
      : { defaultMapping: renameRef(value['defaultMapping'], renaming) }),
  }
}

/**
 * A schema that no mapping leads to has its name for a tag. Tags are values and stay, so that one
 * whose name changes is to be mapped.
 */
function unmappedTags(schema: Fields, path: Path, renaming: Renaming): Fields {
  const variants = [...items(schema['oneOf']), ...items(schema['anyOf'])]
  const isUnion = schema['oneOf'] !== undefined || schema['anyOf'] !== undefined
  const [, , base = ''] = path.length === 4 ? path : []
  const names = isUnion
    ? variants.flatMap((one) => text(fields(one)['$ref']) ?? []).map(refName)
    : renaming.extensions(base)
  const mapped = new Set(
    Object.values(fields(fields(schema['discriminator'])['mapping'])).map((target) =>
      refName(text(target) ?? ''),
    ),
  )
  const unmapped = names.filter((name) => !mapped.has(name) && renaming.schema(name) !== name)
  return Object.fromEntries(unmapped.map((name) => [name, schemaRef(name)]))
}

/** Places in requests that access rules look at: `path.NAME`, `query.NAME`, `body.DOTTED.PATH`. */
function renamePlaces(value: unknown, renaming: Renaming): unknown {
  if (typeof value === 'string') return renamePlace(value, renaming)
  if (Array.isArray(value)) return value.map((one) => renamePlaces(one, renaming))
  if (!isFields(value)) return value
  return mapValues(value, (one) => renamePlaces(one, renaming))
}

function renamePlace(place: string, { parameter, property }: Renaming): string {
  const [, kind, name = ''] = /^(path|query|body)\.(.+)$/u.exec(place) ?? []
  if (kind === undefined) return place
  return kind === 'body'
    ? `body.${name.split('.').map(property).join('.')}`
    : `${kind}.${parameter(name)}`
}
