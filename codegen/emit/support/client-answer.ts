// Reads the answer to a request by status and media type.
import { UndeclaredAnswerError } from './client-types.ts'
import type { ClientMedia, ClientOperation } from './client-types.ts'
import { parseExact } from './exact-json.ts'
import { receivedFields } from './form-texts.ts'
import { readHeaders } from './response-headers.ts'
import type { Problem } from './validation.ts'
import type { ServerSentEvent } from './wire.ts'

/** The declared answer; UndeclaredAnswerError where the document has none such. */
export async function readAnswer(operation: ClientOperation, answer: Response): Promise<unknown> {
  const response =
    operation.responses.find((one) => one.status === String(answer.status)) ??
    operation.responses.find((one) => one.status === `${Math.floor(answer.status / 100)}XX`) ??
    operation.responses.find((one) => one.status === 'default')
  const contentType = answer.headers.get('content-type')
  const media =
    contentType === null ? response?.media[0] : declaredMedia(response?.media ?? [], contentType)
  const { status, headers } = answer
  const head =
    response?.headers === undefined
      ? { status, headers }
      : { status, headers, typedHeaders: readHeaders(response.headers, headers) }
  const undeclared = (text: string): UndeclaredAnswerError =>
    new UndeclaredAnswerError(operation.operationId, status, headers, text)
  const isUndeclared = response === undefined || (response.media.length > 0 && media === undefined)
  if (isUndeclared) throw undeclared(await answer.text())
  if (media === undefined) {
    await answer.body?.cancel()
    return head
  }
  return {
    ...head,
    mediaType: media.mediaType,
    body: await readBody(media, answer, undeclared),
  }
}

/**
 * The declared media type that a content type falls under: by name, of several of one name the one
 * that shares most parameters, else by range.
 */
export function declaredMedia(
  media: readonly ClientMedia[],
  contentType: string,
): ClientMedia | undefined {
  const [name = '', ...given] = partsOf(contentType)
  const named = media
    .map((one) => ({ one, parts: partsOf(one.mediaType) }))
    .filter(({ parts }) => parts[0] === name)
  const fitting = named
    .filter(({ parts }) => parts.slice(1).every((part) => given.includes(part)))
    .sort((a, b) => b.parts.length - a.parts.length)
  const ranged = [`${name.split('/')[0] ?? ''}/*`, '*/*'].map((range) =>
    media.find((one) => partsOf(one.mediaType)[0] === range),
  )
  return (fitting[0] ?? named[0])?.one ?? ranged[0] ?? ranged[1]
}

/** The name of a media type and its parameters, as they are compared. */
function partsOf(mediaType: string): readonly string[] {
  return mediaType
    .toLowerCase()
    .split(';')
    .map((part) => part.replaceAll(/[\s"]/gu, ''))
}

async function readBody(
  media: ClientMedia,
  answer: Response,
  undeclared: (text: string) => Error,
): Promise<unknown> {
  const stream =
    answer.body ??
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.close()
      },
    })
  switch (media.kind) {
    case 'binary':
      return stream
    case 'events':
      return readEvents(media, stream)
    case 'json-lines':
      return readLines(media, stream)
    case 'json':
      return lifted(media, parsed(await answer.text(), undeclared))
    case 'form':
    case 'multipart':
      return lifted(media, await readForm(media, answer, undeclared))
    default:
      return answer.text()
  }
}

async function readForm(
  media: ClientMedia,
  answer: Response,
  undeclared: (text: string) => Error,
): Promise<unknown> {
  if (media.decode === undefined) return receivedFields(await answer.formData(), media.textParts)
  const text = await answer.text()
  const problems: Problem[] = []
  const value = media.decode(text, problems)
  if (problems.length > 0) throw undeclared(text)
  return value
}

function parsed(text: string, undeclared: (text: string) => Error): unknown {
  try {
    return parseExact(text)
  } catch {
    throw undeclared(text)
  }
}

function lifted(media: ClientMedia, value: unknown): unknown {
  return media.lift === undefined ? value : media.lift(value)
}

async function* readLines(
  media: ClientMedia,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<unknown> {
  const end = isRecords(media.mediaType) ? /\u001e/u : LINE_END
  for await (const line of textLines(stream, end)) {
    if (line.trim() !== '') yield lifted(media, parseExact(line))
  }
}

async function* readEvents(
  media: ClientMedia,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent<unknown>> {
  let event: { event?: string; id?: string; retry?: number } = {}
  let data: string[] = []
  for await (const line of textLines(stream)) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /u, '')
    if (field === 'data') data.push(value)
    else if (field === 'event' || field === 'id') event[field] = value
    else if (field === 'retry' && /^\d+$/u.test(value)) event.retry = Number(value)
    if (line !== '') continue
    if (data.length > 0) yield { ...event, data: eventData(media, data.join('\n')) }
    event = {}
    data = []
  }
}

/**
 * Data of an event is JSON where the document's schema says more than text, which shows as a lift;
 * else JSON when it parses.
 */
function eventData(media: ClientMedia, text: string): unknown {
  try {
    return lifted(media, parseExact(text))
  } catch {
    return text
  }
}

/** True for JSON texts that each begin with a sign of their own, RFC 7464. */
export function isRecords(mediaType: string): boolean {
  return /^application\/json-seq\s*(?:;|$)/iu.test(mediaType)
}

const LINE_END = /\r\n|\n|\r(?!$)/u

async function* textLines(
  stream: ReadableStream<Uint8Array>,
  end = LINE_END,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + decoder.decode(part.value, { stream: true })).split(end)
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest.replace(/\r$/u, '')
  } finally {
    await reader.cancel()
  }
}
