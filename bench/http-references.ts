// What bench/http.ts compares with besides the main reference of http-dutiful.ts: a Koa handler by
// hand, Fastify with the schemas of the same document, bare node:http.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import Koa from 'koa'
import { accepted, USER } from './http-sample.ts'

function readJson(req: IncomingMessage): Promise<{ readonly commandId?: unknown }> {
  return new Promise((resolve, reject) => {
    let text = ''
    req.setEncoding('utf8')
    req.on('data', (chunk: string) => {
      text += chunk
    })
    req.on('end', () => {
      resolve(JSON.parse(text))
    })
    req.on('error', reject)
  })
}

/** A handler by hand: no router, no validation, no log. */
export function serveKoa(): Promise<number> {
  const app = new Koa()
  app.use(async (context) => {
    context.body =
      context.method === 'POST' ? accepted((await readJson(context.req)).commandId) : { ...USER }
  })
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => {
      resolve(portOf(server.address()))
    })
  })
}

/** The least that any server on Node costs. */
export function serveNode(): Promise<number> {
  const server = createServer((req, res) => {
    const answer = (body: object): void => {
      const text = JSON.stringify(body)
      res
        .writeHead(200, [
          'Content-Type',
          'application/json',
          'Content-Length',
          String(Buffer.byteLength(text)),
        ])
        .end(text)
    }
    if (req.method === 'POST')
      void readJson(req).then(({ commandId }) => {
        answer(accepted(commandId))
      })
    else answer(USER)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(portOf(server.address()))
    })
  })
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<'get' | 'post', Operation | undefined>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly schema: unknown }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: { readonly 200: { readonly content: Content } }
}

type Content = { readonly 'application/json': { readonly schema: unknown } }

/**
 * Fastify with all 60 operations and its own validator and serialiser. Alone it has no log, no
 * guard and no metrics; `addDuties` adds what it should have.
 */
export async function serveFastify(
  dir: string,
  addDuties: (app: FastifyInstance) => void = () => undefined,
): Promise<number> {
  const { default: fastify } = await import('fastify')
  const document: Document = resolved(
    JSON.parse(readFileSync(join(dir, 'bench/openapi.json'), 'utf8')),
  )
  const app = fastify()
  addDuties(app)
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post'] as const) {
      const operation = item[method]
      if (operation === undefined) continue
      app.route<{ Body: { readonly commandId?: string } | undefined }>({
        method,
        url: path.replaceAll(/\{(\w+)-?(\w*)\}/g, ':$1$2'),
        schema: schemasOf(operation),
        config: { operationId: operation.operationId },
        handler: async ({ body }) => answerOf(operation.operationId, body?.commandId),
      })
    }
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  return portOf(app.server.address())
}

function answerOf(operationId: string, commandId: unknown): object {
  if (operationId === 'getUser') return { ...USER }
  return operationId === 'submitCommand' ? accepted(commandId) : {}
}

function schemasOf({ parameters = [], requestBody, responses }: Operation): object {
  const names = parameters.map(({ name }) => name.replace('-', ''))
  const properties = Object.fromEntries(parameters.map(({ schema }, at) => [names[at], schema]))
  const body = requestBody?.content['application/json'].schema
  return {
    params: { type: 'object', required: names, properties },
    response: { 200: responses[200].content['application/json'].schema },
    ...(body === undefined ? {} : { body }),
  }
}

/** The document with every `$ref` replaced by what it points to. */
function resolved(document: unknown): Document {
  const at = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce((value: unknown, name) => Object(value)[name], document)
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(resolve)
    if ('$ref' in value) return resolve(at(String(value.$ref)))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item)]))
  }
  return Object(resolve(document))
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
