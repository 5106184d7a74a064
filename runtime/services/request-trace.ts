// Requests under their traces: what a handler leads to on the ledger carries the trace of its request. interface.md §2.6
import type { InterfaceMount } from '../http/index.ts'
import type { TraceContext } from '../ledger/index.ts'
import type { Context } from './reply.ts'
import type { Principal } from './access/principal.ts'
import { withTrace } from './trace.ts'

/** Runs each handler of an interface under the trace of its request. */
export function traced(mount: InterfaceMount<Principal>): InterfaceMount<Principal> {
  const handlers = Object.entries(mount.handlers).map(([name, handler]): [string, typeof handler] =>
    [name, handler && ((input, context) => withTrace(traceOf(context), () => handler(input, context)))])
  return { ...mount, handlers: Object.fromEntries(handlers) }
}

function traceOf({ traceparent, tracestate }: Context): TraceContext {
  return { traceparent, ...tracestate === undefined ? {} : { tracestate } }
}
