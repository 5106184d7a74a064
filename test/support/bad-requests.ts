// Every bad request that an interface's document and generated route table suggest, for every
// operation: broken bodies, fields missing or of another type, hostile texts, impossible numbers,
// amounts, times and ids. What an operation needs to be asked properly, its test says.
import type { WireInterface, WireOperation } from '../../runtime/http/index.ts'
import { member } from '../../runtime/host/member.ts'
import { bodySchema, parametersOf, resolveSchema } from './examples.ts'
import type { ParameterDoc, Schema } from './examples.ts'

/** One request with exactly one thing wrong. */
export interface BadRequest {
  readonly name: string
  /** `POST /api/…`, encoded. */
  readonly line: string
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
  /** Token to send; '' is none. */
  readonly as: string
  /** Statuses that are right; empty: any that is 4xx and declared. */
  readonly expected: readonly number[]
}

/** How an operation is asked properly. */
export interface ProperRequest {
  /** A caller who may ask. */
  readonly as: string
  /** A caller with a valid token who may not; '' if everybody may. */
  readonly stranger: string
  /** Values of path and query, not encoded. */
  readonly parameters: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> | undefined
}

const LONG = 'x'.repeat(10_000)
const CONTRACT_IDS = [
  '',
  '00',
  'zz',
  'ff'.repeat(49),
  'a'.repeat(3_000),
  '../../etc/passwd',
  '__proto__',
]
/**
 * Amounts of one or more than 28 digits, more than 10 decimals, no decimals at all, not above zero.
 */
export const BAD_AMOUNTS = [
  '0',
  '-1',
  '-0.0000000001',
  '0.00000000001',
  '1'.repeat(29),
  `-${'1'.repeat(29)}`,
  'one',
  '',
  '1e3',
  ' 1',
  '1.',
  '.5',
  '+1',
  '١',
]
const HUGE = [
  '9223372036854775808',
  '-9223372036854775809',
  '1e400',
  '1e18000',
  '99999999999999999999999999999999',
  '1.5',
]
/** Texts that no object is. */
const NO_OBJECT = [
  '{bad',
  '{"a":1',
  'nonsense',
  '[]',
  '"text"',
  '5',
  '{"a":1,"a":1}',
  '['.repeat(20_000),
  '\0',
]
/** JSON texts that no string is. */
const NO_STRING = ['5', 'null', 'true', '[]', '{}', '["x"]']
const NO_NUMBER = ['"x"', '""', 'null', 'true', '[]', '{}']
const HOSTILE = [JSON.stringify('a\0b'), '"\\ud800"', '"\\udc00x"', JSON.stringify(LONG)]
const HOSTILE_PATHS = [
  '%00',
  '%ED%A0%80',
  'x'.repeat(8_000),
  '%E0%A4%A',
  '..%2F..%2Fetc%2Fpasswd',
  '%20',
  '%F0%9F%92%A9',
  '__proto__',
]
/** The year 10000 and the largest int64, in microseconds; the past. */
const BAD_TIMES = [
  '0',
  '-1',
  '1000',
  '253402300800000000',
  '9223372036854775807',
  '-9223372036854775808',
]

/** All bad requests of one operation. */
export function badRequests(
  { mount }: WireInterface,
  operation: WireOperation,
  document: unknown,
  proper: () => ProperRequest,
): BadRequest[] {
  const request = lineMaker(mount, operation)
  return [
    ...byStrangers(operation, request, proper()),
    ...parameterProblems(operation, document, request, proper()),
    ...(operation.body === undefined ? [] : bodyProblems(operation, document, request, proper)),
  ]
}

type LineOf = (proper: ProperRequest, encoded?: Readonly<Record<string, string>>) => string

