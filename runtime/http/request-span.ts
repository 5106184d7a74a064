// The span of a request, told when it has ended. Its names are those of OpenTelemetry's semantic
// conventions for HTTP servers.
import type { IncomingMessage } from 'node:http'
import type { Spans } from '../host/spans.ts'
import { callerSpan } from './trace.ts'
import type { Trace } from './trace.ts'

export type RequestSpans = Pick<Spans, 'isSampled' | 'nowMs' | 'record'>

interface Arrived {
  readonly req: IncomingMessage
  readonly trace: Trace
}

interface Ended {
  readonly interfaceName: string
  readonly operation?: { readonly operationId: string }
  /** Mount prefix and path template; empty where no operation has such a path. */
  readonly template: string
  readonly method: string
  readonly status: number
  readonly durationMs: number
  readonly reason: string | undefined
}

/** Records a request whose trace is kept: the caller's where there was one. */
export function recordRequest(spans: RequestSpans, { req, trace }: Arrived, ended: Ended): void {
  if (!trace.traceparent.endsWith('1')) return
  const { interfaceName, operation, template, method, status, durationMs, reason } = ended
  const header = req.headers['traceparent']
  spans.record({
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: callerSpan(typeof header === 'string' ? header : undefined),
    name: template === '' ? method : `${method} ${template}`,
    kind: 'server',
    startMs: spans.nowMs() - durationMs,
    durationMs,
    attributes: {
      'http.request.method': method,
      ...(template === '' ? {} : { 'http.route': template }),
      'http.response.status_code': status,
      'ledgerwright.interface': interfaceName,
      'ledgerwright.operation': operation?.operationId ?? '',
    },
    error: status >= 500 ? (reason ?? String(status)) : undefined,
    links: [],
  })
}
