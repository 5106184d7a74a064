// A documented refusal of the ledger interface, and the assertion that an answer is one.
// interface.md §7; domain/ledger.md §1
import assert from 'node:assert/strict'
import type { Answer } from './http.ts'

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

export const ARGUMENT = { status: 400, code: 'INVALID_ARGUMENT', category: 8, grpc: 3 }

/** INVALID_ARGUMENT with exactly this reason. */
export function argument(reason: string): Documented {
  return { ...ARGUMENT, cause: `The submitted request has invalid arguments: ${reason}` }
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