function lineMaker(mount: string, { method, path }: WireOperation): LineOf {
  return ({ parameters }, encoded = {}) => {
    const proper = Object.entries(parameters).map(
      ([name, value]) => [name, encodeURIComponent(value)] as const,
    )
    const values = { ...Object.fromEntries(proper), ...encoded }
    const inPath = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => values[name] ?? 'x')
    const query = Object.entries(values)
      .filter(([name]) => !path.includes(`{${name}}`))
      .map(([name, value]) => `${name}=${value}`)
    return `${method} ${mount}${inPath}${query.length === 0 ? '' : `?${query.join('&')}`}`
  }
}

/** `raw` for a body that is as it should be. */
function properBody({ body }: ProperRequest): { readonly raw?: string } {
  return body === undefined ? {} : { raw: jsonText(body) }
}

function byStrangers(
  { access }: WireOperation,
  request: LineOf,
  proper: ProperRequest,
): BadRequest[] {
  const common = { line: request(proper), ...properBody(proper) }
  if (member(access, 'token') === 'none') return []
  const tokens = [
    ['no token', ''],
    ['a token that is none', 'nonsense'],
    ['a token with a forged signature', 'forged'],
  ] as const
  const strangers =
    proper.stranger === ''
      ? []
      : [{ ...common, name: 'somebody else', as: proper.stranger, expected: [403, 404] }]
  return [
    ...tokens.map(([name, as]) => ({ ...common, name, as, expected: [401, 403] })),
    ...strangers,
  ]
}

function parameterProblems(
  operation: WireOperation,
  document: unknown,
  request: LineOf,
  proper: ProperRequest,
): BadRequest[] {
  const { parameters, as } = proper
  const case_ = (name: string, line: string, expected: readonly number[]): BadRequest => ({
    name,
    line,
    ...properBody(proper),
    as,
    expected,
  })
  return parametersOf(operation, document)
    .filter(({ name }) => parameters[name] !== undefined)
    .flatMap((parameter) => {
      const { name, required } = parameter
      const isPath = parameter.in === 'path'
      const { [name]: _, ...others } = parameters
      const without =
        required && !isPath
          ? [case_(`without ${name}`, request({ ...proper, parameters: others }), [400])]
          : []
      const wrong = undecodable(parameter).map((text) =>
        case_(
          `${name} ${text}`,
          request({ ...proper, parameters: { ...others, [name]: text } }),
          [400],
        ),
      )
      const hostile = HOSTILE_PATHS.map((value) =>
        case_(
          `${name} ${value.slice(0, 20)}`,
          request(proper, { [name]: value }),
          isPath ? [400, 404, 409, 414] : [],
        ),
      )
      return [...without, ...wrong, ...hostile]
    })
}

function undecodable({ schema: { type, format } }: ParameterDoc): readonly string[] {
  if (type === 'integer')
    return ['x', '', '1.5', '1e3', '9223372036854775808', '-9223372036854775809', '0x10']
  return format === 'date-time' ? ['yesterday', '', '2025-13-01T00:00:00Z', '2025-01-01', '0'] : []
}

function bodyProblems(
  operation: WireOperation,
  document: unknown,
  request: LineOf,
  proper: () => ProperRequest,
): BadRequest[] {
  const case_ = (
    name: string,
    raw: BadRequest['raw'],
    expected: readonly number[] = [400],
    headers: Record<string, string> = {},
  ): BadRequest => {
    const asked = proper()
    return {
      name,
      line: request(asked),
      as: asked.as,
      expected,
      headers,
      ...(raw === undefined ? {} : { raw }),
    }
  }
  const text = jsonText(proper().body ?? {})
  const schema = bodySchema(operation, document)
  return [
    ...NO_OBJECT.map((raw) => case_(`body ${raw.slice(0, 12)}`, raw)),
    case_(
      'a body that is not UTF-8',
      new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    ),
    case_('text/plain', text, [415], { 'content-type': 'text/plain' }),
    case_('a compressed body', text, [400, 415], { 'content-encoding': 'gzip' }),
    ...(operation.body?.required === true
      ? [case_('no body', undefined, [400, 415]), case_('body null', 'null')]
      : []),
    ...fieldProblems(schema, document, []).map(([name, at, raw, isDecoding]) =>
      case_(name, withMember(proper().body ?? {}, at, raw), isDecoding ? [400] : []),
    ),
  ]
}

