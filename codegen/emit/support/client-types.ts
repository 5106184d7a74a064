// What a call of an operation is told: the client's options and the tables of its operations.
import type { RetryOptions } from './client-retry.ts'
import type { FieldEncoding } from './form-texts.ts'
import type { ClientParameter } from './parameter-texts.ts'
import type { Parameter } from './parameters.ts'
import type { Problem } from './validation.ts'
import type { BodyKind } from './wire.ts'

/** A request as it is going to be sent. */
export interface SignedRequest {
  readonly operationId: string
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array
}

/** Headers by name. */
export type Signature = Readonly<Record<string, string>>

/** Options of a client. */
export interface ClientOptions {
  /**
   * Address of the service, with the mount path if it has one: `http://127.0.0.1:8080/api/scan`.
   */
  readonly baseUrl: string
  /** Bearer token, or what yields one for each request. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Headers to add to a request that is written: a signature of its bytes. Streams are read whole
   * before.
   */
  readonly sign?: (request: SignedRequest) => Signature | Promise<Signature>
  /** A replacement for the global fetch. */
  readonly fetch?: typeof fetch
  /**
   * Sends a request again where no answer came, or 429, 502, 503 or 504 did; for requests that may
   * be sent twice, which those with an id of their own may. Never, where absent.
   */
  readonly retry?: RetryOptions
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that the document does not declare. The body is kept as text. */
export class UndeclaredAnswerError extends Error {
  readonly status: number
  readonly headers: Headers
  readonly text: string

  constructor(operationId: string, status: number, headers: Headers, text: string) {
    super(
      `${operationId}: the answer ${status} with ${headers.get('content-type') ?? 'no content type'} is not declared`,
    )
    this.name = 'UndeclaredAnswerError'
    this.status = status
    this.headers = headers
    this.text = text
  }
}

export interface ClientMedia {
  readonly mediaType: string
  readonly kind: BodyKind
  /** Fields of a sent form that are written differently from others. */
  readonly fields?: Readonly<Record<string, FieldEncoding>>
  /** The reader of a received form whose fields come in styles of their own. */
  readonly decode?: (text: string, problems: Problem[]) => unknown
  /** Parts that are read as text where they come as files. */
  readonly textParts?: readonly string[]
  readonly lift?: (value: unknown) => unknown
}

export interface ClientOperation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly ClientParameter[]
  readonly body: readonly ClientMedia[]
  /** Names of schemes by alternative; absent where a token is all that is ever needed. */
  readonly security?: readonly (readonly string[])[]
  readonly responses: readonly {
    readonly status: string
    readonly media: readonly ClientMedia[]
    /** How declared headers are read. */
    readonly headers?: readonly Parameter[]
  }[]
}

/** The parts of a request by place; members are named as in the document. */
export interface ClientInput {
  readonly path?: object
  readonly query?: object
  readonly headers?: object
  readonly cookies?: object
  readonly body?: unknown
  /** The media type of the body, of several declared ones; the first if absent. */
  readonly mediaType?: string
}
