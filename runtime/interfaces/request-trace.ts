// Requests under their traces: what a handler leads to on the ledger carries the trace of its
// request. docs/ledger-rules.md, "Updates"
import type { InterfaceMount } from '../http/index.ts'
import type { TraceContext } from '../engine/index.ts'
import type { Context } from './reply.ts'
import type { Principal } from '../access/principal.ts'
import { withTrace } from '../economy/trace.ts'
import { aroundHandlers } from './around-handlers.ts'

/** Runs each handler of an interface under the trace of its request. */
export function traced(mount: InterfaceMount<Principal>): InterfaceMount<Principal> {
  return aroundHandlers(
    mount,
    () => true,
    (handler, input, context) => withTrace(traceOf(context), () => handler(input, context)),
  )
}

function traceOf({ traceparent, tracestate }: Context): TraceContext {
  return { traceparent, ...(tracestate === undefined ? {} : { tracestate }) }
}
