// What printed arbitraries are made of: combinators over fast-check, which is handed in, and the types that tests read.
// Copied beside the generated interfaces as arbitrary.gen.ts. A kind makes the values that its schema admits and,
// knowing its own constraints, values that break exactly one of them.
import type { Arbitrary } from 'fast-check'

export type FlawPlace = 'path' | 'query' | 'header' | 'cookie' | 'body'

/** The one constraint that a flawed request breaks. */
export interface Flaw {
  readonly place: FlawPlace
  /** JSON pointer to the broken value: within the body, or beginning with the parameter's name: `/limit`, `/ids/0`. */
  readonly pointer: string
  /** Keyword of the schema (`required`, `type`, `maximum`, …), or `syntax` for a body that is no JSON. */
  readonly rule: string
}

/** Values by parameter name as in the document, before they are written as text. */
export type ParameterValues = Readonly<Record<string, unknown>>

export interface RequestBody {
  readonly mediaType: string
  /** As the wire has it: int64 is bigint, a decimal text, binary content Uint8Array; form and multipart an object by field. */
  readonly value: unknown
  /** Only in flawed cases: the text to send in place of the value. */
  readonly raw?: string
}

/** A request's own part: no address, no authority. Parameters and body that are absent are not sent. */
export interface RequestCase {
  readonly path: ParameterValues
  readonly query: ParameterValues
  readonly headers: ParameterValues
  readonly cookies: ParameterValues
  readonly body?: RequestBody
}

/** A request that the document does not admit, for one reason. */
export interface FlawedCase extends RequestCase {
  readonly flaw: Flaw
}

export interface OperationArbitraries {
  readonly valid: Arbitrary<RequestCase>
  /** Undefined where the document admits every request. */
  readonly flawed: Arbitrary<FlawedCase> | undefined
}

/** What `arbitraries(fc)` of every interface returns at least; each names its own operations and schemas. */
export interface InterfaceArbitraries {
  readonly operations: Readonly<Record<string, OperationArbitraries>>
  readonly schemas: Readonly<Record<string, Arbitrary<unknown>>>
}
