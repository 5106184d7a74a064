// The documents of a conformance run: loads them, generates routes and arbitraries, and returns
// both as data.
import fc from 'fast-check'
import { fieldEncodings } from '../../codegen/index.ts'
import type { InterfaceIr, LoadedInterface, OperationIr, ParameterIr } from '../../codegen/index.ts'
import { decodeBody } from '../http/decode.ts'
import { DEFAULT_JSON_LIMITS } from '../http/json-reader.ts'
import type { WireMedia, WireOperation } from '../http/wire.ts'
import { member } from '../host/member.ts'
import { isUnshowable } from '../testing/conform.ts'
import type {
  Draws,
  InterfaceFacts,
  Issue,
  LinkFact,
  MediaFact,
  OperationFacts,
  ParameterFact,
  ResponseFact,
  Unaskable,
  WireRequest,
} from '../testing/conform.ts'
import { loadPrinted, printedDocuments } from './printed-documents.ts'
import type { Document, DocumentsOptions } from './printed-documents.ts'

interface PrintedArbitrary extends Draws {
  readonly replies: unknown
  readonly errors: unknown
}

type PrintedArbitraries = Readonly<Record<string, PrintedArbitrary>>

/** The facts of all documents. Throws CommandError where one cannot be read or is wrong. */
export async function loadDocuments(options: DocumentsOptions): Promise<readonly InterfaceFacts[]> {
  const { documents, folder } = await printedDocuments(options)
  return Promise.all(documents.map((document) => factsOf(document, folder)))
}

