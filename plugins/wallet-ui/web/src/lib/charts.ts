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

/** Lines that this server measures. */
function measured(...values: readonly Value[]): readonly Value[] {
  return values.filter(({ value }) => value !== undefined)
}

interface ChartOf {
  readonly title: string
  /** One sentence. */
  readonly about: string
  readonly unit: Unit
  /** `before` was read some seconds earlier: rates are over the time between. */
  readonly values: (before: Reading, now: Reading) => readonly Value[]
}

const REQUESTS = 'http_requests_total'
const DURATION = 'http_request_duration_seconds'
const COMMIT = 'ledgerwright_store_commit_duration_seconds'
const SUBMISSIONS = 'ledgerwright_submissions_total'
const MEGA = 1_000_000

const withStatus =
  (first: string): Where =>
  ({ status = '' }) =>
    status.startsWith(first)

const inMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000

/** `95%`, `95 %` in German. */
const percentText = (share: number): string =>
  share.toLocaleString(localeTag(), { style: 'percent' })

const scaled = (value: number | undefined, by: number): number | undefined =>
  value === undefined ? undefined : value / by

/**
 * Labels of metrics as people call them. Those of other servers and of refusals stand as they are:
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

function named(label: string): string {
  return NAMES[label] ?? label
}

function quantiles(before: Reading, now: Reading, name: string): readonly Value[] {
  if (!now.metrics.has(`${name}_bucket`)) return []
  return [0.5, 0.95, 0.99].map((share) => ({
    line: percentText(share),
    value: inMs(quantile(before, now, name, share)),
  }))
}

function gauges(now: Reading, name: string, label: string, by = 1): readonly Value[] {
  return valuesOf(now.metrics, name, label).map((one) => ({
    line: named(one),
    value: scaled(
      total(now.metrics, name, (labels) => labels[label] === one),
      by,
    ),
  }))
}

/** Charts in the order in which they are drawn. */
export const CHARTS: readonly ChartOf[] = [
  {
    title: t('Requests'),
    about: t('Answered requests by interface.'),
    unit: 'perSecond',
    values: (before, now) =>
      valuesOf(now.metrics, REQUESTS, 'interface').map((one) => ({
        line: named(one),
        value: rate(before, now, REQUESTS, (labels) => labels['interface'] === one),
      })),
  },
  {
    title: t('Errors'),
    about: t('Requests that were refused (4xx), and those that failed (5xx).'),
    unit: 'perSecond',
    values: (before, now) =>
      measured(
        { line: t('refused'), value: rate(before, now, REQUESTS, withStatus('4')) },
        { line: t('failed'), value: rate(before, now, REQUESTS, withStatus('5')) },
      ),
  },
  {
    title: t('Request latency'),
    about: t('Latency percentiles of requests.'),
    unit: 'ms',
    values: (before, now) => quantiles(before, now, DURATION),
  },
  {
    title: t('Submissions'),
    about: t('Submissions to the ledger, by outcome.'),
    unit: 'perSecond',
    values: (before, now) =>
      valuesOf(now.metrics, SUBMISSIONS, 'outcome').map((one) => ({
        line: named(one),
        value: rate(before, now, SUBMISSIONS, ({ outcome }) => outcome === one),
      })),
  },
  {
    title: t('Commits'),
    about: t('Commits of the store; one can carry many updates.'),
    unit: 'perSecond',
    values: (before, now) =>
      measured({ line: t('commits'), value: rate(before, now, `${COMMIT}_count`) }),
  },
  {
    title: t('Commit latency'),
    about: t('Latency percentiles of commits.'),
    unit: 'ms',
    values: (before, now) => quantiles(before, now, COMMIT),
  },
  {
    title: t('Automation runs'),
    about: t('Runs of all automations on this server, and those that failed.'),
    unit: 'perSecond',
    values: (before, now) =>
      measured(
        { line: t('runs'), value: rate(before, now, 'ledgerwright_automation_runs_total') },
        { line: t('failed'), value: rate(before, now, 'ledgerwright_automation_failures_total') },
      ),
  },
  {
    title: t('Operator’s holdings'),
    about: t('Unlocked holdings of the operator, and payments waiting for coin.'),
    unit: 'count',
    values: (_, now) =>
      measured(
        { line: t('holdings'), value: total(now.metrics, 'ledgerwright_operator_holdings') },
        {
          line: t('waiting payments'),
          value: total(now.metrics, 'ledgerwright_treasury_waiting_operations'),
        },
      ),
  },
  {
    title: t('Traffic left'),
    about: t('Traffic that this node may still use.'),
    unit: 'megabytes',
    values: (_, now) => gauges(now, 'ledgerwright_traffic_left_bytes', 'kind', MEGA),
  },
  {
    title: t('Event loop'),
    about: t('Delay of the server’s event loop, median and 99th percentile.'),
    unit: 'ms',
    values: (_, now) =>
      measured(
        {
          line: percentText(0.5),
          value: inMs(total(now.metrics, 'nodejs_eventloop_lag_p50_seconds')),
        },
        {
          line: percentText(0.99),
          value: inMs(total(now.metrics, 'nodejs_eventloop_lag_p99_seconds')),
        },
      ),
  },
  {
    title: t('Memory'),
    about: t('Memory of the process, and the part that JavaScript uses.'),
    unit: 'megabytes',
    values: (_, now) =>
      measured(
        {
          line: t('process'),
          value: scaled(total(now.metrics, 'process_resident_memory_bytes'), MEGA),
        },
        {
          line: t('heap in use'),
          value: scaled(total(now.metrics, 'nodejs_heap_size_used_bytes'), MEGA),
        },
      ),
  },
  {
    title: t('Processor'),
    about: t('Share of one core.'),
    unit: 'percent',
    values: (before, now) =>
      measured({
        line: t('process'),
        value: scaled(rate(before, now, 'process_cpu_seconds_total'), 0.01),
      }),
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
