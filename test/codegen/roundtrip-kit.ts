// Calls every operation of a served interface by its printed client, and compares what each side
// gave with what the other got.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { InterfaceArbitraries, RequestCase } from '../../codegen/emit/support/arbitrary.ts'
import { canonicalText } from '../../codegen/emit/support/arbitrary-scalars.ts'
import { parseExact, stringifyExact } from '../../codegen/emit/support/exact-json.ts'
import type { WireMedia, WireOperation, WireReply } from '../../runtime/http/index.ts'
import { TOKEN } from '../support/example-server.ts'
import type { ExampleServer, ServedInterface } from '../support/example-server.ts'
import { imported } from './generator-kit.ts'

/** An answer as `readAnswer` of the printed client gives it. */
interface ClientAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body?: unknown
}

type Call = (input: object) => Promise<ClientAnswer>
type Maker = (options: object) => Readonly<Record<string, Call>>
type Arbitraries = (fastCheck: typeof fc) => InterfaceArbitraries

/** Sends `runs` requests of each operation; how many were sent. */
export async function callAll(
  server: ExampleServer,
  served: ServedInterface,
  runs: number,
  seed: number,
): Promise<number> {
  const load = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
    return await imported(server.out, served.name, `${file}.gen.ts`)
  }
  const [{ createClient }, { arbitraries }] = [await load('client'), await load('arbitraries')]
  assert.ok(isMaker(createClient) && isArbitraries(arbitraries), served.name)
  const client = createClient({
    baseUrl: server.url + served.mount,
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  const { operations } = arbitraries(fc)
  let sent = 0
  for (const operation of served.wire.operations) {
    const { operationId } = operation
    const [call, drawn] = [client[operationId], operations[operationId]]
    assert.ok(call !== undefined && drawn !== undefined, operationId)
    for (const request of fc
      .sample(drawn.valid, { numRuns: runs, seed })
      .filter((one) => isSendable(operation, one))) {
      await callOne(server, operation, { name: served.name, call, request })
      sent += 1
    }
  }
  return sent
}

function isMaker(value: unknown): value is Maker {
  return typeof value === 'function'
}

function isArbitraries(value: unknown): value is Arbitraries {
  return typeof value === 'function'
}

/**
 * fetch has no TRACE and no body with GET, clients take no answer where none is declared, and odd
 * segments name another path.
 */
function isSendable({ method, responses }: WireOperation, { path, body }: RequestCase): boolean {
  if (method === 'TRACE' || responses.length === 0) return false
  const hasOddSegment = Object.values(path).some(
    (value) => value === '' || value === '.' || value === '..',
  )
  return !hasOddSegment && (body === undefined || (method !== 'GET' && method !== 'HEAD'))
}

interface OneCall {
  readonly name: string
  readonly call: Call
  readonly request: RequestCase
}

async function callOne(
  server: ExampleServer,
  operation: WireOperation,
  { name, call, request }: OneCall,
): Promise<void> {
  const { body, ...places } = request
  const answer = await call(
    body === undefined ? places : { ...places, body: body.value, mediaType: body.mediaType },
  )
  const what = `${name} ${operation.operationId}`
  const known = server.calls.get(what)
  assert.ok(known !== undefined, `${what} ${server.failures.at(-1) ?? ''}`)
  const { input, reply } = known
  for (const place of ['path', 'query', 'headers', 'cookies'] as const)
    assertSent(what, input[place], request[place])
  const media = operation.body?.media.find(({ mediaType }) => mediaType === body?.mediaType)
  // A decimal is handed on as text, in which no digit is lost.
  if (body !== undefined && media?.kind === 'json')
    assert.equal(loose(input.body), loose(lifted(media, body.value)), what)
  await assertAnswered(what, operation, reply, answer)
}

/** Asserts that everything sent has come in; besides, there may be defaults. */
function assertSent(what: string, got: unknown, sent: object): void {
  for (const [name, value] of Object.entries(sent)) {
    const one: unknown =
      typeof got === 'object' && got !== null ? Reflect.get(got, name) : undefined
    assert.equal(loose(one), loose(value), `${what} ${name}`)
  }
}

/** 5 and '5' are the same here: parameters travel as text. */
function loose(value: unknown): string {
  return canonicalText(value).replaceAll('"', '')
}

function assertSame(what: string, got: unknown, wanted: unknown): void {
  assert.equal(canonicalText(got), canonicalText(wanted), what)
}

/** The value after going over the wire. */
function lifted(media: WireMedia | undefined, value: unknown): unknown {
  const arrived = parseExact(stringifyExact(value))
  return media?.lift === undefined ? arrived : media.lift(arrived)
}

async function assertAnswered(
  what: string,
  operation: WireOperation,
  reply: WireReply,
  answer: ClientAnswer,
): Promise<void> {
  assert.equal(answer.status, reply.status, what)
  const response = operation.responses.find(({ status }) => status === String(reply.status))
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    const text = response?.headers.find((one) => one.name === name)?.text?.(value) ?? String(value)
    assert.equal(answer.headers.get(name), text.trim(), `${what} ${name}`)
  }
  if (reply.body === undefined) return
  const media = response?.media.find(({ mediaType }) => mediaType === reply.mediaType)
  if (reply.body instanceof Uint8Array)
    assert.deepEqual(await bytesOf(answer.body), [...reply.body], what)
  else if (isItems(reply.body))
    assertSame(what, (await all(answer.body)).map(dataOf), (await all(reply.body)).map(dataOf))
  else if (media?.kind === 'text') assert.equal(answer.body, String(reply.body), what)
  else assertSame(what, answer.body, lifted(media, reply.body))
}

function isItems(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function all(items: unknown): Promise<readonly unknown[]> {
  assert.ok(isItems(items))
  return Array.fromAsync(items)
}

function dataOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'data' in item ? item.data : item
}

async function bytesOf(stream: unknown): Promise<readonly number[]> {
  assert.ok(stream instanceof ReadableStream)
  return [...new Uint8Array(await new Response(stream).arrayBuffer())]
}
