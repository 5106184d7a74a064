// What a document says about an operation, read from its JSON: parameters, and examples of them and
// of the body.
import type { WireOperation } from '../../runtime/http/index.ts'
import { member } from '../../runtime/host/member.ts'

/** The part of a schema that tests look at. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

export interface ParameterDoc {
  readonly in: string
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
  /** Not encoded. */
  readonly example: string
}

/** The operation's entry; `document` is parsed JSON. */
export function operationEntry({ method, path }: WireOperation, document: unknown): unknown {
  return member(member(member(document, 'paths'), path), method.toLowerCase())
}

/** Follows references within the document; what is no schema is an empty one. */
function resolveSchema(schema: unknown, document: unknown): Schema {
  const found = followed(schema, document)
  return isSchema(found) ? found : {}
}

function followed(value: unknown, document: unknown): unknown {
  const ref = member(value, '$ref')
  if (typeof ref !== 'string') return value
  return followed(
    ref
      .slice(2)
      .split('/')
      .reduce((place: unknown, name) => member(place, name), document),
    document,
  )
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}

export function parametersOf(operation: WireOperation, document: unknown): ParameterDoc[] {
  const declared = member(operationEntry(operation, document), 'parameters')
  return Array.from(Object(declared ?? [])).map((entry) => {
    const parameter = followed(entry, document)
    return {
      in: String(member(parameter, 'in')),
      name: String(member(parameter, 'name')),
      required: member(parameter, 'required') === true,
      schema: resolveSchema(member(parameter, 'schema'), document),
      example: String(member(parameter, 'example') ?? firstExample(parameter) ?? 'x'),
    }
  })
}

function jsonContent(operation: WireOperation, document: unknown): unknown {
  return member(
    member(member(operationEntry(operation, document), 'requestBody'), 'content'),
    'application/json',
  )
}

/** The first example of the body; `{}` where there is none. */
function bodyExample(operation: WireOperation, document: unknown): Record<string, unknown> {
  return { ...Object(firstExample(jsonContent(operation, document)) ?? {}) }
}

function firstExample(place: unknown): unknown {
  const [first] = Object.values(Object(member(place, 'examples') ?? {}))
  return member(first, 'value')
}

/** The parameters and body of the document's examples. */
export function exampleRequest(operation: WireOperation, document: unknown) {
  return {
    parameters: Object.fromEntries(
      parametersOf(operation, document).map(({ name, example }) => [name, example]),
    ),
    body: operation.body === undefined ? undefined : bodyExample(operation, document),
  }
}
