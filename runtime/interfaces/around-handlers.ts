// What goes around the handlers of an interface, by what `x-access` says of their operations.
import { readAccess } from '../access/access-rule.ts'
import type { Principal } from '../access/principal.ts'
import { overQuotaText, secondsOf } from '../economy/quotas/index.ts'
import type { OverQuota, Quotas } from '../economy/quotas/index.ts'
import { withTrace } from '../economy/trace.ts'
import type { HistoryWatch, RecordClock } from '../engine/index.ts'
import { ProblemError } from '../http/index.ts'
import type { InterfaceMount } from '../http/index.ts'

type Mount = InterfaceMount<Principal>
type Handler = NonNullable<Mount['handlers'][string]>

interface Around {
  readonly history: HistoryWatch
  readonly quotas: Quotas
  /** Absent: any time is taken. */
  readonly watch: RecordClock | undefined
  /** What the interface leads to on the ledger, or its spans, carry the trace of the request. */
  readonly isTraced: boolean
}

/**
 * The mount with every handler but the probes' behind what has to hold before it begins: the
 * database still has the history that this server has seen, or neither what it says nor what this
 * server remembers can be trusted (docs/decisions/0025-one-history.md); a caller that submits,
 * writes or prepares is within its rate; and the clock may be believed, since what such a handler
 * looks at would be wrong already.
 */
export function aroundHandlers(mount: Mount, around: Around): Mount {
  const handlers = mount.wire.operations.map((operation): [string, Handler | undefined] => {
    const { operationId } = operation
    const handler = mount.handlers[operationId]
    const { probe, submits } = readAccess(operation.access, operationId)
    if (handler === undefined || probe) return [operationId, handler]
    const inTime = submits ? submitting(handler, around) : handler
    const traced = around.isTraced ? underTrace(inTime) : inTime
    return [
      operationId,
      (input, context) => {
        around.history.require()
        return traced(input, context)
      },
    ]
  })
  return { ...mount, handlers: { ...mount.handlers, ...Object.fromEntries(handlers) } }
}

function submitting(handler: Handler, { quotas, watch }: Around): Handler {
  return (input, context) => {
    if (context.principal !== undefined) refuseOver(quotas.overRate(context.principal))
    const trusted = watch?.trusted()
    return trusted === undefined
      ? handler(input, context)
      : trusted.then(() => handler(input, context))
  }
}

function underTrace(handler: Handler): Handler {
  return (input, context) => {
    const { traceparent, tracestate } = context
    const trace = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) }
    return withTrace(trace, () => handler(input, context))
  }
}

/** Throws the ProblemError with 429 for what is over a quota. */
export function refuseOver(over: OverQuota | undefined): void {
  if (over === undefined) return
  throw new ProblemError({
    kind: 'over-quota',
    text: overQuotaText(over),
    retrySeconds: secondsOf(over.retryMs),
  })
}
