// The trace of the work at hand, so that all it leads to on the ledger carries it, without every
// function passing it on.
import { AsyncLocalStorage } from 'node:async_hooks'
import { newTraceparent } from '../http/index.ts'
import type { TraceContext } from '../engine/index.ts'
import type { Spans } from '../host/spans.ts'

const current = new AsyncLocalStorage<TraceContext | undefined>()

/** The trace of what is being done; undefined for work that no request asked for. */
export function requestTrace(): TraceContext | undefined {
  return current.getStore()
}

/**
 * Runs `work`, and everything that it starts, under `trace`; under none where that is undefined.
 */
export function withTrace<T>(trace: TraceContext | undefined, work: () => T): T {
  return current.run(trace, work)
}

/**
 * What an update is recorded with whose submission brings no trace of its own.
 * docs/ledger-rules.md, "Updates"
 *
 * @param spans where they are gathered: background work then has a trace with spans in it
 */
export function traceForUpdate(spans?: Spans): TraceContext {
  return requestTrace() ?? { traceparent: spans?.traceparent ?? newTraceparent() }
}
