// Generated servers and clients against each other: every operation of every document is called
// over HTTP by its generated client and answered by a handler that keeps what it decoded. What was
// sent is what was decoded; what was answered is what arrived.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { basename, join, resolve } from 'node:path'
import { text as read } from 'node:stream/consumers'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type {
  InterfaceIr,
  MediaIr,
  OperationIr,
  ParameterPlace,
  ResponseIr,
} from '../../codegen/index.ts'
import { loadInterface } from '../../codegen/index.ts'
import type { WireInterface, WireReply } from '../../runtime/http/index.ts'
import { serveWire, type Handlers } from '../interfaces/http-fixture.ts'
import { sample } from '../support/sample.ts'
import { fixture, generateInto, PROJECT, tempFolder } from './generator-kit.ts'

const UPSTREAM = resolve(PROJECT, '../shared/upstream')
const ours = ['ledger', 'validator', 'scan', 'registry'].map((name) =>
  join(PROJECT, 'spec', `${name}.yaml`),
)
const upstream = existsSync(UPSTREAM)
  ? readdirSync(UPSTREAM, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ya?ml$/u.test(file) && basename(file) !== 'asyncapi.yaml')
      .map((file) => join(UPSTREAM, file))
      .sort()
  : []

interface Exchange {
  readonly sent: Record<string, unknown>
  readonly reply: WireReply
  decoded?: unknown
}

test('every operation of our documents and fixtures is reached by its generated client', async (t) => {
  for (const file of [...ours, fixture('features.yaml'), fixture('nullable.yaml')])
    await roundTrips(file, tempFolder(t), t.diagnostic.bind(t))
})

const skip = upstream.length > 0 ? false : `no public documents at ${UPSTREAM}`
test(
  'every operation of every public document is reached by its generated client',
  { skip, timeout: 300_000 },
  async (t) => {
    for (const file of upstream) await roundTrips(file, tempFolder(t), t.diagnostic.bind(t))
  },
)

async function roundTrips(file: string, out: string, say: (line: string) => void): Promise<void> {
  await generateInto(out, file)
  const { ir } = loadInterface(file)
  const wire = member(await load(out, ir.name, 'routes'), 'wire')
  assert.ok(isWire(wire))
  const exchanges = new Map(
    ir.operations.map((operation) => [operation.operationId, plan(ir, operation)]),
  )
  const handlers: Handlers = Object.fromEntries(
    [...exchanges].map(([id, exchange]) => [
      id,
      async (input: unknown) => {
        // A body that is a stream is there until the answer is out.
        exchange.decoded = { ...Object(input), body: await content(member(input, 'body')) }
        return exchange.reply
      },
    ]),
  )
  // Access is not what is tested here, and not every document names its users in ways that the open
  // guard knows.
  await using server = await serveWire(
    { ...wire, checks: wire.checks.filter((phase) => phase !== 'rights') },
    handlers,
  )
  const client = clientOf(await load(out, ir.name, 'client'), server.url + wire.mount)
  for (const operation of ir.operations)
    await assertRoundTrip(client, operation, exchanges.get(operation.operationId))
  say(`${basename(file)}: ${ir.operations.length} operations reached`)
}

function load(out: string, name: string, file: string): Promise<unknown> {
  return import(pathToFileURL(join(out, name, `${file}.gen.ts`)).href)
}

function member(module: unknown, name: string): unknown {
  return typeof module === 'object' && module !== null ? Reflect.get(module, name) : undefined
}

function isWire(value: unknown): value is WireInterface {
  return member(value, 'operations') !== undefined
}

type Call = (input: unknown) => Promise<unknown>

function clientOf(module: unknown, url: string): (operation: OperationIr) => Call {
  const create = member(module, 'createClient')
  assert.ok(typeof create === 'function')
  const client: unknown = create({ baseUrl: url })
  return (operation) => {
    const { operationId } = operation
    if (operation.method === 'GET' && operation.body !== undefined)
      return (input) => callGetWithBody(url, operation, member(input, 'body'))
    const call =
      member(client, operationId) ??
      member(client, operationId.charAt(0).toLowerCase() + operationId.slice(1))
    assert.ok(typeof call === 'function', `the client has no method ${operationId}`)
    return (input) => call.call(client, input)
  }
}

/** fetch sends no body with GET, so an operation that declares one is called past its client. */
function callGetWithBody(url: string, operation: OperationIr, body: unknown): Promise<unknown> {
  const text = JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
  )
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const sent = request(
      url + operation.path,
      { method: operation.method, headers },
      async (answer) => {
        resolve({ status: answer.statusCode, body: JSON.parse(await read(answer), bigIntegers) })
      },
    )
    sent.on('error', reject).end(text)
  })
}

