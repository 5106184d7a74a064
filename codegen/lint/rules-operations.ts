// Rules for operations, parameters and what goes over HTTP: things that are legal in a document but
// go wrong on the wire.
import { fields, items, text, texts } from '../values.ts'
import type { Fields } from '../values.ts'
import { bodyOf, deref, mediaOf, typesOf } from './model.ts'
import type { MediaNode, Model, Node, OperationNode } from './model.ts'
import { forDocument, forOperations, forParameters, hit, hitIf } from './rule.ts'
import type { Hit } from './rule.ts'

function repeated<T>(
  list: readonly T[],
  key: (one: T) => string,
): readonly (readonly [one: T, first: T])[] {
  const seen = new Map<string, T>()
  return list.flatMap((one): readonly (readonly [T, T])[] => {
    const first = seen.get(key(one))
    if (first === undefined) seen.set(key(one), one)
    return first === undefined ? [] : [[one, first]]
  })
}

function sameIdHits({ operations }: Model): readonly Hit[] {
  const named = operations.flatMap(({ path, value }) => {
    const id = text(value['operationId'])
    return id === undefined ? [] : [{ path, id }]
  })
  return repeated(named, ({ id }) => id.toLowerCase())
    .filter(([one, first]) => one.id !== first.id)
    .map(([one, first]) =>
      hit(`'${one.id}' and '${first.id}' differ in case only`, ...one.path, 'operationId'),
    )
}

function pathCaseHits({ document }: Model): readonly Hit[] {
  const templates = Object.keys(fields(document['paths']))
  return repeated(templates, (template) => template.toLowerCase()).map(([one, first]) =>
    hit(`${one} and ${first} differ in case only`, 'paths', one),
  )
}

function successes({ responses }: OperationNode): readonly (Node & { readonly status: string })[] {
  return responses.filter(({ status }) => /^2(?:\d\d|xx)$/iu.test(status))
}

/** JSON answers without a schema; of other media types the type says enough. */
function schemalessHits(operation: OperationNode): readonly Hit[] {
  return successes(operation).flatMap((response) =>
    mediaOf(response)
      .filter(({ mediaType, value }) => /[/+]json\b/iu.test(mediaType) && !('schema' in value))
      .map(({ mediaType }) =>
        hit(
          `${response.status} says nothing of its ${mediaType}`,
          'responses',
          response.status,
          'content',
          mediaType,
        ),
      ),
  )
}

function redirectHits({ responses }: OperationNode): readonly Hit[] {
  return responses.flatMap(({ status, value }) => {
    const names = Object.keys(fields(value['headers'])).map((name) => name.toLowerCase())
    return hitIf(
      /^30[12378]$/u.test(status) && !names.includes('location'),
      `${status} leads elsewhere, but declares no header Location`,
      'responses',
      status,
    )
  })
}

function allMedia(operation: OperationNode): readonly MediaNode[] {
  const body = bodyOf(operation)
  return [...(body === undefined ? [] : [body]), ...operation.responses].flatMap(mediaOf)
}

function mediaTypeHits(operation: OperationNode): readonly Hit[] {
  return allMedia(operation)
    .filter(({ mediaType }) => !/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:\s*;.*)?$/u.test(mediaType))
    .map(({ mediaType, path }) =>
      hit(
        `'${mediaType}' is not a media type like application/json`,
        ...path.slice(operation.path.length),
      ),
    )
}

function formHits(operation: OperationNode, model: Model): readonly Hit[] {
  const body = bodyOf(operation)
  if (body === undefined) return []
  return mediaOf(body).flatMap(({ mediaType, value, path }) => {
    const isForm =
      mediaType.startsWith('multipart/form-data') ||
      mediaType.startsWith('application/x-www-form-urlencoded')
    const types = typesOf(deref(model, value['schema']))
    return hitIf(
      isForm && types.length > 0 && !types.includes('object'),
      `a form has fields: the schema of ${mediaType} must be an object`,
      ...path.slice(operation.path.length),
    )
  })
}

/** Names of the security schemes that requirements ask for, with the path to each. */
function required(
  holder: Fields,
): readonly { readonly name: string; readonly keys: readonly string[] }[] {
  return items(holder['security']).flatMap((group, index) =>
    Object.keys(fields(group)).map((name) => ({ name, keys: ['security', String(index), name] })),
  )
}

