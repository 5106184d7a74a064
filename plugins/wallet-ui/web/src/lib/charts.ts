// Which charts the operator sees, and how their lines are reckoned from the server's metrics. What
// a server does not measure has none.
import { quantile, rate, total, valuesOf } from './prometheus.ts'
import type { Reading, Where } from './prometheus.ts'
import { localeTag, t } from './language.ts'

export type Unit = 'perSecond' | 'ms' | 'megabytes' | 'count' | 'percent'

/** One line's value at a time; undefined where there is nothing to be said just now. */
interface Value {
  readonly line: string
  readonly value: number | undefined
}

/**
 * Values of a chart's lines; `before` was read some seconds earlier: rates are over the time
 * between.
 */
type Values = (before: Reading, now: Reading) => readonly Value[]

interface ChartOf {
  readonly title: string
  /** One sentence. */
  readonly about: string
  readonly unit: Unit
  readonly values: Values
}

const withStatus =
  (first: string): Where =>
  ({ status = '' }) =>
    status.startsWith(first)

/** `95%`, `95 %` in German. */
const percentText = (share: number): string =>
  share.toLocaleString(localeTag(), { style: 'percent' })

/**
 * Labels of metrics as people call them. Those of other servers and of refusals stay as they are:
 * they are looked up in logs.
 */
const NAMES: Readonly<Record<string, string>> = {
  extension: t('extensions'),
  ledger: t('ledger'),
  scan: t('network data'),
  validator: t('validator'),
  ok: t('succeeded'),
  failed: t('failed'),
  base: t('free'),
  extra: t('bought'),
}

/** One line for each value of a metric's label. */
function byLabel(
  metric: string,
  label: string,
  valueOf: (before: Reading, now: Reading, where: Where) => number | undefined,
): Values {
  return (before, now) =>
    valuesOf(now.metrics, metric, label).map((one) => ({
      line: NAMES[one] ?? one,
      value: valueOf(before, now, (labels) => labels[label] === one),
    }))
}

/** The growth of a counter in a second, for each value of a label. */
function ratesBy(metric: string, label: string): Values {
  return byLabel(metric, label, (before, now, where) => rate(before, now, metric, where))
}

type Metric = readonly [line: string, metric: string, where?: Where]

/** Lines of metrics that this server measures, each value times `by`. */
function lines(
  of: readonly Metric[],
  valueOf: (before: Reading, now: Reading, metric: string, where?: Where) => number | undefined,
  by = 1,
): Values {
  return (before, now) =>
    of.flatMap(([line, metric, where]) => {
      const value = valueOf(before, now, metric, where)
      return value === undefined ? [] : [{ line, value: value * by }]
    })
}

const rates = (of: readonly Metric[], by?: number): Values => lines(of, rate, by)
const levels = (of: readonly Metric[], by?: number): Values =>
  lines(of, (_before, now, metric) => total(now.metrics, metric), by)

/** Percentiles of a histogram of seconds, in milliseconds. */
function latencies(metric: string): Values {
  return (before, now) =>
    [0.5, 0.95, 0.99].flatMap((share) => {
      if (!now.metrics.has(`${metric}_bucket`)) return []
      const seconds = quantile(before, now, metric, share)
      return {
        line: percentText(share),
        value: seconds === undefined ? undefined : seconds * 1_000,
      }
    })
}

const REQUESTS = 'http_requests_total'
const COMMIT = 'ledgerwright_store_commit_duration_seconds'
const TRAFFIC = 'ledgerwright_traffic_left_bytes'
const MEGABYTES = 1e-6

