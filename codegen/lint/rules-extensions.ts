// Rules for our other extensions: limits, refusals, error codes, the interface itself, and keys
// that look like ours but are not.
import { fields, isFields, items, sortedEntries, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { keywords } from '../keywords/table.ts'
import { bodyOf } from './model.ts'
import type { Model, Node } from './model.ts'
import { forDocument, forOperations, forSchemas, hit, hitIf } from './rule.ts'
import type { Hit } from './rule.ts'

const PHASES = [
  'parameters',
  'token',
  'authenticated',
  'mediaType',
  'body',
  'rights',
  'constraints',
]
const INTERFACE_KEYS = ['name', 'mount', 'checks', 'problems']
const ERROR_KEYS = ['code', 'field', 'reason']
/** Keywords whose violation is one of the schema itself. */
const CONSTRAINTS = keywords(({ role }) => ['rule', 'values', 'composition'].includes(role))

type Holder = 'root' | 'path' | 'operation' | 'parameter' | 'schema' | 'any'
/** Places where each of our extensions is read. */
const HOLDERS: Readonly<Record<string, readonly Holder[]>> = {
  'x-interface': ['root'],
  'x-access': ['operation'],
  'x-stability': ['operation'],
  'x-versions': ['operation'],
  'x-max-body-bytes': ['operation'],
  'x-refuses': ['operation'],
  'x-websocket': ['operation'],
  'x-renamed-from': ['operation', 'schema', 'parameter'],
  'x-error': ['schema', 'parameter'],
  'x-lint-ignore': ['any'],
  'x-vocabulary': ['any'],
}

interface Held extends Node {
  readonly holder: Holder
}

function* holders({ document, operations, schemas }: Model): Generator<Held> {
  yield { holder: 'root', path: [], value: document }
  for (const [template, item] of Object.entries(fields(document['paths']))) {
    yield { holder: 'path', path: ['paths', template], value: fields(item) }
  }
  for (const operation of operations) {
    yield { ...operation, holder: 'operation' }
    for (const parameter of operation.parameters) yield { ...parameter, holder: 'parameter' }
  }
  for (const schema of schemas) yield { ...schema, holder: 'schema' }
}

/** Every `x-` key of the places where extensions are read. */
function eachExtension(
  model: Model,
  check: (key: string, held: Held) => readonly Hit[],
): readonly Hit[] {
  return [...holders(model)].flatMap((held) =>
    Object.keys(held.value)
      .filter((key) => key.startsWith('x-'))
      .flatMap((key) =>
        check(key, held).map((one) => ({ ...one, keys: [...held.path, ...one.keys] })),
      ),
  )
}

function misspelledHits(key: string): readonly Hit[] {
  if (Object.hasOwn(HOLDERS, key)) return []
  const meant = Object.keys(HOLDERS).find(
    (known) => distance(key, known) <= (known.length < 9 ? 1 : 2),
  )
  return meant === undefined ? [] : [hit(`'${key}' is read by nobody: is '${meant}' meant?`, key)]
}

function misplacedHits(key: string, { holder }: Held): readonly Hit[] {
  const read = Object.hasOwn(HOLDERS, key) ? (HOLDERS[key] ?? []) : ['any']
  return hitIf(
    !read.includes('any') && !read.includes(holder),
    `'${key}' is read at: ${read.join(', ')}. Here it is not`,
    key,
  )
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let at = 0; at < a.length; at += 1) {
    const next = [at + 1]
    for (let to = 0; to < b.length; to += 1) {
      const same = a.charAt(at) === b.charAt(to) ? 0 : 1
      next.push(Math.min((row[to] ?? 0) + same, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

function refusesHits({ value }: Node): readonly Hit[] {
  const refuses = value['x-refuses']
  if (refuses === undefined) return []
  if (!isFields(refuses)) return [hit('x-refuses must be { STATUS: REASON }', 'x-refuses')]
  return sortedEntries(refuses).flatMap(([status, reason]) => [
    ...hitIf(
      !/^4\d\d$/u.test(status),
      `'${status}' is not a status of a rejection`,
      'x-refuses',
      status,
    ),
    ...hitIf(
      (text(reason) ?? '').trim() === '',
      `x-refuses ${status} needs a reason in words`,
      'x-refuses',
      status,
    ),
  ])
}

function undeclaredStatusHits({ value }: Node): readonly Hit[] {
  const declared = Object.keys(fields(value['responses'])).map((status) => status.toUpperCase())
  return Object.keys(fields(value['x-refuses'])).flatMap((status) => {
    const isKnown = [status, `${status.charAt(0)}XX`, 'DEFAULT'].some((one) =>
      declared.includes(one),
    )
    return hitIf(!isKnown, `status ${status} is not among the responses`, 'x-refuses', status)
  })
}

function errorHits(value: Fields): readonly Hit[] {
  const error = value['x-error']
  if (error === undefined) return []
  if (!isFields(error)) return [hit('x-error must be { code, field?, reason? }', 'x-error')]
  const placeholders = [...(text(error['reason']) ?? '').matchAll(/\{([a-z]+)\}/giu)].map(
    (match) => match[1] ?? '',
  )
  return [
    ...hitIf(
      !/^[A-Z][A-Z0-9_]*$/u.test(text(error['code']) ?? ''),
      'x-error needs a code in capitals: INVALID_ARGUMENT',
      'x-error',
    ),
    ...Object.keys(error)
      .filter((key) => !ERROR_KEYS.includes(key))
      .map((key) => hit(`x-error has no key '${key}'`, 'x-error', key)),
    ...placeholders
      .filter((name) => name !== 'value' && name !== 'pattern')
      .map((name) =>
        hit(`'{${name}}' is not filled in: {value} and {pattern} are`, 'x-error', 'reason'),
      ),
  ]
}

function interfaceHits({ document }: Model): readonly Hit[] {
  const settings = document['x-interface']
  if (settings === undefined) return []
  if (!isFields(settings)) return [hit('x-interface must be an object', 'x-interface')]
  const { name, mount, problems } = settings
  return [
    ...Object.keys(settings)
      .filter((key) => !INTERFACE_KEYS.includes(key))
      .map((key) => hit(`x-interface has no key '${key}'`, 'x-interface', key)),
    ...hitIf(
      name !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_.-]*$/u.test(text(name) ?? ''),
      'name must be the name of a folder',
      'x-interface',
      'name',
    ),
    ...hitIf(
      mount !== undefined && !/^(?:\/[^/]+)*$/u.test(text(mount) ?? '/'),
      "mount must be '' or like '/api/scan'",
      'x-interface',
      'mount',
    ),
    ...hitIf(
      problems !== undefined && text(problems) === undefined,
      'problems must be the name of a family of error bodies',
      'x-interface',
      'problems',
    ),
  ]
}

function phaseHits({ document }: Model): readonly Hit[] {
  const checks = fields(document['x-interface'])['checks']
  if (checks === undefined) return []
  if (!Array.isArray(checks))
    return [hit('checks must be a list of phases', 'x-interface', 'checks')]
  return items(checks).flatMap((phase, index) => [
    ...hitIf(
      !PHASES.includes(String(phase)),
      `'${String(phase)}' is not a phase: ${PHASES.join(', ')}`,
      'x-interface',
      'checks',
      String(index),
    ),
    ...hitIf(
      items(checks).indexOf(phase) < index,
      `phase '${String(phase)}' is listed twice`,
      'x-interface',
      'checks',
      String(index),
    ),
  ])
}

/** Rules for the rest of our extensions. */
export const EXTENSION_RULES = {
  'interface-shape': forDocument(
    'error',
    'Name and mount become folders and addresses; unknown keys have no effect.',
    interfaceHits,
  ),
  'interface-phase': forDocument('error', 'An unknown check is not made.', phaseHits),
  'extension-misspelled': forDocument(
    'warning',
    'The extension has no effect; often it is misspelled.',
    (model) => eachExtension(model, misspelledHits),
  ),
  'extension-misplaced': forDocument(
    'warning',
    'The extension has no effect on this kind of object.',
    (model) => eachExtension(model, misplacedHits),
  ),
  'max-body-bytes': forOperations(
    'error',
    'The limit is not a positive whole number: the host uses its own.',
    ({ value }) =>
      hitIf(
        'x-max-body-bytes' in value &&
          !(
            Number.isSafeInteger(value['x-max-body-bytes']) && Number(value['x-max-body-bytes']) > 0
          ),
        'x-max-body-bytes must be a positive whole number of bytes',
        'x-max-body-bytes',
      ),
  ),
  'max-body-without-body': forOperations(
    'warning',
    'The limit was probably meant for another operation.',
    (operation) =>
      hitIf(
        'x-max-body-bytes' in operation.value && bodyOf(operation) === undefined,
        `${operation.label} takes no body`,
        'x-max-body-bytes',
      ),
  ),
  'refuses-shape': forOperations(
    'error',
    'Each entry needs a 4xx status and a reason.',
    refusesHits,
  ),
  'refuses-undeclared-status': forOperations(
    'error',
    'A rejection with an undeclared status would violate the document.',
    undeclaredStatusHits,
  ),
  'error-shape': forDocument(
    'error',
    'The service looks up the code in the catalogue of errors.',
    (model) =>
      eachExtension(model, (key, { value }) => (key === 'x-error' ? errorHits(value) : [])),
  ),
  'error-without-constraint': forSchemas(
    'warning',
    'Without a constraint in its schema, `x-error` is never used.',
    (schema) =>
      hitIf(
        'x-error' in schema && !CONSTRAINTS.some(([name]) => name in schema),
        'x-error on a schema that constrains nothing',
        'x-error',
      ),
  ),
}
