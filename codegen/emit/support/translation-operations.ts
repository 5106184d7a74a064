// Handlers and streams of one vocabulary behind the operations of another: what comes in and goes
// out is changed by the rules of its operation.
import { changesBy, isMembers, same } from './translation.ts'
import type { Change, Dictionary, Plan } from './translation.ts'

/** Changes of one operation's requests and replies. */
export interface OperationTranslation {
  /** The operation's id in the other words. */
  readonly name: string
  readonly path?: Change
  readonly query?: Change
  readonly headers?: Change
  readonly cookies?: Change
  readonly body?: Change
  /**
   * By status as the document has it, then by media type: the change, and whether the body is a
   * stream of such values.
   */
  readonly replies?: Readonly<
    Record<string, Readonly<Record<string, { readonly change: Change; readonly isStream?: true }>>>
  >
}

type Groups = Pick<OperationTranslation, 'path' | 'query' | 'headers' | 'cookies' | 'body'>

/** The same as plans. */
export interface OperationPlans extends Readonly<Partial<Record<keyof Groups, Plan>>> {
  readonly name: string
  readonly replies?: Readonly<
    Record<string, Readonly<Record<string, { readonly plan: Plan; readonly isStream?: true }>>>
  >
}

/** Changes of operations by their plans, and those of nodes. */
export function translationsBy(
  operations: Readonly<Record<string, OperationPlans>>,
  nodes: Readonly<Record<string, Plan>>,
  inwardWords: Dictionary,
  outwardWords: Dictionary,
): Readonly<Record<string, OperationTranslation>> {
  const nodeOf = (key: string): Plan | undefined => nodes[key]
  const inwardBy = changesBy(inwardWords, 'inward', nodeOf)
  const outwardBy = changesBy(outwardWords, 'outward', nodeOf)
  return mapped(operations, ({ name, replies, ...groups }) => ({
    name,
    ...mapped(groups, inwardBy),
    ...(replies === undefined
      ? {}
      : {
          replies: mapped(replies, (media) =>
            mapped(media, ({ plan, ...form }) => ({ change: outwardBy(plan), ...form })),
          ),
        }),
  }))
}

function mapped<T, R>(
  members: Readonly<Record<string, T>>,
  change: (member: T) => R,
): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, change(member)]))
}

export interface Input {
  readonly path: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly cookies: unknown
  readonly body: unknown
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly mediaType?: string
  readonly headers?: Readonly<Record<string, unknown>>
  /** The body stays as it is: its texts are not of the handler's vocabulary. */
  readonly isVerbatim?: true
}

interface Answering<Context> {
  answer(input: Input, context: Context): Promise<Reply> | Reply
}

/** A handler of any operation. Of a method, so that handlers of a narrower input are assignable. */
export type AnyHandler<Context> = Answering<Context>['answer']

/** Handlers by the id of their operation. */
export type AnyHandlers<Context> = Readonly<Record<string, AnyHandler<Context> | undefined>>

/**
 * Handlers for the interface in the other words. One whose operation is named alike in both is
 * handed on as it is.
 */
export function translateHandlers<Context>(
  operations: Readonly<Record<string, OperationTranslation>>,
  handlers: AnyHandlers<Context>,
): AnyHandlers<Context> {
  const entries = Object.entries(operations)
  return Object.fromEntries(
    entries.map(([id, operation]) => [operation.name, translateHandler(operation, handlers[id])]),
  )
}

function translateHandler<Context>(
  operation: OperationTranslation,
  handler: AnyHandler<Context> | undefined,
): AnyHandler<Context> | undefined {
  if (handler === undefined || Object.keys(operation).length === 1) return handler
  return (input, context) => {
    const reply = handler(inward(operation, input), context)
    return reply instanceof Promise
      ? reply.then((done) => outward(operation, done))
      : outward(operation, reply)
  }
}

/** The answer of a list element by element, or the reason why it is not one. */
export type StreamReply = { readonly items: AsyncIterable<unknown> } | { readonly error: unknown }

interface Streaming<Context> {
  stream(input: Input, context: Context): Promise<StreamReply>
}

/** A list of any operation as a stream. */
export type AnyStream<Context> = Streaming<Context>['stream']

/** Streams by the id of their operation. */
export type AnyStreams<Context> = Readonly<Record<string, AnyStream<Context> | undefined>>

/** Streams for the interface in the other words. Elements have the schema of the list's items. */
export function translateStreams<Context>(
  operations: Readonly<Record<string, OperationTranslation>>,
  streams: AnyStreams<Context>,
): AnyStreams<Context> {
  const entries = Object.entries(operations)
  return Object.fromEntries(
    entries.map(([id, operation]) => [operation.name, translateStream(operation, streams[id])]),
  )
}

function translateStream<Context>(
  operation: OperationTranslation,
  stream: AnyStream<Context> | undefined,
): AnyStream<Context> | undefined {
  if (stream === undefined || Object.keys(operation).length === 1) return stream
  const element = elementChange((body) => outward(operation, { status: 200, body }).body)
  return async (input, context) => {
    const reply = await stream(inward(operation, input), context)
    if ('items' in reply) return { items: eachOf(reply.items, element) }
    return { error: outward(operation, { status: 400, body: reply.error }).body }
  }
}

/** Several streams may show one element: it is changed once. */
function elementChange(list: Change): Change {
  const made = new WeakMap<object, unknown>()
  return (value) => {
    const known = isMembers(value) ? made.get(value) : undefined
    if (known !== undefined) return known
    const changed = list([value])
    const element: unknown = Array.isArray(changed) ? changed[0] : value
    if (isMembers(value)) made.set(value, element)
    return element
  }
}

/** A decoded request in the words of the handler. */
export function inward(operation: OperationTranslation, input: Input): Input {
  const { path = same, query = same, headers = same, cookies = same, body = same } = operation
  return {
    path: path(input.path),
    query: query(input.query),
    headers: headers(input.headers),
    cookies: cookies(input.cookies),
    body: body(input.body),
  }
}

/** A handler's reply in the words of the caller. */
export function outward({ replies = {} }: OperationTranslation, reply: Reply): Reply {
  const status = String(reply.status)
  const media = replies[status] ?? replies[`${status.charAt(0)}XX`] ?? replies['default']
  const found =
    media === undefined
      ? undefined
      : reply.mediaType === undefined
        ? Object.values(media)[0]
        : media[reply.mediaType]
  if (found === undefined || reply.body === undefined || reply.isVerbatim === true) return reply
  const { change, isStream = false } = found
  return {
    ...reply,
    body: isStream && isAsync(reply.body) ? eachOf(reply.body, change) : change(reply.body),
  }
}

function isAsync(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function* eachOf(items: AsyncIterable<unknown>, change: Change): AsyncIterable<unknown> {
  for await (const item of items)
    yield isEvent(item) ? { ...item, data: change(item.data) } : change(item)
}

/** An event of a stream as the handler may give it, with more than its data. */
function isEvent(value: unknown): value is { readonly data: unknown } {
  return (
    isMembers(value) &&
    'data' in value &&
    Object.keys(value).every((key) => ['data', 'event', 'id', 'retry'].includes(key))
  )
}
