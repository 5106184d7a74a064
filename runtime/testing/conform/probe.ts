// One request of a run with what came of it, as the parts of the runner hand it on.
import type { InterfaceFacts, OperationFacts, RequestCase, Values, WireRequest } from './facts.ts'
import type { Identity } from './pool.ts'
import type { Answer } from './sender.ts'
import type { Complaint } from './violation.ts'

/** An operation with the interface that it belongs to. */
export interface Target {
  readonly facts: InterfaceFacts
  readonly operation: OperationFacts
  /** Path template with the mount. */
  readonly template: string
}

/** A request that was sent, and what came of it. */
export interface Probe {
  readonly target: Target
  readonly request: RequestCase
  readonly wire: WireRequest
  readonly answer: Answer | undefined
  readonly value: unknown
  readonly complaints: readonly Complaint[]
  /** Things that the request has made on the server. */
  readonly made: readonly Made[]
}

/** Something that this run has made: `value` is the last parameter of `template`. */
export interface Made {
  readonly template: string
  /** All path parameters that lead to it. */
  readonly path: Values
  readonly key: string
  readonly value: Identity
}