/** As the generated client reads them: exact. */
function bigIntegers(
  _key: string,
  value: unknown,
  { source = '' }: { readonly source?: string },
): unknown {
  return typeof value === 'number' && /^-?\d{16,}$/.test(source) ? BigInt(source) : value
}

async function assertRoundTrip(
  client: (operation: OperationIr) => Call,
  operation: OperationIr,
  exchange: Exchange | undefined,
): Promise<void> {
  assert.ok(exchange)
  const at = `${operation.method} ${operation.path}`
  const answer = await client(operation)(exchange.sent).catch((error: unknown) =>
    assert.fail(`${at}: ${String(error)}`),
  )
  assert.ok(
    exchange.decoded !== undefined,
    `${at}: the handler was not reached: ${JSON.stringify(answer, bigints)}`,
  )
  for (const group of ['path', 'query', 'headers', 'cookies']) {
    assert.deepEqual(
      defined(member(exchange.decoded, group)),
      exchange.sent[group] ?? {},
      `${at}: ${group}`,
    )
  }
  assert.deepEqual(
    await content(member(exchange.decoded, 'body')),
    await content(exchange.sent['body']),
    `${at}: body`,
  )
  assert.equal(member(answer, 'status'), exchange.reply.status, at)
  assert.deepEqual(
    await content(member(answer, 'body')),
    await content(exchange.reply.body),
    `${at}: answer`,
  )
}

function bigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

function defined(group: unknown): unknown {
  return Object.fromEntries(Object.entries(group ?? {}).filter(([, value]) => value !== undefined))
}

/** Streams are read, files shown by their bytes, so that both sides can be compared. */
async function content(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return [...new Uint8Array(await value.arrayBuffer())]
  if (value instanceof Uint8Array) return [...value]
  if (isStream(value)) return streamed(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = await Promise.all(
    Object.entries(value).map(async ([key, item]) => [key, await content(item)]),
  )
  return Object.fromEntries(members)
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function streamed(stream: AsyncIterable<unknown>): Promise<unknown> {
  const parts = await Array.fromAsync(stream)
  return parts.every((part) => part instanceof Uint8Array) ? [...Buffer.concat(parts)] : parts
}

function plan(ir: InterfaceIr, operation: OperationIr): Exchange {
  const group = (place: ParameterPlace): object =>
    Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === place)
        .map((parameter): [string, unknown] => [parameter.name, sample(ir, parameter.schema)]),
    )
  const groups = {
    path: group('path'),
    query: group('query'),
    headers: group('header'),
    cookies: group('cookie'),
  }
  const used = Object.entries(groups).filter(([, members]) => Object.keys(members).length > 0)
  const media = operation.body?.media[0]
  return {
    sent: {
      ...Object.fromEntries(used),
      ...(media === undefined ? {} : { body: bodyOf(ir, media) }),
    },
    reply: replyOf(ir, operation.responses),
  }
}

function bodyOf(ir: InterfaceIr, { mediaType, schema = true }: MediaIr): unknown {
  if (mediaType === 'application/octet-stream') return new Uint8Array([1, 2, 255])
  if (mediaType.startsWith('multipart/'))
    return { file: new File(['content'], 'a.txt'), title: 'T', count: 3n }
  return sample(ir, schema)
}

function replyOf(ir: InterfaceIr, responses: readonly ResponseIr[]): WireReply {
  const response = responses.find(({ status }) => status.startsWith('2')) ?? responses[0]
  const status = /^\d+$/.test(response?.status ?? '') ? Number(response?.status) : 299
  const headers = Object.fromEntries(
    (response?.headers ?? []).filter(({ required }) => required).map(({ name }) => [name, 'value']),
  )
  const [media] = response?.media ?? []
  if (media === undefined) return { status, headers }
  return { status, mediaType: media.mediaType, headers, body: answerBody(ir, media) }
}

function answerBody(ir: InterfaceIr, media: MediaIr): unknown {
  const { mediaType, schema = true } = media
  if (mediaType === 'application/octet-stream') return new Uint8Array([3, 2, 1, 254])
  if (mediaType === 'text/event-stream') return events([{ data: sample(ir, schema) }])
  if (mediaType === 'application/x-ndjson')
    return events([9_007_199_254_740_993n, 2n].map((n) => ({ n })))
  return sample(ir, schema)
}

/** Readable more than once: the handler's answer is sent and then compared. */
function events(items: readonly unknown[]): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: async function* () {
      yield* items
    },
  }
}
