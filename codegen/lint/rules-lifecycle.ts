// Rules for `x-stability`, `x-versions`, `deprecated` and `x-renamed-from`: what an operation was
// and will be.
import { fields, isFields, text } from '../values.ts'
import type { Fields } from '../values.ts'
import type { Model, OperationNode } from './model.ts'
import { forOperations, forSchemas, hit, hitIf } from './rule.ts'
import type { Hit } from './rule.ts'

const STABILITIES = ['stable', 'internal', 'experimental', 'deprecated']
const NUMBERS = ['introduced', 'changed', 'deprecated', 'removed']
const FIELDS = [...NUMBERS, 'sunset', 'moved', 'successor']

function ofVersions(
  check: (versions: Fields, operation: OperationNode, model: Model) => readonly Hit[],
): (operation: OperationNode, model: Model) => readonly Hit[] {
  return (operation, model) => {
    const versions = operation.value['x-versions']
    return isFields(versions) ? check(versions, operation, model) : []
  }
}

function usedElsewhere(model: Model, key: string): boolean {
  return model.operations.some(({ value }) => key in value)
}

/** Numbers of a version text; undefined when it is none. `3.5` and `3.5.0` are equal. */
function parts(version: unknown): readonly number[] | undefined {
  const found =
    typeof version === 'string' ? /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?$/u.exec(version) : null
  return found === null ? undefined : [1, 2, 3].map((index) => Number(found[index] ?? 0))
}

function isLater(a: unknown, b: unknown): boolean {
  const [one, other] = [parts(a), parts(b)]
  if (one === undefined || other === undefined) return false
  const index = one.findIndex((part, at) => part !== other[at])
  return index >= 0 && (one[index] ?? 0) > (other[index] ?? 0)
}

function orderHits(versions: Fields): readonly Hit[] {
  const pairs = [
    ['introduced', 'changed'],
    ['introduced', 'deprecated'],
    ['introduced', 'removed'],
    ['changed', 'removed'],
    ['deprecated', 'removed'],
  ]
  return pairs.flatMap(([before = '', after = '']) =>
    hitIf(
      isLater(versions[before], versions[after]),
      `${after} in ${String(versions[after])}, before it was ${before} in ${String(versions[before])}`,
      'x-versions',
      after,
    ),
  )
}

function shapeHits(versions: Fields): readonly Hit[] {
  const moved = versions['moved']
  const isMove =
    isFields(moved) &&
    text(moved['from']) !== undefined &&
    parts(moved['in']) !== undefined &&
    Object.keys(moved).length === 2
  return [
    ...Object.keys(versions)
      .filter((key) => !FIELDS.includes(key))
      .map((key) => hit(`x-versions has no field '${key}'`, 'x-versions', key)),
    ...hitIf(
      moved !== undefined && !isMove,
      'moved must be { from: PATH, in: VERSION }',
      'x-versions',
      'moved',
    ),
    ...hitIf(
      'successor' in versions && text(versions['successor']) === undefined,
      'successor must be a path or an operation id',
      'x-versions',
      'successor',
    ),
  ]
}

function numberHits(versions: Fields): readonly Hit[] {
  return NUMBERS.flatMap((key) => {
    const value = versions[key]
    if (value === undefined || parts(value) !== undefined) return []
    const hint = typeof value === 'number' ? `: write it in quotes, as 3.10 is the number 3.1` : ''
    return [hit(`${key} is not a version like '1.2' or '1.2.3'${hint}`, 'x-versions', key)]
  })
}

function sunsetHits(versions: Fields): readonly Hit[] {
  const { sunset } = versions
  if (sunset === undefined) return []
  const isDate =
    typeof sunset === 'string' &&
    /^\d{4}-\d\d-\d\d(?:T.+)?$/u.test(sunset) &&
    !Number.isNaN(Date.parse(sunset))
  return [
    ...hitIf(!isDate, 'sunset must be a date like 2027-01-31', 'x-versions', 'sunset'),
    ...hitIf(
      !('deprecated' in versions),
      'sunset of an operation that is not deprecated',
      'x-versions',
      'sunset',
    ),
  ]
}

function successorHits(
  versions: Fields,
  operation: OperationNode,
  { neighbours }: Model,
): readonly Hit[] {
  const successor = text(versions['successor'])
  if (successor === undefined) return []
  const known = neighbours.paths.has(successor) || neighbours.operationIds.has(successor)
  return [
    ...hitIf(
      !known,
      `'${successor}' is neither a path nor an operation of these documents`,
      'x-versions',
      'successor',
    ),
    ...hitIf(
      successor === operation.template || successor === operation.value['operationId'],
      'an operation cannot succeed itself',
      'x-versions',
      'successor',
    ),
  ]
}

