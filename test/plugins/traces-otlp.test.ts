// Traces as a collector gets them: a payment is one trace, from the caller's span to statements;
// nothing is sent where the caller's trace is not kept, and no service stops for a collector that
// is gone. docs/observability.md
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const API = '/api/validator/v0'
const CALLER = '00f067aa0ba902b7'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  /** `http.route`. */
  readonly route: string | undefined
  readonly nanos: { readonly start: bigint; readonly end: bigint }
}

interface Collector {
  readonly url: string
  readonly spans: readonly Span[]
  /** `authorization` of the last request. */
  readonly authorization: string | undefined
  stop(): Promise<void>
}

async function startCollector(): Promise<Collector> {
  const spans: Span[] = []
  let authorization: string | undefined
  const server = createServer((request, response) => {
    authorization = request.headers.authorization
    void json(request).then((body) => {
      spans.push(...spansIn(body))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return {
    url: `http://127.0.0.1:${address.port}/v1/traces`,
    spans,
    get authorization() {
      return authorization
    },
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function spansIn(body: unknown): readonly Span[] {
  return listOf(body, 'resourceSpans')
    .flatMap((resource) => listOf(resource, 'scopeSpans'))
    .flatMap((scope) => listOf(scope, 'spans'))
    .map((span) => ({
      traceId: String(member(span, 'traceId')),
      spanId: String(member(span, 'spanId')),
      parentSpanId: String(member(span, 'parentSpanId') ?? ''),
      name: String(member(span, 'name')),
      route: routeOf(span),
      nanos: {
        start: BigInt(String(member(span, 'startTimeUnixNano'))),
        end: BigInt(String(member(span, 'endTimeUnixNano'))),
      },
    }))
}

function routeOf(span: unknown): string | undefined {
  const route = listOf(span, 'attributes').find((one) => member(one, 'key') === 'http.route')
  const text = member(member(route, 'value'), 'stringValue')
  return typeof text === 'string' ? text : undefined
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name)
  return Array.isArray(list) ? list : []
}

function traces(endpoint: string, more: object = {}): object {
  return { extensions: { 'traces-otlp': { endpoint, delayMs: 50, ...more } } }
}

const newTraceId = (): string => crypto.randomUUID().replaceAll('-', '')

describe('traces', () => {
  let collector: Collector
  let service: Service
  let token: string
  before(async () => {
    const folder = await tempDir()
    after(() => folder.remove())
    const secret = join(folder.path, 'collector-token')
    await writeFile(secret, 'Bearer collector\n', { mode: 0o600 })
    collector = await startCollector()
    service = await startService({
      config: {
        storage: { use: 'sqlite' },
        ...traces(collector.url, {
          ratio: 0,
          headers: { authorization: { file: secret } },
        }),
      },
      seeded: true,
    })
    token = await service.token('alice')
  })
  after(async () => {
    await service.stop()
    await collector.stop()
  })

  const tap = (traceparent: string) =>
    call(service.url, `POST ${API}/wallet/tap`, {
      token,
      body: { amount: '1.0' },
      headers: { traceparent },
    })

  test('a payment is one trace: request, submission, commit, statements, each within its parent', async () => {
    const traceId = newTraceId()
    assert.equal((await tap(`00-${traceId}-${CALLER}-01`)).status, 200)
    const own = await retried(() => {
      const found = collector.spans.filter((span) => span.traceId === traceId)
      assert.ok(found.some(({ name }) => name.startsWith('POST ')))
      return found
    })
    const one = (name: RegExp, parent: string): Span => {
      const [first] = own.filter((span) => name.test(span.name) && span.parentSpanId === parent)
      return first ?? assert.fail(`no ${name} under ${parent}: ${JSON.stringify(names(own))}`)
    }
    const request = one(/^POST \/api\/validator\/v0\/wallet\/tap$/, CALLER)
    const submission = one(/^submission$/, request.spanId)
    const commit = one(/^commit$/, submission.spanId)
    const transaction = one(/^transaction$/, commit.spanId)
    const statement = one(/./, transaction.spanId)
    // Of two clocks, to a millisecond.
    const slack = 1_000_000n
    for (const [inner, outer] of [
      [submission, request],
      [commit, submission],
      [transaction, commit],
      [statement, transaction],
    ] as const) {
      assert.ok(inner.nanos.start + slack >= outer.nanos.start, `${inner.name} begins too early`)
      assert.ok(inner.nanos.end <= outer.nanos.end + slack, `${inner.name} ends too late`)
    }
    assert.equal(collector.authorization, 'Bearer collector')
  })

  test('a refused path is told by its template, and not at all where it has none', async () => {
    const traceId = newTraceId()
    const headers = { traceparent: `00-${traceId}-${CALLER}-01` }
    for (const asked of ['GET /secret/abc', 'PUT /v2/users/secret/rights'])
      await call(service.url, asked, { headers })
    await retried(() =>
      assert.deepEqual(
        new Map(
          collector.spans
            .filter((span) => span.traceId === traceId)
            .map(({ name, route }) => [name, route]),
        ),
        new Map([
          ['GET', undefined],
          ['PUT /v2/users/{user-id}/rights', '/v2/users/{user-id}/rights'],
        ]),
      ),
    )
  })

  test('those of callers that are not kept leave nothing, nor do those that begin here at ratio 0', async () => {
    const [left, kept] = [newTraceId(), newTraceId()]
    assert.equal((await tap(`00-${left}-${CALLER}-00`)).status, 200)
    const { headers } = await call(service.url, `GET ${API}/wallet/balance`, { token })
    assert.match(headers.get('traceparent') ?? '', /-00$/)
    assert.equal((await tap(`00-${kept}-${CALLER}-01`)).status, 200)
    await retried(() =>
      assert.ok(collector.spans.some((span) => span.traceId === kept && span.name === 'commit')),
    )
    assert.deepEqual(
      collector.spans.filter(({ traceId }) => traceId === left),
      [],
    )
    assert.ok(!collector.spans.some(({ name }) => name.startsWith('automation ')))
  })
})

test('runs of automations begin traces, and a collector that is gone harms nothing', async () => {
  const collector = await startCollector()
  const service = await startService({
    config: { storage: { use: 'sqlite' }, ...traces(collector.url, { timeoutMs: 1_000 }) },
    seeded: true,
  })
  await retried(() => {
    const run = collector.spans.find(({ name }) => name === 'automation rounds')
    assert.equal(run?.parentSpanId, '')
    assert.ok(
      collector.spans.some(({ traceId, name }) => traceId === run.traceId && name !== run.name),
    )
  })
  await collector.stop()
  const token = await service.token('alice')
  await retried(async () => {
    const { text } = await call(service.url, 'GET /metrics')
    assert.match(text, /ledgerwright_plugin_health_ratio\{plugin="extension\/traces-otlp"\} 0\.5/)
  })
  const tapped = await call(service.url, `POST ${API}/wallet/tap`, {
    token,
    body: { amount: '1.0' },
  })
  assert.deepEqual([tapped.status, (await call(service.url, 'GET /readyz')).status], [200, 200])
  assert.equal(await service.stop(), 0)
})

function names(spans: readonly Span[]): readonly string[] {
  return spans.map(({ name, parentSpanId, spanId }) => `${name} ${spanId} < ${parentSpanId}`)
}
