// Queries of Prometheus over the table of metrics: a name or a label that is not there does not
// compile.
import { METRICS } from '../../runtime/host/metrics.ts'
import type { MetricLabel, MetricName } from '../../runtime/host/metrics.ts'

/** Metrics that the libraries and Prometheus itself bring. */
type OtherName =
  | 'up'
  | 'process_cpu_seconds_total'
  | 'process_resident_memory_bytes'
  | 'process_open_fds'
  | 'nodejs_heap_size_used_bytes'
  | 'nodejs_eventloop_lag_p50_seconds'
  | 'nodejs_eventloop_lag_p99_seconds'
  | 'nodejs_gc_duration_seconds_sum'

type Name = MetricName | OtherName

/** Equal to a text, or like a pattern; with `not`, neither. */
type Match = string | RegExp | { readonly not: string | RegExp }

type Matches<N extends Name> = Readonly<
  Partial<Record<N extends MetricName ? MetricLabel<N> : 'job', Match>>
>

/** Selectors that all have the same matcher, such as that of a dashboard's variable. */
export class Selectors {
  readonly #common: readonly string[]

  constructor(...common: readonly string[]) {
    this.#common = common
  }

  /** `name{label="value"}` */
  of<N extends Name>(name: N, matches?: Matches<N>): string {
    return this.#selector(name, matches)
  }

  /** The buckets of a histogram. */
  buckets<N extends MetricName>(name: N, matches?: Matches<N>): string {
    return this.#selector(`${histogram(name)}_bucket`, matches)
  }

  /** How many values a histogram has counted. */
  count<N extends MetricName>(name: N, matches?: Matches<N>): string {
    return this.#selector(`${histogram(name)}_count`, matches)
  }

  /** The sum of a histogram's values. */
  sum<N extends MetricName>(name: N, matches?: Matches<N>): string {
    return this.#selector(`${histogram(name)}_sum`, matches)
  }

  #selector(name: string, matches: Readonly<Record<string, Match | undefined>> = {}): string {
    const own = Object.entries(matches).flatMap(([label, match]) =>
      match === undefined ? [] : [`${label}${operatorOf(match)}`],
    )
    const all = [...own, ...this.#common]
    return all.length === 0 ? name : `${name}{${all.join(',')}}`
  }
}

function histogram(name: MetricName): MetricName {
  if (METRICS[name].kind === 'histogram') return name
  throw new Error(`${name} is not a histogram`)
}

function operatorOf(match: Match): string {
  if (typeof match === 'string') return `="${match}"`
  if (match instanceof RegExp) return `=~"${textOf(match)}"`
  const { not } = match
  return typeof not === 'string' ? `!="${not}"` : `!~"${textOf(not)}"`
}

/** The pattern's text in a query: a slash needs no escape, and a backslash is one itself. */
function textOf({ source }: RegExp): string {
  return source.replaceAll(String.raw`\/`, '/').replaceAll('\\', String.raw`\\`)
}