/** The three ways of saying that an operation is deprecated, as far as the document uses them. */
function deprecationHits({ value }: OperationNode): readonly Hit[] {
  const versions = fields(value['x-versions'])
  const flag = value['deprecated'] === true
  const dated = 'deprecated' in versions
  const staged = value['x-stability'] === 'deprecated'
  return [
    ...hitIf(
      (dated || staged) && !flag,
      'it is deprecated by its x-versions or x-stability, but `deprecated: true` is missing',
    ),
    ...hitIf(
      flag && 'x-versions' in value && !dated,
      '`deprecated: true`, but x-versions does not say since when',
      'deprecated',
    ),
    ...hitIf(
      flag && 'x-stability' in value && !staged,
      `\`deprecated: true\`, but x-stability is '${String(value['x-stability'])}'`,
      'deprecated',
    ),
  ]
}

function renamedOperationHits({ value }: OperationNode, { operations }: Model): readonly Hit[] {
  const from = value['x-renamed-from']
  if (from === undefined) return []
  if (text(from) === undefined)
    return [hit('x-renamed-from must be the former operationId', 'x-renamed-from')]
  return hitIf(
    operations.some((other) => other.value['operationId'] === from),
    `operation '${String(from)}' is still there`,
    'x-renamed-from',
  )
}

function renamedPropertyHits(schema: Fields): readonly Hit[] {
  const properties = fields(schema['properties'])
  return Object.entries(properties).flatMap(([name, property]) => {
    const from = text(fields(property)['x-renamed-from'])
    return hitIf(
      from !== undefined && Object.hasOwn(properties, from),
      `property '${from ?? ''}' is still there`,
      'properties',
      name,
      'x-renamed-from',
    )
  })
}

/** Rules for stability, versions and names that were. */
export const LIFECYCLE_RULES = {
  'stability-value': forOperations('error', 'Only four words are known.', ({ value }) =>
    hitIf(
      'x-stability' in value && !STABILITIES.includes(String(value['x-stability'])),
      `x-stability must be one of ${STABILITIES.join(', ')}`,
      'x-stability',
    ),
  ),
  'stability-missing': forOperations(
    'warning',
    'Other operations have a stability; callers have to guess this one.',
    (operation, model) =>
      hitIf(
        !('x-stability' in operation.value) && usedElsewhere(model, 'x-stability'),
        `${operation.label} has no x-stability, others have`,
      ),
  ),
  'versions-shape': forOperations(
    'error',
    'Deprecation headers and the change report use only known fields.',
    (operation) => {
      const versions = operation.value['x-versions']
      if (versions === undefined) return []
      return isFields(versions)
        ? shapeHits(versions)
        : [hit('x-versions must be an object', 'x-versions')]
    },
  ),
  'versions-number': forOperations(
    'error',
    'A version must be a text: YAML reads 3.10 as the number 3.1.',
    ofVersions(numberHits),
  ),
  'versions-missing': forOperations(
    'warning',
    'Other operations say when they were introduced.',
    (operation, model) =>
      hitIf(
        !('introduced' in fields(operation.value['x-versions'])) &&
          usedElsewhere(model, 'x-versions'),
        `${operation.label} does not say in which version it was introduced, others do`,
      ),
  ),
  'versions-order': forOperations(
    'warning',
    'An operation cannot be changed or removed before it exists.',
    ofVersions(orderHits),
  ),
  'versions-future': forOperations(
    'warning',
    'Nothing can be introduced after `info.version`: raise it.',
    ofVersions((versions, _, { document }) =>
      hitIf(
        isLater(versions['introduced'], fields(document['info'])['version']),
        `introduced in ${String(versions['introduced'])}, later than this document's ${String(fields(document['info'])['version'])}`,
        'x-versions',
        'introduced',
      ),
    ),
  ),
  'versions-removed': forOperations(
    'note',
    'Describe a removed operation only if the service still answers it.',
    ofVersions((versions, _, { document }) =>
      hitIf(
        'removed' in versions && !isLater(versions['removed'], fields(document['info'])['version']),
        `removed in ${String(versions['removed'])}, but still described`,
        'x-versions',
        'removed',
      ),
    ),
  ),
  'versions-sunset': forOperations(
    'error',
    '`sunset` becomes the header Sunset, which is a date.',
    ofVersions(sunsetHits),
  ),
  'versions-successor': forOperations(
    'warning',
    'The successor must be in one of the documents.',
    ofVersions(successorHits),
  ),
  'deprecated-disagrees': forOperations(
    'warning',
    '`deprecated`, `x-versions` and `x-stability` must agree.',
    deprecationHits,
  ),
  'renamed-operation': forOperations(
    'error',
    '`scaffold` cannot rename the handler while both names are there.',
    renamedOperationHits,
  ),
  'renamed-property': forSchemas('error', 'The old name is still a property.', renamedPropertyHits),
}
