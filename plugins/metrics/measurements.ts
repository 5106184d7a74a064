// Shows what the host and the services have counted. They count in plain numbers, so that counting
// costs next to nothing; here those become metrics of the library, when somebody looks.
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import type {
  AutomationStatus,
  Distribution,
  HostHealth,
  Measurement,
} from '../../runtime/index.ts'

type Samples = Extract<Measurement, { readonly kind: 'counter' | 'gauge' }>
type Counted = Extract<Measurement, { readonly kind: 'histogram' }>
interface Metric {
  /** Undefined where it was not measured this time. */
  show(measurement: Measurement | undefined): void
}

/** Metrics by name, made when they are first measured. */
export class MeasuredMetrics {
  readonly #registry: Registry
  readonly #metrics = new Map<string, Metric>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Brings the registry up to date; what was not measured this time is not shown. */
  show(measured: readonly Measurement[]): void {
    for (const metric of this.#metrics.values()) metric.show(undefined)
    for (const measurement of measured) {
      // Without a sample nobody knows the labels yet.
      if (measurement.kind !== 'histogram' && measurement.samples.length === 0) continue
      const metric = this.#metrics.get(measurement.name) ?? metricOf(measurement, this.#registry)
      this.#metrics.set(measurement.name, metric)
      metric.show(measurement)
    }
  }
}

function metricOf(measurement: Measurement, registry: Registry): Metric {
  const { name, help } = measurement
  if (measurement.kind === 'histogram') return new KeptHistogram(measurement, registry)
  const labelNames = Object.keys(measurement.samples[0]?.labels ?? {})
  const common = { name, help, labelNames, registers: [registry] }
  return measurement.kind === 'counter' ? new KeptCounter(common) : new KeptGauge(common)
}

class KeptCounter extends Counter {
  show(measurement: Measurement | undefined): void {
    this.reset()
    for (const { labels, value } of samplesOf(measurement)) this.inc(labels, value)
  }
}

class KeptGauge extends Gauge {
  readonly #isPlain: boolean

  constructor(options: ConstructorParameters<typeof Gauge>[0]) {
    super(options)
    this.#isPlain = options.labelNames?.length === 0
  }

  show(measurement: Measurement | undefined): void {
    this.reset()
    // The library's reset sets one without labels to 0, which would say that the operator has
    // nothing.
    if (this.#isPlain) this.remove()
    for (const { labels, value } of samplesOf(measurement)) this.set(labels, value)
  }
}

function samplesOf(measurement: Measurement | undefined): Samples['samples'] {
  return measurement === undefined || measurement.kind === 'histogram' ? [] : measurement.samples
}

/** The library's own takes values one by one; this one shows counts that were kept elsewhere. */
class KeptHistogram extends Histogram {
  #shown: Counted

  constructor(measurement: Counted, registry: Registry) {
    super({ name: measurement.name, help: measurement.help, registers: [registry] })
    this.#shown = measurement
  }

  show(measurement: Measurement | undefined): void {
    if (measurement?.kind === 'histogram') this.#shown = measurement
  }

  /** What the registry prints. */
  async getForPromString() {
    const { name, help, distribution } = this.#shown
    return { name, help, type: 'histogram', values: bucketsOf(name, distribution) }
  }
}

function bucketsOf(name: string, { bounds, counts, sum }: Distribution) {
  let total = 0
  const buckets = counts.map((count, at) => {
    total += count
    return {
      metricName: `${name}_bucket`,
      labels: { le: String(bounds[at] ?? '+Inf') },
      value: total,
    }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: {}, value: sum },
    { metricName: `${name}_count`, labels: {}, value: total },
  ]
}

const HEALTH = { up: 1, degraded: 0.5, down: 0 } as const

/** How plugins and automations fare. */
export function healthMeasurements({ plugins }: HostHealth): readonly Measurement[] {
  const automations = plugins.flatMap(({ automation }) => automation ?? [])
  const each = (
    kind: Samples['kind'],
    name: string,
    help: string,
    valueOf: (status: AutomationStatus) => number | undefined,
  ): Samples => ({
    kind,
    name: `automation_${name}`,
    help,
    samples: automations.flatMap((status) => {
      const value = valueOf(status)
      return value === undefined ? [] : [{ labels: { automation: status.name }, value }]
    }),
  })
  return [
    {
      kind: 'gauge',
      name: 'plugin_up',
      help: '1 up, 0.5 degraded, 0 down',
      samples: plugins.map(({ plugin, status }) => ({ labels: { plugin }, value: HEALTH[status] })),
    },
    each('counter', 'runs_total', 'Runs on this server', ({ runs }) => runs),
    each('counter', 'failures_total', 'Failed runs on this server', ({ failures }) => failures),
    each(
      'gauge',
      'consecutive_failures',
      'Failed runs since the last success',
      ({ consecutiveFailures }) => consecutiveFailures,
    ),
    each('gauge', 'running', '1 while a run is under way', ({ running }) => (running ? 1 : 0)),
    each('gauge', 'paused', '1 where an administrator stopped it', ({ paused }) =>
      paused === true ? 1 : 0,
    ),
    each(
      'gauge',
      'last_success_timestamp_seconds',
      'When a run last ended that did not fail',
      ({ lastSuccess }) =>
        lastSuccess === undefined ? undefined : Date.parse(lastSuccess) / 1_000,
    ),
  ]
}
