// Streams that come in: lines of JSON and server-sent events become items, each decoded, checked
// and lifted before the handler gets it. A handler that is handed a wrong one ends with the
// problem, unless it catches it.
import { ProblemError } from './body.ts'
import { jsonReading, type DecodedBody } from './decode.ts'
import type { ServerSentEvent } from './events.ts'
import type { JsonLimits } from './json-reader.ts'
import { essenceOf, RECORD_SEPARATOR } from './media.ts'
import type { Pause } from '../work/scheduler.ts'
import type { Issue, WireMedia } from './wire.ts'

interface ItemRules {
  readonly media: WireMedia
  readonly json: JsonLimits
  /** The turn before a long piece. */
  readonly turn: Pause
}

/** The items of a stream of text: values of lines, or events with their data as values. */
export function itemsOf(text: AsyncIterable<string>, rules: ItemRules): AsyncIterable<unknown> {
  return rules.media.kind === 'events' ? eventsOf(text, rules) : recordsOf(text, rules)
}

async function* recordsOf(text: AsyncIterable<string>, rules: ItemRules): AsyncGenerator<unknown> {
  const isSequence = essenceOf(rules.media.mediaType) === 'application/json-seq'
  let at = 0
  for await (const record of partsOf(text, isSequence ? RECORD_SEPARATOR : '\n')) {
    if (record.trim() === '') continue
    const decoded = await decode(record, rules)
    const { value, issues } = decoded.ok ? taken(decoded.value, rules.media) : noValue(decoded)
    if (issues.length > 0) throw refusal(at, issues)
    yield value
    at += 1
  }
}

async function* eventsOf(
  text: AsyncIterable<string>,
  rules: ItemRules,
): AsyncGenerator<ServerSentEvent> {
  let fields: Omit<ServerSentEvent, 'data'> = {}
  let data: string[] = []
  let at = 0
  for await (const raw of partsOf(text, '\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (line === '') {
      if (data.length > 0) yield { ...fields, data: await dataOf(data.join('\n'), at++, rules) }
      fields = {}
      data = []
      continue
    }
    const [, name = line, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name === 'data') data.push(value)
    else if (name === 'event' || name === 'id') fields = { ...fields, [name]: value }
    else if (name === 'retry' && /^\d+$/.test(value)) fields = { ...fields, retry: Number(value) }
  }
}

/** JSON where it is some and fits, else text. */
async function dataOf(text: string, at: number, rules: ItemRules): Promise<unknown> {
  const decoded = await decode(text, rules)
  const asJson = decoded.ok ? taken(decoded.value, rules.media) : noValue(decoded)
  if (asJson.issues.length === 0) return asJson.value
  const asText = taken(text, rules.media)
  if (asText.issues.length === 0) return asText.value
  throw refusal(at, asJson.issues)
}

async function decode(text: string, { media, json, turn }: ItemRules): Promise<DecodedBody> {
  const read = jsonReading(Buffer.from(text), media, json)
  for (;;) {
    const decoded = read()
    if (decoded !== undefined) return decoded
    await turn()
  }
}

interface Taken {
  readonly value?: unknown
  readonly issues: readonly Issue[]
}

const noValue = (decoded: DecodedBody): Taken => ({ issues: decoded.ok ? [] : decoded.issues })

function taken(value: unknown, { check, lift }: WireMedia): Taken {
  const issues: Issue[] = []
  check?.(value, issues)
  return issues.length > 0 || lift === undefined
    ? { value, issues }
    : { value: lift(value), issues }
}

/** Pointers say which item it was, from 0 on. */
function refusal(at: number, issues: readonly Issue[]): ProblemError {
  const placed = issues.map((issue) => ({ ...issue, pointer: `/${at}${issue.pointer}` }))
  return new ProblemError({ kind: 'invalid', phase: 'body', issues: placed })
}

/** Parts between separators; the last one need not end with one. */
async function* partsOf(text: AsyncIterable<string>, separator: string): AsyncGenerator<string> {
  let open: string[] = []
  for await (const chunk of text) {
    const [first = '', ...others] = chunk.split(separator)
    open.push(first)
    const last = others.pop()
    if (last === undefined) continue
    yield open.join('')
    yield* others
    open = [last]
  }
  const rest = open.join('')
  if (rest !== '') yield rest
}
