// A value for the schema of an error's body, with the message in a fitting member. It supports only
// the part of JSON Schema that errors use; the caller checks the value against the schema.
type Fields = Readonly<Record<string, unknown>>

/** The content of an error's body. */
interface Telling {
  readonly sentence: string
  readonly status: number
}

interface SampleOptions {
  /** The whole document, for references into it. */
  readonly document: unknown
  /** The branch of a `oneOf` or `anyOf` that is taken, counted round. */
  readonly branch: number
  /** Optional members are there whatever they say: some unions are told apart by nothing else. */
  readonly isFull?: boolean
}

const DEEPEST = 8
/** Optional members of deeper objects are left out: with all of them a value may grow too far. */
const DEEPEST_FULL = 2
const SENTENCES =
  /^(?:error|errors|message|messages|msg|detail|details|description|reason|title|cause|error_?(?:message|description))$/i
const STATUSES = /^(?:status|status_?code|http_?status|code)$/i
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '1970-01-01T00:00:00Z',
  date: '1970-01-01',
  time: '00:00:00Z',
  duration: 'PT0S',
  email: 'nobody@example.org',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'about:blank',
  'uri-reference': 'about:blank',
  hostname: 'example.org',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  decimal: '0',
  int64: '0',
}

/** A value that a schema probably admits. */
export function sampleProblem(schema: unknown, telling: Telling, options: SampleOptions): unknown {
  return sample(schema, '', telling, { ...options, depth: 0 })
}

interface Place extends SampleOptions {
  readonly depth: number
}

function sample(given: unknown, name: string, telling: Telling, place: Place): unknown {
  if (place.depth > DEEPEST) return undefined
  const schema = flattened(given, place)
  const told = toldBy(schema, name, telling)
  if (told !== undefined) return told
  const [fixed] = [
    [schema['const']],
    list(schema['enum']),
    [schema['example']],
    list(schema['examples']),
    [schema['default']],
  ].flatMap((values) => (values[0] === undefined ? [] : [values[0]]))
  if (fixed !== undefined) return fixed
  const next = { ...place, depth: place.depth + 1 }
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, telling, next)
    case 'array':
      return arrayOf(schema, name, telling, next)
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return name === '' ? { error: telling.sentence } : {}
  }
}

/** The sentence or the status, where a schema is for one of them. */
function toldBy(schema: Fields, name: string, { sentence, status }: Telling): unknown {
  const type = typeOf(schema)
  const isFree = ['const', 'enum', 'pattern', 'format'].every((key) => schema[key] === undefined)
  if (type === 'string' && isFree && (name === '' || SENTENCES.test(name))) {
    return sentence
      .slice(0, numeric(schema['maxLength']) ?? sentence.length)
      .padEnd(numeric(schema['minLength']) ?? 0, '.')
  }
  if ((type === 'integer' || type === 'number') && STATUSES.test(name)) {
    const isWithin =
      (numeric(schema['minimum']) ?? status) <= status &&
      status <= (numeric(schema['maximum']) ?? status)
    return isWithin && schema['enum'] === undefined && schema['const'] === undefined
      ? status
      : undefined
  }
  return undefined
}

function objectOf(schema: Fields, telling: Telling, place: Place): Fields {
  const properties = fieldsOf(schema['properties'])
  const required = list(schema['required']).map(String)
  const optional = Object.keys(properties).filter(
    (name) =>
      !required.includes(name) && (isFull(place) || isTelling(properties[name], name, place)),
  )
  return Object.fromEntries(
    [...required, ...optional].map((name) => [
      name,
      sample(properties[name] ?? schema['additionalProperties'], name, telling, place),
    ]),
  )
}

function isFull({ isFull = false, depth }: Place): boolean {
  return isFull && depth <= DEEPEST_FULL
}

/** Optional members are there only where they say something: a text or number of a known name. */
function isTelling(schema: unknown, name: string, place: Place): boolean {
  const type = typeOf(flattened(schema, place))
  return (type === 'string' && SENTENCES.test(name)) || (type === 'integer' && STATUSES.test(name))
}

function arrayOf(schema: Fields, name: string, telling: Telling, place: Place): readonly unknown[] {
  const least = numeric(schema['minItems']) ?? 0
  const wanted =
    least === 0 && SENTENCES.test(name) && numeric(schema['maxItems']) !== 0 ? 1 : least
  return Array.from({ length: Math.min(wanted, 100) }, () =>
    sample(schema['items'], name, telling, place),
  )
}

function textOf(schema: Fields): string {
  const text = FORMATS[String(schema['format'])] ?? ''
  return text.padEnd(numeric(schema['minLength']) ?? 0, 'x')
}

function numberOf(schema: Fields): number {
  const above =
    schema['exclusiveMinimum'] === true
      ? numeric(schema['minimum'])
      : numeric(schema['exclusiveMinimum'])
  const least = above === undefined ? numeric(schema['minimum']) : above + 1
  return Math.min(Math.max(0, least ?? 0), numeric(schema['maximum']) ?? Number.MAX_SAFE_INTEGER)
}

/** A schema with its references, its `allOf` and one branch of its unions written out. */
function flattened(given: unknown, place: Place, hops = 0): Fields {
  const schema = fieldsOf(given)
  if (hops > DEEPEST) return schema
  const { $ref, allOf, oneOf, anyOf, ...own } = schema
  const parts = [
    ...(typeof $ref === 'string' ? [referred(place.document, $ref)] : []),
    ...list(allOf),
    ...[oneOf, anyOf].flatMap((union) => {
      const branches = list(union)
      return branches.length === 0 ? [] : [branches[place.branch % branches.length]]
    }),
  ]
  return parts.map((part) => flattened(part, place, hops + 1)).reduce(merged, own)
}

function merged(a: Fields, b: Fields): Fields {
  const required = [...new Set([...list(a['required']), ...list(b['required'])])]
  const properties = { ...fieldsOf(b['properties']), ...fieldsOf(a['properties']) }
  return {
    ...b,
    ...a,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  }
}

/** The target of a reference within a document; undefined where there is nothing. */
export function referred(document: unknown, ref: string): unknown {
  const parts = ref
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  return parts.reduce((at, part) => fieldsOf(at)[part], document)
}

function typeOf(schema: Fields): string | undefined {
  const { type } = schema
  const named = Array.isArray(type) ? (list(type).find((one) => one !== 'null') ?? type[0]) : type
  if (typeof named === 'string') return named
  if (schema['properties'] !== undefined || schema['required'] !== undefined) return 'object'
  return schema['items'] === undefined ? undefined : 'array'
}

const NO_FIELDS: Fields = {}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NO_FIELDS
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function numeric(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
