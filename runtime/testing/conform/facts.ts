// What the runner knows of an interface: routes, arbitraries and what else its document says, as
// plain data. Nothing here names a service or a generator; whoever composes a run makes these from
// printed files and the intermediate form. docs/decisions/0005-conformance.md
import type { Arbitrary } from 'fast-check'
import type { Issue, IssuePlace, RawParameters, WireHeader, WireMedia } from '../../http/wire.ts'

export type { Issue, RawParameters } from '../../http/wire.ts'

/**
 * The one constraint that a flawed request breaks: `pointer` leads into the body, or begins with
 * the parameter's name.
 */
export interface Flaw {
  readonly place: IssuePlace
  readonly pointer: string
  readonly rule: string
}

/** Values by parameter name, before they are written as text. */
export type Values = Readonly<Record<string, unknown>>

export interface Body {
  readonly mediaType: string
  /**
   * The value in the wire's form: int64 as bigint, a decimal as text, binary content as Uint8Array.
   */
  readonly value: unknown
  /** The text to send in place of the value. */
  readonly raw?: string
}

/** A request's own part: no address, no authority. What is absent is not sent. */
export interface RequestCase {
  readonly path: Values
  readonly query: Values
  readonly headers: Values
  readonly cookies: Values
  readonly body?: Body
}

export interface FlawedCase extends RequestCase {
  readonly flaw: Flaw
}

export interface ParameterFact {
  readonly name: string
  readonly in: Exclude<IssuePlace, 'body'>
  readonly required: boolean
  readonly style:
    'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode: boolean
  /** The value goes as JSON text. */
  readonly json?: true
}

export interface MediaFact extends Pick<WireMedia, 'mediaType' | 'kind' | 'check'> {
  /** Fields of a form or a multipart body as a server reads them, before they are checked. */
  readonly read?: (request: WireRequest, issues: Issue[]) => Promise<unknown>
  /** Fields of a form that are not written as any other is. */
  readonly fields?: Readonly<Record<string, FieldFact>>
}

/** How a field of a form is written. */
export interface FieldFact {
  readonly style?: 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'
  readonly explode?: boolean
  readonly contentType?: string
}

export interface ResponseFact {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  readonly media: readonly MediaFact[]
  readonly headers: readonly Pick<WireHeader, 'name' | 'required' | 'check'>[]
  readonly links: readonly LinkFact[]
}

/**
 * An OpenAPI link: where the target's parameters and body come from, as runtime expressions or
 * constants.
 */
export interface LinkFact {
  readonly target: string
  /** Values by parameter name, which a place and a point may precede: `path.id`. */
  readonly parameters: Values
}

/**
 * One way to show who asks; every member of a requirement is needed, any one requirement is enough.
 */
export type Requirement = Readonly<Record<string, readonly string[]>>

export interface OperationFacts {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly ParameterFact[]
  readonly body?: {
    readonly required: boolean
    readonly media: readonly (MediaFact & { readonly examples: readonly unknown[] })[]
  }
  readonly responses: readonly ResponseFact[]
  readonly security: readonly Requirement[]
  /** Statuses with which content rules beyond the schemas are refused: `x-refuses`. */
  readonly refuses: readonly number[]
  /** Draws for it, made when they are first asked for: that takes time. */
  draws(): Draws | Unaskable
  /** Decodes and checks parameters; what is wrong goes to `issues`. */
  decode(raw: RawParameters, issues: Issue[]): unknown
}

/** Requests of an operation, and what of its answers cannot be. */
export interface Draws {
  readonly valid: Arbitrary<RequestCase>
  /** Undefined where the document admits every request. */
  readonly flawed: Arbitrary<FlawedCase> | undefined
  /** Declared statuses with which nothing can be answered: no value fits what is declared. */
  readonly impossible: readonly number[]
}

/** An operation that a run leaves out, as nobody can ask it or answer it. */
export interface Unaskable {
  /** The document's demand. */
  readonly reason: string
}

export interface InterfaceFacts {
  readonly name: string
  /** Path prefix on the server: `''` or `/api`. */
  readonly mount: string
  /** The document says that bodies are read whatever their content type is. */
  readonly ignoresMediaTypes: boolean
  readonly operations: readonly OperationFacts[]
  readonly securitySchemes: Values
}

/** A request as it goes over the wire; `target` is path and query. */
export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: Uint8Array
}

/** The means that printed clients have, handed in. */
export interface WireTools {
  /** Writes a request of an operation, below its mount. Throws where a value cannot be written. */
  encode(operation: OperationFacts, request: RequestCase): Promise<WireRequest>
  /** JSON with every digit of integers. Throws SyntaxError. */
  parse(text: string): unknown
  /** JSON text, a bigint as its digits. */
  stringify(value: unknown): string
}
