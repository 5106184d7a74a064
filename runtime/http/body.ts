// Request bodies: read under a limit, decoded by kind. Nothing is kept of what is too large.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAscii, isUtf8 } from 'node:buffer'
import { Transform, type Readable } from 'node:stream'
import type { Problem } from './problem.ts'
import type { Issue, WireMedia } from './wire.ts'
import { parseJson } from './json.ts'

export type ReadBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** The client went away or the framing broke: there may be nobody to answer. */
  | { readonly kind: 'cut' }

/** What decoding gave: the value, or violations with keyword `syntax`. */
export type DecodedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** Thrown into a handler that reads a streamed body, and turned into its problem when the handler lets it through. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`the request ends with the problem ${problem.kind}`)
    this.problem = problem
  }
}

const EMPTY = Buffer.alloc(0)

/** True when the request's head announces a body: anything but an absent or zero Content-Length. */
export function announcesBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length']
  return length === undefined ? req.headers['transfer-encoding'] !== undefined : length !== '0'
}

/** True when the declared length alone is over the limit. */
export function declaresTooMuch(req: IncomingMessage, limitBytes: number): boolean {
  const length = req.headers['content-length']
  return length !== undefined && Number(length) > limitBytes
}

/** Answers `Expect: 100-continue`, which this server leaves until somebody wants the body. */
export function welcome(req: IncomingMessage, res: ServerResponse): void {
  if (req.headers.expect !== undefined && /^100-continue$/i.test(req.headers.expect)) res.writeContinue()
}

/** Reads a whole body of at most `limitBytes` bytes. Gives up as `cut` when the answer is out before the body is in. */
export function readBody(
  req: IncomingMessage, res: ServerResponse, limitBytes: number,
): Promise<ReadBody> | ReadBody {
  if (!announcesBody(req)) return { kind: 'bytes', bytes: EMPTY }
  if (declaresTooMuch(req, limitBytes)) return { kind: 'too-large' }
  return new Promise((resolve) => {
    collect(req, limitBytes, resolve)
    // The answer closes with its connection too, and after an answer Node forgets the request: it would say nothing.
    res.on('close', () => { resolve({ kind: 'cut' }) })
  })
}

function collect(req: IncomingMessage, limitBytes: number, resolve: (body: ReadBody) => void): void {
  let first: Buffer | undefined
  let rest: Buffer[] | undefined
  let size = 0
  const onData = (chunk: Buffer): void => {
    size += chunk.length
    if (size > limitBytes) {
      req.off('data', onData)
      rest = undefined
      resolve({ kind: 'too-large' })
    } else if (first === undefined) first = chunk
    else (rest ??= []).push(chunk)
  }
  req.on('data', onData)
  req.on('end', () => {
    resolve({ kind: 'bytes', bytes: rest === undefined || first === undefined ? first ?? EMPTY : join(first, rest) })
  })
  req.on('error', () => { resolve({ kind: 'cut' }) })
}

const join = (first: Buffer, rest: readonly Buffer[]): Buffer => Buffer.concat([first, ...rest])

/** A body as a stream that ends with ProblemError once it is over the limit. `text` decodes UTF-8. */
export function streamBody(req: IncomingMessage, limitBytes: number, text: boolean): Readable {
  let size = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= limitBytes) done(null, chunk)
      else done(new ProblemError({ kind: 'body-too-large', limitBytes }))
    },
  })
  if (text) counted.setEncoding('utf8')
  req.on('error', () => counted.destroy(new ProblemError(cutShort())))
  counted.on('error', () => { req.unpipe(counted).resume() })
  return req.pipe(counted)
}

const cutShort = (): Problem => ({ kind: 'invalid', phase: 'body', issues: [syntax('the body was cut off')] })

/** Decodes a body that is in memory. */
export function decodeBody(
  bytes: Buffer, media: WireMedia, contentType: string | undefined,
): Promise<DecodedBody> | DecodedBody {
  if (media.kind === 'multipart') return decodeMultipart(bytes, contentType ?? '')
  const text = utf8Text(bytes)
  if (text === undefined) return failed(syntax('not valid UTF-8'))
  if (media.kind === 'form') return decodeForm(text)
  return media.kind === 'text' ? { ok: true, value: text } : decodeJson(text, bytes, media)
}

function utf8Text(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

function decodeJson(text: string, bytes: Buffer, { int64, decimals }: WireMedia): DecodedBody {
  const parsed = parseJson(text, int64, bytes, decimals)
  return parsed.ok ? parsed : failed(syntax(parsed.message, parsed.pointer))
}

function decodeForm(text: string): DecodedBody {
  if (/%(?![0-9a-f]{2})/i.test(text)) return failed(syntax('malformed percent escape'))
  return { ok: true, value: gather(new URLSearchParams(text)) }
}

async function decodeMultipart(bytes: Buffer, contentType: string): Promise<DecodedBody> {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
    return { ok: true, value: gather(form) }
  } catch {
    return failed(syntax('not a valid multipart body'))
  }
}

// Object.fromEntries defines members, so a field named __proto__ stays a field.
function gather<T>(fields: Iterable<readonly [string, T]>): unknown {
  const all = new Map<string, T | T[]>()
  for (const [name, value] of fields) {
    const known = all.get(name)
    if (known === undefined) all.set(name, value)
    else all.set(name, Array.isArray(known) ? [...known, value] : [known, value])
  }
  return Object.fromEntries(all)
}

function syntax(message: string, pointer = ''): Issue {
  return { in: 'body', pointer, keyword: 'syntax', message }
}

const failed = (issue: Issue): DecodedBody => ({ ok: false, issues: [issue] })
