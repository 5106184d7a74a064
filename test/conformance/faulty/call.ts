// What the parts of the library hand to each other: a call, its answer, what is wrong with it, and
// where a fault may step in.
import type { Fields } from './exact-json.ts'
import type { Library } from './library.ts'

/**
 * A request that reached an operation, or none: then `operationId` is empty and nothing is decoded.
 */
export interface Call {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** The value of Authorization, '' without. */
  readonly authorization: string
  /** Decoded parameters of all places by their names in the document. */
  readonly parameters: Fields
  /** Decoded body, undefined without. */
  readonly body: unknown
}

/**
 * An answer: `json` or `text` or no body. Header names are in lower case; content-type follows from
 * the body where it is absent, and an empty one is not sent.
 */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
}

/**
 * One thing that is wrong with a request. `rule` is the schema's keyword, or 'mediaType', 'syntax',
 * 'repeated'; `pointer` leads into the body, or starts with a parameter's name.
 */
export interface Complaint {
  readonly status: 400 | 415
  readonly place: 'path' | 'query' | 'header' | 'cookie' | 'body'
  readonly pointer: string
  readonly rule: string
}

/** Hooks of the faults. Without any the library does what its document says. */
export interface Hooks {
  /** Asked about a call that has no right token: true lets it in. */
  readonly admits?: (call: Call, token: string) => boolean
  /** Asked about each complaint: true lets it pass. */
  readonly tolerates?: (call: Call, complaint: Complaint) => boolean
  /** Asked before the operation of an admissible call: an answer that stands in its place. */
  readonly instead?: (
    call: Call,
    library: Library,
  ) => Reply | undefined | Promise<Reply | undefined>
  /** Sees every answer last. */
  readonly after?: (call: Call, reply: Reply, library: Library) => Reply
}

/** An answer with JSON. */
export function json(status: number, value: unknown, headers: Reply['headers'] = {}): Reply {
  return { status, headers, json: value }
}

const CODES: Readonly<Record<number, string>> = {
  400: 'malformed',
  401: 'unauthorised',
  404: 'missing',
  405: 'method',
  409: 'conflict',
  412: 'changed',
  415: 'media-type',
}

/** A refusal in the document's shape, and where it is wrong. */
export function problem(
  status: number,
  message: string,
  at?: string,
  headers: Reply['headers'] = {},
): Reply {
  return json(status, { code: CODES[status], message, at }, headers)
}