/** Charts in the order in which they are drawn. */
export const CHARTS: readonly ChartOf[] = [
  {
    title: t('Requests'),
    about: t('Answered requests by interface.'),
    unit: 'perSecond',
    values: ratesBy(REQUESTS, 'interface'),
  },
  {
    title: t('Errors'),
    about: t('Requests that were refused (4xx), and those that failed (5xx).'),
    unit: 'perSecond',
    values: rates([
      [t('refused'), REQUESTS, withStatus('4')],
      [t('failed'), REQUESTS, withStatus('5')],
    ]),
  },
  {
    title: t('Request latency'),
    about: t('Latency percentiles of requests.'),
    unit: 'ms',
    values: latencies('http_request_duration_seconds'),
  },
  {
    title: t('Submissions'),
    about: t('Submissions to the ledger, by outcome.'),
    unit: 'perSecond',
    values: ratesBy('ledgerwright_submissions_total', 'outcome'),
  },
  {
    title: t('Commits'),
    about: t('Commits of the store; one can carry many updates.'),
    unit: 'perSecond',
    values: rates([[t('commits'), `${COMMIT}_count`]]),
  },
  {
    title: t('Commit latency'),
    about: t('Latency percentiles of commits.'),
    unit: 'ms',
    values: latencies(COMMIT),
  },
  {
    title: t('Automation runs'),
    about: t('Runs of all automations on this server, and those that failed.'),
    unit: 'perSecond',
    values: rates([
      [t('runs'), 'ledgerwright_automation_runs_total'],
      [t('failed'), 'ledgerwright_automation_failures_total'],
    ]),
  },
  {
    title: t('Operator’s holdings'),
    about: t('Unlocked holdings of the operator, and payments waiting for coin.'),
    unit: 'count',
    values: levels([
      [t('holdings'), 'ledgerwright_operator_holdings'],
      [t('waiting payments'), 'ledgerwright_treasury_waiting_operations'],
    ]),
  },
  {
    title: t('Traffic left'),
    about: t('Traffic that this node may still use.'),
    unit: 'megabytes',
    values: byLabel(
      TRAFFIC,
      'kind',
      (_before, now, where) => (total(now.metrics, TRAFFIC, where) ?? 0) * MEGABYTES,
    ),
  },
  {
    title: t('Event loop'),
    about: t('Delay of the server’s event loop, median and 99th percentile.'),
    unit: 'ms',
    values: levels(
      [
        [percentText(0.5), 'nodejs_eventloop_lag_p50_seconds'],
        [percentText(0.99), 'nodejs_eventloop_lag_p99_seconds'],
      ],
      1_000,
    ),
  },
  {
    title: t('Memory'),
    about: t('Memory of the process, and the part that JavaScript uses.'),
    unit: 'megabytes',
    values: levels(
      [
        [t('process'), 'process_resident_memory_bytes'],
        [t('heap in use'), 'nodejs_heap_size_used_bytes'],
      ],
      MEGABYTES,
    ),
  },
  {
    title: t('Processor'),
    about: t('Share of one core.'),
    unit: 'percent',
    values: rates([[t('process'), 'process_cpu_seconds_total']], 100),
  },
]

/**
 * What has been seen of a server: the latest readings, and of all that are not too old what the
 * charts say, in their order.
 */
export interface Seen {
  readonly recent: readonly Reading[]
  readonly frames: readonly {
    readonly atMs: number
    readonly charts: readonly (readonly Value[])[]
  }[]
}

/** Rates are over this long at least, so that a single request does not look like a storm. */
const WINDOW_MS = 10_000
const KEPT_MS = 5 * 60_000

/** The frames with one reading more. */
export function withReading({ recent, frames }: Seen, now: Reading): Seen {
  const before = recent.findLast(({ atMs }) => atMs <= now.atMs - WINDOW_MS) ?? recent[0]
  const frame =
    before === undefined
      ? []
      : [{ atMs: now.atMs, charts: CHARTS.map(({ values }) => values(before, now)) }]
  return {
    recent: [...recent.filter(({ atMs }) => atMs >= (before?.atMs ?? 0)), now],
    frames: [...frames.filter(({ atMs }) => atMs > now.atMs - KEPT_MS), ...frame],
  }
}

export interface Line {
  readonly name: string
  /** Points by time, oldest first; none while nothing happens whose time could be taken. */
  readonly points: readonly { readonly atMs: number; readonly value: number }[]
}

/** The lines of the chart at this place of `CHARTS`; none where the server does not measure it. */
export function linesOf({ frames }: Seen, place: number): readonly Line[] {
  const lines = new Map<string, Line['points'][number][]>()
  for (const { atMs, charts } of frames) {
    for (const { line, value } of charts[place] ?? []) {
      const points = lines.get(line) ?? []
      if (value !== undefined) points.push({ atMs, value })
      lines.set(line, points)
    }
  }
  return [...lines].map(([name, points]) => ({ name, points }))
}

const UNITS: Readonly<Record<Unit, string>> = {
  perSecond: '/s',
  ms: ' ms',
  megabytes: t(' MB'),
  count: '',
  percent: t('%'),
}

/** `12.5 ms`: as many digits as a person reads; `–` for nothing. */
export function shownValue(value: number | undefined, unit: Unit): string {
  if (value === undefined || !Number.isFinite(value)) return '–'
  const digits =
    Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString(localeTag(), { maximumFractionDigits: digits }) + UNITS[unit]
}