function unusedSchemeHits({ document, operations }: Model): readonly Hit[] {
  const used = new Set(
    [document, ...operations.map(({ value }) => value)].flatMap(required).map(({ name }) => name),
  )
  return Object.keys(fields(fields(document['components'])['securitySchemes']))
    .filter((name) => !used.has(name))
    .map((name) =>
      hit(`nothing asks for security scheme '${name}'`, 'components', 'securitySchemes', name),
    )
}

function readOnlyHits(operation: OperationNode, model: Model): readonly Hit[] {
  const body = bodyOf(operation)
  if (body === undefined) return []
  return mediaOf(body).flatMap(({ value, path }) => {
    const schema = deref(model, value['schema'])
    const names = items(schema['required']).filter(
      (name) => fields(fields(schema['properties'])[String(name)])['readOnly'] === true,
    )
    return hitIf(
      names.length > 0,
      `required and read-only: ${names.join(', ')}. Requests leave it out, whatever \`required\` says`,
      ...path.slice(operation.path.length),
      'schema',
    )
  })
}

/** Rules for operations and parameters. */
export const OPERATION_RULES = {
  'operation-id-case': forDocument('warning', 'Some disks and languages ignore case.', sameIdHits),
  'path-case': forDocument(
    'warning',
    'Many routers and proxies ignore case: only one path is reached.',
    pathCaseHits,
  ),
  'success-missing': forOperations(
    'warning',
    'Without a success, a handler has nothing to return.',
    ({ responses, label }) =>
      hitIf(
        !responses.some(({ status }) => /^(?:[123](?:\d\d|xx)|default)$/iu.test(status)),
        `${label} declares no answer for success`,
      ),
  ),
  'success-without-schema': forOperations(
    'warning',
    'The body is of type `unknown`, and nothing checks it.',
    schemalessHits,
  ),
  'head-with-body': forOperations(
    'error',
    'An answer to HEAD has no body: servers drop it or break the connection.',
    ({ responses, method }) =>
      responses.flatMap(({ status, value }) =>
        hitIf(
          method === 'HEAD' && Object.keys(fields(value['content'])).length > 0,
          'an answer to HEAD has no body',
          'responses',
          status,
          'content',
        ),
      ),
  ),
  'redirect-without-location': forOperations(
    'note',
    'A redirect needs the header Location; undeclared headers have no type.',
    redirectHits,
  ),
  'media-type': forOperations(
    'error',
    'No request or answer can have this media type.',
    mediaTypeHits,
  ),
  'form-not-object': forOperations('error', 'A form consists of named fields.', formHits),
  'delete-with-body': forOperations(
    'note',
    'HTTP defines no meaning for this body; many proxies and clients drop it.',
    (operation) =>
      hitIf(
        operation.method === 'DELETE' && bodyOf(operation) !== undefined,
        `${operation.label} takes a body`,
        'requestBody',
      ),
  ),
  'parameter-explode': forParameters(
    'warning',
    'Each exploded value is its own parameter, without a delimiter: write style `form`.',
    ({ value }) =>
      hitIf(
        String(value['style']).endsWith('Delimited') && value['explode'] === true,
        `explode takes ${String(value['style'])} apart again`,
        'explode',
      ),
  ),
  'parameter-default-required': forParameters(
    'note',
    'A default is never used for a required value.',
    ({ value }, _, model) =>
      hitIf(
        value['required'] === true && 'default' in deref(model, value['schema']),
        `'${String(value['name'])}' is required: its default is never used`,
      ),
  ),
  'security-unused': forDocument(
    'note',
    'The scheme is a leftover, or a requirement is missing.',
    unusedSchemeHits,
  ),
  'security-missing': forOperations(
    'note',
    'Other operations require credentials. To leave this one open, write `security: []`.',
    ({ value, label }, { document, operations }) =>
      hitIf(
        !('security' in value) &&
          !('security' in document) &&
          operations.some((other) => items(other.value['security']).length > 0),
        `${label} says nothing of security, others do`,
      ),
  ),
  'tag-undefined': forOperations(
    'note',
    'The tag has no description and no place in documentation.',
    ({ value }, { document }) => {
      const known = items(document['tags']).map((tag) => fields(tag)['name'])
      return texts(value['tags']).flatMap((tag, index) =>
        hitIf(
          known.length > 0 && !known.includes(tag),
          `'${tag}' is not in the list of tags`,
          'tags',
          String(index),
        ),
      )
    },
  ),
  'read-only-required': forOperations(
    'note',
    '`required` holds for answers only; split the schema to say it outright.',
    readOnlyHits,
  ),
}
