// What goes around the handlers of an interface, by what `x-access` says of their operations.
import { readAccess } from '../access/access-rule.ts'
import type { Principal } from '../access/principal.ts'
import { withTrace } from '../economy/trace.ts'
import type { HistoryWatch, RecordClock } from '../engine/index.ts'
import type { InterfaceMount, WireOperation } from '../http/index.ts'

type Mount = InterfaceMount<Principal>
type Handler = NonNullable<Mount['handlers'][string]>
type Around = (handler: Handler, ...request: Parameters<Handler>) => ReturnType<Handler>

/**
 * The mount with every handler but the probes' rejecting once the database has another history than
 * this server has seen: neither what it says nor what this server remembers can be trusted.
 * docs/decisions/0025-one-history.md
 */
export function onOneHistory(mount: Mount, history: HistoryWatch): Mount {
  return aroundHandlers(
    mount,
    (operation) => !accessOf(operation).probe,
    (handler, input, context) => {
      history.require()
      return handler(input, context)
    },
  )
}

/**
 * The mount with every handler whose operation submits waiting for a clock that may be believed:
 * what it looked at before would be wrong already, and the answer with it. Rejects as the engine
 * does.
 */
export function onTrustedTime(mount: Mount, watch: RecordClock | undefined): Mount {
  if (watch === undefined) return mount
  return aroundHandlers(mount, submits, (handler, input, context) => {
    const trusted = watch.trusted()
    return trusted === undefined
      ? handler(input, context)
      : trusted.then(() => handler(input, context))
  })
}

/**
 * The mount with each handler under the trace of its request: what it leads to on the ledger
 * carries that trace.
 */
export function traced(mount: Mount): Mount {
  return aroundHandlers(
    mount,
    () => true,
    (handler, input, context) => {
      const { traceparent, tracestate } = context
      const trace = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) }
      return withTrace(trace, () => handler(input, context))
    },
  )
}

/** Whether an operation writes, submits or prepares. */
export function submits(operation: WireOperation): boolean {
  return accessOf(operation).submits
}

function accessOf({ access, operationId }: WireOperation) {
  return readAccess(access, operationId)
}

/**
 * The mount with `around` called in place of each handler whose operation is wanted; the others are
 * as they were.
 */
export function aroundHandlers(
  mount: Mount,
  wants: (operation: WireOperation) => boolean,
  around: Around,
): Mount {
  const wanted = new Set(mount.wire.operations.filter(wants).map(({ operationId }) => operationId))
  const handlers = Object.entries(mount.handlers).map(
    ([name, handler]): [string, Handler | undefined] => [
      name,
      handler === undefined || !wanted.has(name)
        ? handler
        : (input, context) => around(handler, input, context),
    ],
  )
  return { ...mount, handlers: Object.fromEntries(handlers) }
}
