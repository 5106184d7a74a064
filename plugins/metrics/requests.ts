// Requests by interface, operation and status with their durations. Each request adds to plain
// numbers; the library, which makes a key of the labels at every observation, sees them when
// somebody looks.
import { Counter, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { METRICS } from '../../runtime/index.ts'
import type { ResponseRecord } from '../../runtime/index.ts'

const LABELS = METRICS.http_requests_total.labels
const NAME = 'http_request_duration_seconds'
const HELP = METRICS[NAME].help

/** One series: an operation of an interface with one status. */
interface Series {
  readonly labels: Readonly<Record<(typeof LABELS)[number], string>>
  /** Counts of each bound above the bound before; one more for those above all bounds. */
  readonly counts: number[]
  count: number
  /** Value of the counter at the last look. */
  shown: number
  sumSeconds: number
}

/** Series by interface, operation and status: looked up on each request, so without making keys. */
type AllSeries = Map<string, Map<string, Map<number, Series>>>

export class RequestMetrics {
  readonly #boundsMs: readonly number[]
  readonly #all: AllSeries = new Map()
  /** The same, oldest first. */
  readonly #series: Series[] = []

  /** Registers the counter and the histogram of this server. */
  constructor(registry: Registry, boundsMs: readonly number[]) {
    this.#boundsMs = boundsMs
    const series = this.#series
    new Durations(registry, boundsMs, series)
    new Counter({
      name: 'http_requests_total',
      help: METRICS.http_requests_total.help,
      labelNames: LABELS,
      registers: [registry],
      collect() {
        for (const one of series) {
          this.inc(one.labels, one.count - one.shown)
          one.shown = one.count
        }
      },
    })
  }

  record(record: ResponseRecord): void {
    const series = this.#of(record)
    const { durationMs } = record
    const bounds = this.#boundsMs
    let at = 0
    while (at < bounds.length && durationMs > (bounds[at] ?? 0)) at += 1
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.count += 1
    series.sumSeconds += durationMs / 1_000
  }

  #of({ interfaceName, operationId, status }: ResponseRecord): Series {
    return (
      this.#all.get(interfaceName)?.get(operationId)?.get(status) ??
      this.#add(interfaceName, operationId, status)
    )
  }

  #add(interfaceName: string, operation: string, status: number): Series {
    const series = {
      labels: { interface: interfaceName, operation, status: String(status) },
      counts: Array.from({ length: this.#boundsMs.length + 1 }, () => 0),
      count: 0,
      shown: 0,
      sumSeconds: 0,
    }
    this.#series.push(series)
    const byOperation = this.#all.get(interfaceName) ?? new Map<string, Map<number, Series>>()
    const byStatus = byOperation.get(operation) ?? new Map<number, Series>()
    this.#all.set(interfaceName, byOperation.set(operation, byStatus.set(status, series)))
    return series
  }
}

class Durations extends Histogram {
  readonly #boundsMs: readonly number[]
  readonly #series: readonly Series[]

  constructor(registry: Registry, boundsMs: readonly number[], series: readonly Series[]) {
    super({ name: NAME, help: HELP, labelNames: LABELS, registers: [registry] })
    this.#boundsMs = boundsMs
    this.#series = series
  }

  /** Text of the metric for the registry. */
  async getForPromString() {
    const values = this.#series.flatMap((one) => this.#values(one))
    return { name: NAME, help: HELP, type: 'histogram', values }
  }

  #values({ labels, counts, count, sumSeconds }: Series) {
    let total = 0
    const buckets = this.#boundsMs.map((bound, at) => {
      total += counts[at] ?? 0
      return valueOf('bucket', { le: bound / 1_000, ...labels }, total)
    })
    return [
      ...buckets,
      valueOf('bucket', { le: '+Inf', ...labels }, count),
      valueOf('sum', labels, sumSeconds),
      valueOf('count', labels, count),
    ]
  }
}

function valueOf(of: string, labels: Readonly<Record<string, string | number>>, value: number) {
  return { metricName: `${NAME}_${of}`, labels, value }
}
