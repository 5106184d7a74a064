// A documented refusal of the ledger interface, and the assertion that an answer is one.
import assert from 'node:assert/strict'
import type { Answer as Whole } from './http.ts'

type Answer = Pick<Whole, 'status' | 'type' | 'text' | 'json'>

/** Required parts of a structured answer; other context keys may be present. */
export interface Documented {
  readonly status: number
  readonly code: string
  readonly cause?: string | RegExp
  readonly category: number
  readonly grpc: number
  readonly context?: Record<string, string>
  readonly resources?: string[][]
  readonly retryInfo?: string
  readonly definiteAnswer?: boolean
}

/** How errors of each category are answered, unless their code says otherwise. */
const CATEGORIES = {
  2: { status: 409, grpc: 10, retryInfo: '1 second' },
  8: { status: 400, grpc: 3 },
  9: { status: 400, grpc: 9 },
  10: { status: 409, grpc: 6 },
  11: { status: 404, grpc: 5 },
  12: { status: 400, grpc: 11, retryInfo: '1 second' },
} as const

/** The refusal with a code of a category, and what else is in it. */
export function refusal(
  category: keyof typeof CATEGORIES,
  code: string,
  more: Partial<Documented> = {},
): Documented {
  return { category, code, ...CATEGORIES[category], ...more }
}

export const ARGUMENT = refusal(8, 'INVALID_ARGUMENT')

/** Refusals whose reason the caller must not learn. */
export const DENIED: Documented = { status: 403, code: 'NA', category: -1, grpc: 7, context: {} }
export const UNAUTHENTICATED: Documented = { ...DENIED, status: 401, grpc: 16 }

/** INVALID_ARGUMENT with exactly this reason, or one like it. */
export function argument(reason: string | RegExp): Documented {
  const cause =
    typeof reason === 'string' ? `The submitted request has invalid arguments: ${reason}` : reason
  return { ...ARGUMENT, cause }
}

/** MISSING_FIELD of the field. */
export function missing(field: string): Documented {
  return refusal(8, 'MISSING_FIELD', { context: { field_name: field } })
}

/** INVALID_FIELD: exactly this field and reason, or a cause like it. */
export function invalidField(reason: string | RegExp): Documented {
  const cause =
    typeof reason === 'string'
      ? `The submitted command has a field with invalid value: Invalid field ${reason}`
      : reason
  return refusal(8, 'INVALID_FIELD', { cause })
}

/** A text is the body of a 400 text/plain; one that ends with '(' is its beginning. */
export function assertRefused(answer: Answer, expected: string | Documented): void {
  if (typeof expected === 'string') assertText(answer, expected)
  else assertDocumented(answer, expected)
}

function assertText(answer: Answer, expected: string): void {
  assert.equal(answer.status, 400, answer.text)
  assert.match(answer.type, /^text\/plain/)
  assert.ok(
    expected.endsWith('(') ? answer.text.startsWith(expected) : answer.text === expected,
    answer.text,
  )
}

function assertDocumented(answer: Answer, expected: Documented): void {
  assert.equal(answer.status, expected.status, answer.text)
  assert.match(answer.type, /^application\/json/)
  const body = answer.json
  assert.ok(typeof body === 'object' && body !== null)
  const field = (name: string): unknown => Reflect.get(body, name)
  assert.deepEqual(
    [field('code'), field('errorCategory'), field('grpcCodeValue')],
    [expected.code, expected.category, expected.grpc],
  )
  if (expected.cause instanceof RegExp) assert.match(String(field('cause')), expected.cause)
  else if (expected.cause !== undefined) assert.equal(field('cause'), expected.cause)
  assert.match(String(field('traceId')), /^[0-9a-f]{32}$/)
  assert.deepEqual(field('retryInfo'), expected.retryInfo)
  assert.deepEqual(field('definiteAnswer'), expected.definiteAnswer)
  if (expected.resources) assert.deepEqual(field('resources'), expected.resources)
  assertContext(field('context'), expected)
  assert.ok(!Object.values(body).includes(null), 'optional fields are left out, never null')
}

function assertContext(context: unknown, { code, context: wanted = {} }: Documented): void {
  assert.ok(typeof context === 'object' && context !== null)
  if (code === 'NA') assert.deepEqual(context, wanted)
  for (const [key, value] of Object.entries(wanted)) assert.equal(Reflect.get(context, key), value)
}
