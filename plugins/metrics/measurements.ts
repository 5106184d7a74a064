// Shows what the host and the services have counted. They count in plain numbers, so that counting
// costs next to nothing; here those become metrics of the library, when somebody looks.
import { statfs } from 'node:fs/promises'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import type {
  AutomationStatus,
  Distribution,
  HostHealth,
  Measurement,
  PluginContext,
  SampledMetric,
} from '../../runtime/index.ts'
import { measured } from '../../runtime/index.ts'

type Samples = Extract<Measurement, { readonly kind: 'counter' | 'gauge' }>
type Counted = Extract<Measurement, { readonly kind: 'histogram' }>
type AutomationMetric = SampledMetric extends infer N
  ? N extends `ledgerwright_automation_${infer Rest}`
    ? Rest
    : never
  : never

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

  /** Text of the metric for the registry. */
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
    name: AutomationMetric,
    valueOf: (status: AutomationStatus) => number | undefined,
  ): Measurement =>
    measured(
      `ledgerwright_automation_${name}`,
      automations.flatMap((status) => {
        const value = valueOf(status)
        return value === undefined ? [] : [{ labels: { automation: status.name }, value }]
      }),
    )
  return [
    measured(
      'ledgerwright_plugin_health_ratio',
      plugins.map(({ plugin, status }) => ({ labels: { plugin }, value: HEALTH[status] })),
    ),
    measured('ledgerwright_storage_full', [
      { labels: {}, value: plugins.some(({ isFull }) => isFull === true) ? 1 : 0 },
    ]),
    each('runs_total', ({ runs }) => runs),
    each('failures_total', ({ failures }) => failures),
    each('consecutive_failures', ({ consecutiveFailures }) => consecutiveFailures),
    each('running', ({ running }) => (running ? 1 : 0)),
    each('paused', ({ paused }) => (paused === true ? 1 : 0)),
    each('last_success_timestamp_seconds', ({ lastSuccess }) =>
      lastSuccess === undefined ? undefined : Date.parse(lastSuccess) / 1_000,
    ),
  ]
}

/** The program, and the file system that it writes to; nothing of a folder that is not there. */
export async function machineMeasurements({
  dataDir,
  productVersion: version = '',
}: Pick<PluginContext, 'dataDir' | 'productVersion'>): Promise<readonly Measurement[]> {
  const info = { labels: { version, node: process.versions.node }, value: 1 }
  const build = measured('ledgerwright_build_info', [info])
  const disk = await statfs(dataDir).catch(() => undefined)
  if (disk === undefined) return [build]
  const { bsize, bavail, blocks } = disk
  return [
    build,
    measured('ledgerwright_data_free_bytes', [{ labels: {}, value: bavail * bsize }]),
    measured('ledgerwright_data_size_bytes', [{ labels: {}, value: blocks * bsize }]),
  ]
}