/** Name, place, JSON text (undefined: left out), and whether it cannot even be decoded. */
type FieldFault = readonly [
  name: string,
  at: readonly string[],
  raw: string | undefined,
  isDecoding: boolean,
]

function fieldProblems(schema: Schema, document: unknown, at: readonly string[]): FieldFault[] {
  const { properties = {}, required = [] } = resolveSchema(schema, document)
  return Object.entries(properties).flatMap(([name, property]) => {
    const place = [...at, name]
    const label = place.join('.')
    const missing: FieldFault[] = required.includes(name)
      ? [[`without ${label}`, place, undefined, true]]
      : []
    const own = valueProblems(name, property, document).map(([raw, isDecoding]): FieldFault => [
      `${label} ${raw.slice(0, 24)}`,
      place,
      raw,
      isDecoding,
    ])
    return [...missing, ...own, ...fieldProblems(property, document, place)]
  })
}

/** JSON texts, and whether they cannot even be decoded. */
function valueProblems(
  name: string,
  property: Schema,
  document: unknown,
): (readonly [raw: string, isDecoding: boolean])[] {
  const schema = resolveSchema(property, document)
  const problems = faultsOfType(name, schema)
  return Array.isArray(schema.type) && schema.type.includes('null')
    ? problems.filter(([raw]) => raw !== 'null')
    : problems
}

function faultsOfType(
  name: string,
  schema: Schema,
): (readonly [raw: string, isDecoding: boolean])[] {
  const [type] = [schema.type ?? 'object'].flat()
  const wrong = (raws: readonly string[]): [string, boolean][] => raws.map((raw) => [raw, true])
  const bad = (values: readonly string[]): [string, boolean][] => values.map((raw) => [raw, false])
  const quoted = (texts: readonly string[]): string[] => texts.map((text) => JSON.stringify(text))
  if (/contract_id$|_cid$/.test(name)) {
    return [
      ...wrong(['5', 'null', 'true', '[]', '{"a":1}']),
      ...bad([...quoted(CONTRACT_IDS), ...HOSTILE]),
    ]
  }
  if (schema.format === 'decimal')
    return [...wrong(NO_STRING), ...bad([...quoted(BAD_AMOUNTS), ...HOSTILE])]
  const nobody = /party/.test(name) ? ['""', '"nobody"', '"nobody::1220"'] : []
  if (type === 'string') return [...wrong(NO_STRING), ...bad([...HOSTILE, ...nobody])]
  if (type === 'integer')
    return [...wrong([...NO_NUMBER, ...HUGE]), ...bad(/_at$|_after$/.test(name) ? BAD_TIMES : [])]
  if (type === 'boolean') return wrong(['5', '"true"', 'null', '[]', '{}'])
  if (type === 'number') return wrong(['"x"', 'null', 'true', '[]', '{}', '1e400'])
  return wrong(type === 'array' ? ['5', '"x"', 'null', '{}'] : ['5', '"x"', 'null', '[]'])
}

/** JSON with whole numbers of any size. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? Number(part) : part,
  )
}

const MARK = '@@here@@'

/** The body's text with another text for one member. */
function withMember(body: object, at: readonly string[], raw: string | undefined): string {
  return jsonText(replaced(body, at, raw === undefined ? undefined : MARK)).replace(
    `"${MARK}"`,
    () => raw ?? '',
  )
}

function replaced(
  value: unknown,
  [name, ...rest]: readonly string[],
  by: string | undefined,
): unknown {
  if (name === undefined) return by
  return { ...Object(value), [name]: replaced(member(value, name), rest, by) }
}
