// The shape of the route table that the printed routes satisfy; whoever mounts them has the same
// shape by structure.
import type { Problem } from './validation.ts'

export type BodyKind = 'json' | 'text' | 'binary' | 'form' | 'multipart' | 'events' | 'json-lines'

/**
 * A request's parameters before decoding; path values are percent-decoded and in the template's
 * order.
 */
export interface RawParameters {
  readonly path: readonly string[]
  /** The query text after '?', still encoded; '' when there is none. */
  readonly query: string
  header(name: string): string | undefined
}

export interface RouteMedia {
  readonly mediaType: string
  readonly kind: BodyKind
  readonly int64: boolean
  readonly decimals?: readonly string[]
  readonly check?: (value: unknown, problems: Problem[]) => void
  readonly lift?: (value: unknown) => unknown
  readonly decode?: (text: string, problems: Problem[]) => unknown
  readonly encode?: (value: unknown) => string | FormData
  readonly textParts?: readonly string[]
}

export interface RouteHeader {
  readonly name: string
  readonly required: boolean
  readonly text?: (value: unknown) => string
  readonly check?: (text: string, problems: Problem[]) => void
}

export interface RouteOperation {
  readonly operationId: string
  /** The method in capitals. */
  readonly method: string
  readonly path: string
  readonly parameters: (raw: RawParameters, problems: Problem[]) => unknown
  readonly body?: { readonly required: boolean; readonly media: readonly RouteMedia[] }
  readonly responses: readonly {
    readonly status: string
    readonly media: readonly RouteMedia[]
    readonly headers: readonly RouteHeader[]
  }[]
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[]
  readonly access?: unknown
  readonly stability?: string
  readonly deprecation?: {
    readonly since?: string
    readonly sunset?: string
    readonly successor?: string
  }
  readonly maxBodyBytes?: number
}

export interface Routes {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly mount: string
  readonly checks: readonly (
    'parameters' | 'token' | 'authenticated' | 'mediaType' | 'body' | 'constraints' | 'rights'
  )[]
  readonly problems: string
  readonly operations: readonly RouteOperation[]
}

/** One server-sent event. `retry` in milliseconds. */
export interface ServerSentEvent<Data> {
  readonly event?: string
  readonly id?: string
  readonly retry?: number
  readonly data: Data
}

/** The common part of every handler's input; operations with parameters say more. */
export interface NoParameters {
  readonly path: {}
  readonly query: {}
  readonly headers: {}
  readonly cookies: {}
}

/** The value of an answer's header; what is not text is written in the style that is declared. */
export type HeaderValue = string | number | bigint | boolean | object | null

/** A handler's answer without a body. */
export interface EmptyReplyOf<Status> {
  readonly status: Status
  readonly body?: undefined
  readonly headers?: Readonly<Record<string, HeaderValue | undefined>>
}

/** A handler's answer with a body. */
export interface ReplyOf<Status, MediaType, Body> {
  readonly status: Status
  readonly mediaType?: MediaType
  readonly body: Body
  readonly headers?: Readonly<Record<string, HeaderValue | undefined>>
}

/** An answer without a body, as a client gets it. */
export interface EmptyAnswerOf<Status> {
  readonly status: Status
  readonly headers: Headers
  readonly body?: undefined
}

/** An answer with a body, as a client gets it. */
export interface AnswerOf<Status, MediaType, Body> {
  readonly status: Status
  readonly headers: Headers
  readonly mediaType: MediaType
  readonly body: Body
}

type InformationStatus = 100 | 101 | 102 | 103
type SuccessStatus = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226
type RedirectStatus = 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308
type ClientErrorStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 405
  | 406
  | 407
  | 408
  | 409
  | 410
  | 411
  | 412
  | 413
  | 414
  | 415
  | 416
  | 417
  | 418
  | 421
  | 422
  | 423
  | 424
  | 425
  | 426
  | 428
  | 429
  | 431
  | 451
type ServerErrorStatus = 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511

/** The registered status codes, by the class that a document may name as a range. */
export interface StatusRange {
  readonly '1XX': InformationStatus
  readonly '2XX': SuccessStatus
  readonly '3XX': RedirectStatus
  readonly '4XX': ClientErrorStatus
  readonly '5XX': ServerErrorStatus
}

/** Every status but the declared ones: what `default` stands for. */
export type OtherStatus<Declared> = Exclude<StatusRange[keyof StatusRange], Declared>
