// Prints the replies of operations for arbitraries.gen.ts. Lists of errors that several operations
// share are printed once.
import type { MediaIr, OperationIr, ResponseIr } from '../ir.ts'
import { mediaKind, printParameters } from './arbitraries-parts.ts'
import { operationName } from './context.ts'
import type { EmitContext } from './context.ts'
import { literal } from '../literals.ts'
import { headerParameter } from './response-headers.ts'
import { dereference } from './schema-facts.ts'
import { sharedNames } from './shared-errors.ts'

/** Statuses for a range in the document: their meaning fits any operation. */
const SUCCESSES = [200, 201, 202, 203]
const EMPTY_SUCCESSES = [200, 204]
const REDIRECTS = [302, 303, 307]
const CLIENT_ERRORS = [400, 404, 409]
const SERVER_ERRORS = [500, 503]
/** Answers of these statuses have no body, whatever is declared. RFC 9110 §15.3.5, §15.4.5 */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])
/** Media types for a declared range. */
const CONCRETE: ReadonlyMap<string, string> = new Map([
  ['text/*', 'text/plain'],
  ['image/*', 'image/png'],
  ['*/*', 'application/octet-stream'],
])

/** Members of each operation, by its id, and the constants that they refer to. */
interface PrintedReplies {
  readonly members: ReadonlyMap<string, readonly string[]>
  readonly constants: string
}

/** Replies of all operations. Adds the inline schemas that need checks to the context's roots. */
export function printReplies(context: EmitContext): PrintedReplies {
  const all = context.ir.operations.map((operation) => {
    const responses = operation.responses.map((response) => ({
      response,
      statuses: statusesOf(operation, response),
    }))
    const of = (isMeant: (status: number) => boolean): readonly string[] =>
      responses
        .filter(({ statuses: [first] }) => first !== undefined && isMeant(first))
        .map(({ response, statuses }) => printReply(context, operation, response, statuses))
    return {
      operation,
      successes: of((status) => status < 400),
      failures: listText(of((status) => status >= 400)),
    }
  })
  const names = sharedNames(
    all.map(({ failures }) => failures).filter((text) => text !== '[]'),
    'failures',
  )
  const members = new Map(
    all.map(({ operation: { operationId }, successes, failures }) => [
      operationId,
      [
        ...(successes.length === 0 ? [] : [`replies: ${shortList(successes)}`]),
        ...(failures === '[]' ? [] : [`errors: ${names.get(failures) ?? `() => ${failures}`}`]),
      ],
    ]),
  )
  return {
    members,
    constants: [...names]
      .map(([text, name]) => `const ${name} = () => ${text.replaceAll('\n      ', '\n')}\n\n`)
      .join(''),
  }
}

/** A list of one entry in one line. */
export function shortList(entries: readonly string[]): string {
  return entries.length === 1 ? `[${entries.join('')}]` : listText(entries)
}

function listText(replies: readonly string[]): string {
  return replies.length === 0
    ? '[]'
    : `[\n${replies.map((one) => `        ${one},\n`).join('')}      ]`
}

/**
 * The statuses that a response is drawn with: the declared one, or for a range those that no other
 * response is for.
 */
function statusesOf({ responses }: OperationIr, { status, media }: ResponseIr): readonly number[] {
  // A status of 1xx is no answer: another one follows it. RFC 9110 §15.2
  if (/^\d{3}$/u.test(status)) return status.startsWith('1') ? [] : [Number(status)]
  const declared = new Set(responses.map((response) => response.status))
  const hasSuccess = responses.some((response) => /^[23]/u.test(response.status))
  const range = status !== 'default' ? status.charAt(0) : hasSuccess ? '4' : '2'
  if (status === 'default' && declared.has(`${range}XX`))
    return SERVER_ERRORS.filter((one) => !declared.has(String(one)) && !declared.has('5XX'))
  return rangeOf(range, media.length > 0).filter((one) => !declared.has(String(one)))
}

function rangeOf(range: string, hasBody: boolean): readonly number[] {
  switch (range) {
    case '2':
      return hasBody ? SUCCESSES : EMPTY_SUCCESSES
    case '3':
      return REDIRECTS
    case '4':
      return CLIENT_ERRORS
    case '5':
      return SERVER_ERRORS
    default:
      return []
  }
}

function printReply(
  context: EmitContext,
  operation: OperationIr,
  response: ResponseIr,
  statuses: readonly number[],
): string {
  const isEmpty = operation.method === 'HEAD' || statuses.every((status) => BODILESS.has(status))
  const hint = `${operationName(context, operation.operationId)}_${response.status}`
  const media = isEmpty ? [] : response.media.map((one) => replyMedia(context, one, hint))
  const headers =
    response.headers.length === 0
      ? []
      : [printParameters(context, operation, response.headers.map(headerParameter))]
  const [status = 0, ...others] = statuses
  return `reply(${[
    others.length === 0 ? String(status) : literal(statuses),
    ...(media.length + headers.length === 0 ? [] : [`[${media.join(', ')}]`]),
    ...headers,
  ].join(', ')})`
}

/** A range stands for a media type of it; without examples of its own it has one of its schema. */
function replyMedia(context: EmitContext, media: MediaIr, hint: string): string {
  const { schema = true, mediaType, examples } = media
  const target = dereference(context.ir, schema)
  const ofSchema = typeof target === 'object' ? (target.examples ?? []).slice(0, 1) : []
  const concrete = CONCRETE.get(mediaType) ?? mediaType.replace(/\/\*$/u, '/octet-stream')
  return mediaKind(
    context,
    { ...media, mediaType: concrete, examples: examples.length > 0 ? examples : ofSchema },
    hint,
  )
}