async function factsOf({ loaded, mount }: Document, folder: string): Promise<InterfaceFacts> {
  const { ir } = loaded
  const printed = await printedOperations(folder, ir.name)
  const arbitraries = await printedArbitraries(folder, ir.name)
  const links = linksOf(loaded)
  const operations = ir.operations.map((operation) => ({
    ...operationFacts(operation, printed, links),
    draws: once(() => drawsOf(loaded, operation, arbitraries)),
  }))
  // docs/spec-conventions.md: phases of an interface's requests; without `mediaType` nobody looks
  // at content types.
  const checks = member(ir.extensions['x-interface'], 'checks')
  const ignoresMediaTypes = Array.isArray(checks) && !checks.includes('mediaType')
  return {
    name: ir.name,
    mount,
    ignoresMediaTypes,
    operations,
    securitySchemes: ir.securitySchemes,
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

function drawsOf(
  { ir }: LoadedInterface,
  operation: OperationIr,
  arbitraries: PrintedArbitraries,
): Draws | Unaskable {
  const drawn = arbitraries[operation.operationId]
  if (drawn === undefined)
    throw new Error(`no values were made for operation ${operation.operationId}`)
  if (isUnshowable(operation, ir.securitySchemes))
    return { reason: 'its security schemes share one header' }
  try {
    // Reading it is what throws.
    void drawn.valid
  } catch (error) {
    if (member(error, 'name') === 'NoValueError')
      return { reason: 'no finite request fits the document' }
    throw error
  }
  const isSilent = drawn.replies === undefined && drawn.errors === undefined
  return isSilent && operation.responses.length > 0
    ? { reason: 'no answer fits the document' }
    : { valid: drawn.valid, flawed: drawn.flawed, impossible: drawn.impossible }
}

const FIELDS: ReadonlySet<MediaFact['kind']> = new Set(['form', 'multipart'])

/** Fields and parts are read as our own server reads them. */
function readable(media: WireMedia): MediaFact {
  return FIELDS.has(media.kind)
    ? { ...media, read: (request, issues) => fieldsOf(media, request, issues) }
    : media
}

async function fieldsOf(
  media: WireMedia,
  { headers, body = new Uint8Array() }: WireRequest,
  issues: Issue[],
): Promise<unknown> {
  const [, contentType] = headers.find(([name]) => name.toLowerCase() === 'content-type') ?? []
  const decoded = await decodeBody(Buffer.from(body), media, contentType, DEFAULT_JSON_LIMITS)
  if (decoded.ok) return decoded.value
  issues.push(...decoded.issues)
  return undefined
}

function operationFacts(
  operation: OperationIr,
  printed: ReadonlyMap<string, WireOperation>,
  links: ReadonlyMap<string, readonly LinkFact[]>,
): Omit<OperationFacts, 'draws'> {
  const { operationId, method, path, security, extensions, body } = operation
  const route = printed.get(operationId)
  if (route === undefined) throw new Error(`nothing was made of operation ${operationId}`)
  const refuses = extensions['x-refuses']
  const media = route.body?.media ?? []
  return {
    operationId,
    method,
    path,
    security,
    decode: route.parameters,
    parameters: operation.parameters.map(parameterFact),
    ...(body === undefined
      ? {}
      : {
          body: {
            required: body.required,
            media: body.media.flatMap((declared, index) => {
              const printed = media[index]
              const { examples } = declared
              if (printed === undefined) return []
              return [{ ...readable(printed), fields: fieldEncodings(declared), examples }]
            }),
          },
        }),
    refuses: (Array.isArray(refuses) ? refuses : Object.keys(entriesOf(refuses))).map(Number),
    responses: route.responses.map((response): ResponseFact => ({
      ...response,
      links: links.get(`${operationId} ${response.status}`) ?? [],
    })),
  }
}

function parameterFact({
  name,
  in: place,
  required,
  style,
  explode,
  mediaType,
}: ParameterIr): ParameterFact {
  return {
    name,
    in: place,
    required,
    style,
    explode,
    ...(mediaType === undefined ? {} : { json: true }),
  }
}

/**
 * OpenAPI links by operation id and status; a link by `operationRef` within the document counts,
 * too.
 */
function linksOf({ ir, document }: LoadedInterface): ReadonlyMap<string, readonly LinkFact[]> {
  const paths = member(document, 'paths')
  const all = member(member(document, 'components'), 'links')
  return new Map(
    ir.operations.flatMap((operation) =>
      operation.responses.map(({ status }) => {
        const responses = member(
          member(member(paths, operation.path), operation.method.toLowerCase()),
          'responses',
        )
        const response = member(responses, status) ?? member(responses, status.toLowerCase())
        const links = Object.values(entriesOf(member(response, 'links'))).flatMap((link) =>
          readLink(resolvedLink(link, all), ir),
        )
        return [`${operation.operationId} ${status}`, links] as const
      }),
    ),
  )
}

function entriesOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}

function resolvedLink(link: unknown, all: unknown): unknown {
  const ref = member(link, '$ref')
  return typeof ref === 'string' ? member(all, ref.slice(ref.lastIndexOf('/') + 1)) : link
}

function readLink(link: unknown, ir: InterfaceIr): readonly LinkFact[] {
  const ref = member(link, 'operationRef')
  const [path = '', method] =
    typeof ref === 'string' ? ref.replace(/^.*#\/paths\//u, '').split('/') : []
  const template = path.replaceAll('~1', '/').replaceAll('~0', '~')
  const byRef = ir.operations.find(
    (operation) => operation.path === template && operation.method.toLowerCase() === method,
  )
  const target = member(link, 'operationId') ?? byRef?.operationId
  return typeof target === 'string'
    ? [{ target, parameters: entriesOf(member(link, 'parameters')) }]
    : []
}

async function printedOperations(
  folder: string,
  name: string,
): Promise<ReadonlyMap<string, WireOperation>> {
  const operations = member(member(await loadPrinted(folder, name, 'routes'), 'wire'), 'operations')
  if (!Array.isArray(operations) || !operations.every(isWireOperation))
    throw new Error(`the routes of ${name} are not as expected`)
  return new Map(operations.map((operation) => [operation.operationId, operation]))
}

function isWireOperation(value: unknown): value is WireOperation {
  return (
    typeof member(value, 'operationId') === 'string' &&
    typeof member(value, 'parameters') === 'function'
  )
}

async function printedArbitraries(folder: string, name: string): Promise<PrintedArbitraries> {
  const make = member(await loadPrinted(folder, name, 'arbitraries'), 'arbitraries')
  const made: unknown = typeof make === 'function' ? member(make(fc), 'operations') : undefined
  if (!isPrintedArbitraries(made)) throw new Error(`the arbitraries of ${name} are not as expected`)
  return made
}

function isPrintedArbitraries(value: unknown): value is PrintedArbitraries {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((one) => typeof member(one, 'sampleReplies') === 'function')
  )
}
