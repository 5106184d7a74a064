// A made-up document of any number of operations in the mix that real ones have, so that the
// generator's growth can be measured: every resource has a list, a create, a read and an update,
// and refers to its neighbours.
import { writeFileSync } from 'node:fs'

type Node = Readonly<Record<string, unknown>>

const TAGS = 10
const PER_RESOURCE = 4
/**
 * Resources that refer to each other in a circle. With this many, what an operation reaches is the
 * same however long the document is.
 */
export const CIRCLE = 12

const ref = (name: string): Node => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: Node): Node => ({ 'application/json': { schema } })
const answer = (description: string, schema: Node): Node => ({ description, content: json(schema) })
const problems = {
  '400': { $ref: '#/components/responses/Problem' },
  default: { $ref: '#/components/responses/Problem' },
}

/** Writes an OpenAPI 3.1 document of `operations` operations, as JSON, which any tool reads. */
export function writeSynthetic(file: string, operations: number, circle = CIRCLE): void {
  writeFileSync(file, JSON.stringify(syntheticDocument(operations, circle), null, 2))
}

function syntheticDocument(operations: number, circle: number): Node {
  const resources = Array.from(
    { length: Math.ceil(operations / PER_RESOURCE) },
    (_, index) => index,
  )
  return {
    openapi: '3.1.0',
    info: { title: `Synthetic ${operations}`, version: '1.0.0' },
    tags: Array.from({ length: TAGS }, (_, index) => ({ name: `area-${index}` })),
    security: [{ token: [] }],
    paths: Object.fromEntries(resources.flatMap((index) => pathsOf(index))),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: { Problem: answer('What went wrong', ref('Problem')) },
      schemas: {
        ...SHARED,
        ...Object.fromEntries(
          resources.flatMap((index) => schemasOf(index, resources.length, circle)),
        ),
      },
    },
  }
}

const SHARED: Node = {
  Problem: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', pattern: '^[A-Z_]+$' },
      message: { type: 'string', maxLength: 2000 },
      details: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
  Money: {
    type: 'object',
    required: ['amount', 'currency'],
    properties: {
      amount: { type: 'string', format: 'decimal' },
      currency: { type: 'string', minLength: 3, maxLength: 3 },
    },
  },
  Audit: {
    type: 'object',
    required: ['created', 'offset'],
    properties: {
      created: { type: 'string', format: 'date-time' },
      changed: { type: ['string', 'null'], format: 'date-time' },
      offset: { type: 'integer', format: 'int64', minimum: 0 },
    },
  },
}

function pathsOf(index: number): readonly (readonly [string, Node])[] {
  const name = `Resource${index}`
  const common = { tags: [`area-${index % TAGS}`] }
  const id = {
    name: 'resource-id',
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 64 },
  }
  const created = {
    ...answer('Created', ref(name)),
    headers: { Location: { required: true, schema: { type: 'string' } } },
  }
  return [
    [
      `/v1/area-${index % TAGS}/resources-${index}`,
      {
        get: {
          ...common,
          operationId: `list${name}`,
          summary: `List resources of kind ${index}`,
          parameters: listParameters(index),
          responses: { '200': answer('A page', ref(`${name}Page`)), ...problems },
        },
        post: {
          ...common,
          operationId: `create${name}`,
          summary: `Create a resource of kind ${index}`,
          requestBody: { required: true, content: json(ref(`${name}Create`)) },
          responses: { '201': created, ...problems },
        },
      },
    ],
    [
      `/v1/area-${index % TAGS}/resources-${index}/{resource-id}`,
      {
        parameters: [id],
        get: {
          ...common,
          operationId: `get${name}`,
          summary: `Read a resource of kind ${index}`,
          responses: {
            '200': answer('The resource', ref(name)),
            '404': { $ref: '#/components/responses/Problem' },
            ...problems,
          },
        },
        patch: {
          ...common,
          operationId: `update${name}`,
          description: 'Changes what is given.\n\nWhat is absent stays as it is.',
          requestBody: {
            required: true,
            content: json({ allOf: [ref(`${name}Create`), { type: 'object', minProperties: 1 }] }),
          },
          responses: { '200': answer('The resource', ref(name)), ...problems },
        },
      },
    ],
  ]
}

function listParameters(index: number): readonly Node[] {
  return [
    {
      name: 'limit',
      in: 'query',
      schema: {
        type: 'integer',
        format: 'int32',
        minimum: 1,
        maximum: 100 + (index % 7),
        default: 20,
      },
    },
    { name: 'after', in: 'query', schema: { type: 'integer', format: 'int64' } },
    {
      name: 'state',
      in: 'query',
      schema: {
        type: 'array',
        maxItems: 3,
        items: { type: 'string', enum: ['open', 'closed', `state-${index}`] },
      },
    },
    { name: 'X-Trace', in: 'header', schema: { type: 'string', maxLength: 100 } },
  ]
}

function schemasOf(
  index: number,
  resources: number,
  circle: number,
): readonly (readonly [string, Node])[] {
  const name = `Resource${index}`
  const start = index - (index % circle)
  const next = start + ((index - start + 1) % Math.min(circle, resources - start))
  return [
    [
      name,
      {
        type: 'object',
        description: `A resource of kind ${index}.`,
        required: ['id', 'price', 'audit', 'state'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          title: { type: 'string', minLength: 1, maxLength: 200 + index },
          price: ref('Money'),
          audit: ref('Audit'),
          state: ref(`${name}State`),
          next: ref(`Resource${next}`),
          labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 63 } },
          tags: { type: 'array', uniqueItems: true, maxItems: 20, items: { type: 'string' } },
          weight: { type: 'number', minimum: 0, exclusiveMaximum: 1000 + index },
          hidden: { type: 'boolean', default: false },
        },
      },
    ],
    [
      `${name}Create`,
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 200 + index },
          price: ref('Money'),
          state: ref(`${name}State`),
          parent: { type: ['string', 'null'], format: 'uuid' },
        },
      },
    ],
    [
      `${name}State`,
      {
        oneOf: [ref(`${name}Open`), ref(`${name}Closed`)],
        discriminator: {
          propertyName: 'kind',
          mapping: {
            open: `#/components/schemas/${name}Open`,
            closed: `#/components/schemas/${name}Closed`,
          },
        },
      },
    ],
    [
      `${name}Open`,
      {
        type: 'object',
        required: ['kind', 'since'],
        properties: {
          kind: { type: 'string', const: 'open' },
          since: { type: 'string', format: 'date' },
          queue: { type: 'integer', minimum: index },
        },
      },
    ],
    [
      `${name}Closed`,
      {
        type: 'object',
        required: ['kind', 'reason'],
        properties: {
          kind: { type: 'string', const: 'closed' },
          reason: { anyOf: [{ type: 'string' }, ref('Problem')] },
        },
      },
    ],
    [
      `${name}Page`,
      {
        type: 'object',
        required: ['items'],
        properties: {
          items: { type: 'array', maxItems: 100, items: ref(name) },
          after: { type: 'integer', format: 'int64' },
        },
      },
    ],
  ]
}
