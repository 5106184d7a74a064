// The websockets of a document as an AsyncAPI document: what OpenAPI cannot say of operations that
// `x-websocket` marks. Made of the document that is served, so both always agree.
import { dump } from 'js-yaml'
import { z } from 'zod'

const CONTENT = z.looseObject({
  'application/json': z.looseObject({ schema: z.record(z.string(), z.unknown()) }),
})
const RESPONSE = z.looseObject({ content: CONTENT })
const OPERATION = z.looseObject({
  operationId: z.string(),
  description: z.string().default(''),
  'x-websocket': z.literal(true),
  requestBody: RESPONSE,
  responses: z.looseObject({ '200': RESPONSE }),
})
const DOCUMENT = z.looseObject({
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.looseObject({ post: z.unknown().optional() })),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.looseObject({ Error: RESPONSE }),
  }),
})

type Schemas = Readonly<Record<string, unknown>>

const REFERENCE = '#/components/schemas/'

/** The document's websockets in YAML; undefined where it has none. */
export function asyncapiOf(openapi: unknown): string | undefined {
  const { data } = DOCUMENT.safeParse(openapi)
  if (data === undefined) return undefined
  const { info, components } = data
  const { schema: error } = components.responses.Error.content['application/json']
  const channels = Object.entries(data.paths).flatMap(([path, { post }]) => {
    const operation = OPERATION.safeParse(post)
    return operation.success ? [[path, channelOf(operation.data, error)] as const] : []
  })
  if (channels.length === 0) return undefined
  const document = {
    asyncapi: '2.6.0',
    info: {
      title: `${info.title}: websockets`,
      version: info.version,
      description:
        'A client opens a websocket with GET on the path of a channel and sends one message, ' +
        'the request. The elements follow, one a message, and the socket is closed after the ' +
        'last one; an error is the last message.',
    },
    channels: Object.fromEntries(channels),
  }
  const schemas = reached(document, components.schemas)
  return dump({ ...document, components: { schemas } }, { noRefs: true })
}

function channelOf(
  { operationId, description, requestBody, responses }: z.infer<typeof OPERATION>,
  error: Schemas,
) {
  const request = requestBody.content['application/json'].schema
  const { items: element } = responses['200'].content['application/json'].schema
  return {
    description,
    publish: { operationId: `${operationId}Request`, message: { payload: request } },
    subscribe: {
      operationId: `${operationId}Elements`,
      message: { payload: { oneOf: [element, error] } },
    },
    bindings: { ws: { method: 'GET' } },
  }
}

/** The schemas that a value refers to, directly or through others, by name. */
function reached(value: unknown, schemas: Schemas): Schemas {
  const found = new Map<string, unknown>()
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string' && next.startsWith(REFERENCE)) {
      const name = next.slice(REFERENCE.length)
      if (found.has(name)) continue
      found.set(name, schemas[name])
      waiting.push(schemas[name])
    } else if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next))
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
