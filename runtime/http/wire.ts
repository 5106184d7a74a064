// The shape of a generated interface, as the dispatcher reads it. Generated files import nothing of
// ours, so they meet this file by structure alone: a generated table is assignable to
// WireInterface.

/** The place of a value in a request. */
export type IssuePlace = 'path' | 'query' | 'header' | 'cookie' | 'body'

/**
 * One violation of the document. `pointer` is the parameter's name, or for a body a JSON pointer
 * ('' is the whole body). `keyword` is the JSON Schema keyword, or 'syntax' (not decodable at all)
 * or 'multiple' (a single value given twice). `error` is the `x-error` literal of the schema or
 * parameter that was violated, unread.
 */
export interface Issue {
  readonly in: IssuePlace
  readonly pointer: string
  readonly keyword: string
  readonly message: string
  readonly error?: unknown
  readonly value?: unknown
}

/**
 * Keywords that say "this value cannot be decoded"; every other keyword is a constraint on a
 * decoded value.
 */
export const DECODE_KEYWORDS: ReadonlySet<string> = new Set([
  'syntax',
  'multiple',
  'type',
  'format',
  'enum',
  'const',
  'oneOf',
  'anyOf',
  'not',
  'discriminator',
  'contentEncoding',
])

/**
 * The request's parameters before decoding; path values are percent-decoded and in the template's
 * order.
 */
export interface RawParameters {
  readonly path: readonly string[]
  /** The query text after '?', still encoded; '' when there is none. */
  readonly query: string
  header(name: string): string | undefined
}

/** The way a body of a media type is read and written. */
export type BodyKind = 'json' | 'text' | 'binary' | 'form' | 'multipart' | 'events' | 'json-lines'

/** One media type of a request body or a response. */
export interface WireMedia {
  readonly mediaType: string
  readonly kind: BodyKind
  /**
   * True when the schema has an int64 somewhere: the text is then read and written without loss.
   */
  readonly int64: boolean
  /**
   * Names of properties that are decimal numbers: their literals are handed on as text, in which no
   * digit is lost.
   */
  readonly decimals?: readonly string[]
  /**
   * Appends every violation; never throws, never changes the value. For streams, of one item.
   */
  readonly check?: (value: unknown, issues: Issue[]) => void
  /**
   * Turns checked JSON into the handler's types (int64 as bigint, defaults filled). Absent when
   * nothing changes.
   */
  readonly lift?: (value: unknown) => unknown
  /** Reads the text of a form whose fields come in styles of their own. */
  readonly decode?: (text: string, issues: Issue[]) => unknown
  /** Writes the fields or parts of a form that is answered. */
  readonly encode?: (value: unknown) => string | FormData
  /** Parts of a multipart body that are read as text where they come as files. */
  readonly textParts?: readonly string[]
}

/** The body of a request. */
export interface WireBody {
  readonly required: boolean
  readonly media: readonly WireMedia[]
}

/** A declared header of an answer. */
export interface WireHeader {
  readonly name: string
  readonly required: boolean
  /** Makes a handler's value the header's text; absent where the value is text. */
  readonly text?: (value: unknown) => string
  /** Appends everything that is wrong with the text. */
  readonly check?: (text: string, issues: Issue[]) => void
}

/** The answers under one status. */
export interface WireResponse {
  /** '200', '4XX' or 'default'. */
  readonly status: string
  readonly media: readonly WireMedia[]
  readonly headers: readonly WireHeader[]
}

/**
 * A method in capitals: `GET`, or whatever else a document names that Node takes, `QUERY` among
 * them.
 */
export type HttpMethod = string

/** Dates and link of an operation that is to go, as answers' headers tell them. */
export interface WireDeprecation {
  readonly since?: string
  readonly sunset?: string
  readonly successor?: string
}

/** One operation of a document. */
export interface WireOperation {
  readonly operationId: string
  readonly method: HttpMethod
  /** The path template as in the document: `/v2/users/{user-id}`. */
  readonly path: string
  /**
   * Decodes and checks all parameters: `{ path, query, headers, cookies }` with the document's
   * names.
   */
  readonly parameters: (raw: RawParameters, issues: Issue[]) => unknown
  readonly body?: WireBody
  readonly responses: readonly WireResponse[]
  /** Security alternatives; within one, every scheme is needed. Empty: none declared. */
  readonly security: readonly { readonly [scheme: string]: readonly string[] }[]
  /** `x-access`, unread by the dispatcher: the guard knows its words. */
  readonly access?: unknown
  readonly stability?: string
  readonly deprecation?: WireDeprecation
  /** `x-max-body-bytes`; the host's default when absent. */
  readonly maxBodyBytes?: number
}

/**
 * The phases of a request, in the order that the interface's document states (`x-interface.checks`,
 * docs/ledger-rules.md, "Errors"): parameters decode; token (refuses a token whose user is
 * refused); authenticated (refuses the anonymous); mediaType (415); body decode; constraints
 * (everything that is not decoding); rights (the guard's decision).
 */
export type CheckPhase =
  'parameters' | 'token' | 'authenticated' | 'mediaType' | 'body' | 'constraints' | 'rights'

/** One document: where it is mounted, how requests are checked, and its operations. */
export interface WireInterface {
  readonly name: string
  readonly title: string
  readonly version: string
  /** Path prefix on the shared port: '' or '/api/scan'. */
  readonly mount: string
  readonly checks: readonly CheckPhase[]
  /**
   * The family of error bodies that answers problems: the name of a presenter given at mounting.
   */
  readonly problems: string
  readonly operations: readonly WireOperation[]
}

/**
 * A handler's answer. Generated reply types are narrower: status, body, media type and headers
 * belong together.
 */
export interface WireReply {
  readonly status: number
  readonly body?: unknown
  readonly mediaType?: string
  /** Values by name; what is not text is written as the document declares it. */
  readonly headers?: Readonly<Record<string, HeaderValue | undefined>>
}

/** The value of an answer's header. */
export type HeaderValue = string | number | bigint | boolean | object | null

/** A handler's input: decoded, checked, typed by the generated handler interface. */
export interface WireInput {
  readonly path: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly cookies: unknown
  readonly body: unknown
  /** The body's media type, as the document names it; for a range, as the request does. */
  readonly mediaType?: string | undefined
}
