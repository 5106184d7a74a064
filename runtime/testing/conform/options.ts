// What a run is told.
import type { InterfaceFacts, WireTools } from './facts.ts'
import type { Violation } from './violation.ts'

export interface ConformOptions {
  readonly interfaces: readonly InterfaceFacts[]
  readonly tools: WireTools
  /** Address of the server; a path in it precedes every mount. */
  readonly url: URL
  readonly token?: string
  /** Sent with every request. */
  readonly headers?: readonly (readonly [string, string])[]
  /** Requests an operation and kind, 100 if absent. */
  readonly runs?: number
  readonly seed: number
  /**
   * At most so many requests that show extremes for each operation, and twice as many flawed ones;
   * 70 if absent.
   */
  readonly extremes?: number
  /** Operation ids; all if absent. The others still serve to find and make what these need. */
  readonly only?: ReadonlySet<string>
  readonly skip?: ReadonlySet<string>
  /** `operationId:status`: not a finding. */
  readonly allow?: ReadonlySet<string>
  readonly maxResponseMs?: number
  /** How long to wait for an answer, 30 s if absent. */
  readonly timeoutMs?: number
  /** No new request after this time. */
  readonly limitMs?: number
  /** Only GET and HEAD. */
  readonly isReadOnly?: boolean
  /** True ends the run with this violation. */
  readonly isEnough?: (violation: Violation) => boolean
  /** Operations at a time, 8 if absent. */
  readonly parallel?: number
}
