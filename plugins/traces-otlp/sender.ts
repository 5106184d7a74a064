// Spans of the host as OpenTelemetry's SDK takes them; it batches and sends them.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import type { HrTime, SpanContext } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type {
  FinishedSpan,
  HealthReport,
  PluginContext,
  SpanGatherer,
  SpanId,
} from '../../runtime/index.ts'
import type { Settings } from './options.ts'

interface Sender {
  readonly gatherer: SpanGatherer
  /** Degraded while the collector takes nothing. */
  health(): HealthReport
  /** Sends what waits. */
  stop(): Promise<void>
}

const KINDS: Readonly<Record<FinishedSpan['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
}

/** Begins to send; nothing is sent before the first span. */
export function createSender(settings: Settings, host: PluginContext): Sender {
  const { endpoint, headers, ratio, serviceName, delayMs, maxQueue, timeoutMs } = settings
  let trouble: string | undefined
  const exporter = watched(
    new OTLPTraceExporter({ url: endpoint, headers, timeoutMillis: timeoutMs }),
    (problem) => {
      if (problem !== undefined && trouble === undefined)
        host.log.warn({ reason: problem }, 'the collector does not accept traces')
      trouble = problem
    },
  )
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: delayMs,
    maxQueueSize: maxQueue,
    maxExportBatchSize: Math.min(512, maxQueue),
  })
  const sampler = new TraceIdRatioBasedSampler(ratio)
  const common = {
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': host.productVersion ?? '',
    }),
    instrumentationScope: { name: 'ledgerwright' },
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
  return {
    gatherer: {
      isSampled: (traceId) =>
        sampler.shouldSample(ROOT_CONTEXT, traceId).decision ===
        SamplingDecision.RECORD_AND_SAMPLED,
      onSpan: (span) => processor.onEnd(readable(span, common)),
    },
    health: () =>
      trouble === undefined
        ? { status: 'up' }
        : { status: 'degraded', detail: `the collector does not accept traces: ${trouble}` },
    stop: () => processor.shutdown(),
  }
}

/** The exporter, of which each end is told: why nothing was taken, or undefined. */
function watched(
  exporter: SpanExporter,
  tell: (problem: string | undefined) => void,
): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        tell(result.error?.message)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

type Common = Pick<
  ReadableSpan,
  | 'resource'
  | 'instrumentationScope'
  | 'events'
  | 'ended'
  | 'droppedAttributesCount'
  | 'droppedEventsCount'
  | 'droppedLinksCount'
>

function readable(span: FinishedSpan, common: Common): ReadableSpan {
  const { traceId, name, kind, parentSpanId, startMs, durationMs, attributes, error, links } = span
  const own = contextOf(span)
  return {
    ...common,
    name,
    kind: KINDS[kind],
    spanContext: () => own,
    ...(parentSpanId === undefined
      ? {}
      : { parentSpanContext: contextOf({ traceId, spanId: parentSpanId }) }),
    startTime: timeOf(startMs),
    endTime: timeOf(startMs + durationMs),
    duration: timeOf(durationMs),
    status:
      error === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: error },
    attributes: { ...attributes },
    links: links.map((link) => ({ context: contextOf(link) })),
  }
}

function contextOf({ traceId, spanId }: SpanId): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED }
}

/** Whole seconds, and nanoseconds of the next one. */
function timeOf(ms: number): HrTime {
  const seconds = Math.trunc(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)]
}
