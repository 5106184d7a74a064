// Streams of items as text: server-sent events and newline-delimited JSON.
import { stringifyJson } from './json.ts'

/** One server-sent event; anything else in a stream of events is taken as the data of an event. */
export interface ServerSentEvent {
  readonly event?: string
  readonly id?: string
  /** Milliseconds until the client tries again. */
  readonly retry?: number
  /** Text as it is, everything else as JSON. */
  readonly data: unknown
}

const FIELDS = new Set(['event', 'id', 'retry', 'data'])

/** Server-sent events, in the text form of the HTML standard. */
export async function* eventLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield eventText(isEvent(item) ? item : { data: item })
}

/** One line of JSON an item; `prefix` begins each. */
export async function* jsonLines(
  items: AsyncIterable<unknown>,
  prefix: string,
): AsyncGenerator<string> {
  for await (const item of items) yield `${prefix}${stringifyJson(item, true)}\n`
}

function isEvent(item: unknown): item is ServerSentEvent {
  return (
    typeof item === 'object' &&
    item !== null &&
    'data' in item &&
    Object.keys(item).every((name) => FIELDS.has(name))
  )
}

function eventText({ event, id, retry, data }: ServerSentEvent): string {
  const text = typeof data === 'string' ? data : stringifyJson(data, true)
  return (
    field('event', event) +
    field('id', id) +
    field('retry', retry?.toString()) +
    text
      .split(/\r\n|\r|\n/)
      .map((line) => `data: ${line}\n`)
      .join('') +
    '\n'
  )
}

// A line break inside a name or an id would start a field of its own.
function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `${name}: ${value.replace(/[\r\n]/g, ' ')}\n`
}
