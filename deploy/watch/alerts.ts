// Alert rules: critical ones call somebody, warnings can wait until the next morning. The test
// makes each of them fire.
import { Selectors } from './promql.ts'

export interface Alert {
  readonly name: string
  /** `critical`: now. `warning`: today. */
  readonly severity: 'critical' | 'warning'
  readonly expr: string
  /** Seconds that it must hold for. */
  readonly forSeconds: number
  /** One sentence; `{{ $value }}` and labels may stand in it. */
  readonly summary: string
  /** Advice for the alert. */
  readonly advice: string
}

const select = new Selectors()
const HTTP = 'http_requests_total'
const READY = 'getReadyz'

/** How long things take: `scale` makes all times shorter, for a test that has no hours. */
export function alerts(scale = 1): readonly Alert[] {
  const seconds = (value: number): number => Math.max(Math.round(value * scale), 0)
  /** A range; Prometheus needs several scrapes in it. */
  const range = (value: number): string => `[${Math.max(seconds(value), 20)}s]`
  return [...servingAlerts(seconds, range), ...ledgerAlerts(seconds, range), ...roomAlerts(seconds)]
}

type Seconds = (value: number) => number
type Range = (value: number) => string

function servingAlerts(seconds: Seconds, range: Range): readonly Alert[] {
  const rate = (selector: string): string => `rate(${selector}${range(300)})`
  const all = select.of(HTTP, { operation: { not: READY } })
  const failed = select.of(HTTP, { status: /5../, operation: { not: READY } })
  const slow = select.buckets('http_request_duration_seconds')
  return [
    {
      name: 'LedgerwrightDown',
      severity: 'critical',
      expr: `${select.of('up', { job: 'ledgerwright' })} == 0`,
      forSeconds: seconds(60),
      summary: '{{ $labels.instance }} does not answer',
      advice: 'Look at its log and its restarts; run "ledgerwright doctor" on its machine.',
    },
    {
      name: 'LedgerwrightStorageDown',
      severity: 'critical',
      expr: `${select.of('ledgerwright_plugin_health_ratio', { plugin: /storage\/.+/ })} == 0`,
      forSeconds: seconds(30),
      summary: '{{ $labels.instance }} does not reach its storage',
      advice: 'Look at the database; the service recovers on its own once the database is back.',
    },
    {
      name: 'LedgerwrightPluginUnwell',
      severity: 'warning',
      expr: `${select.of('ledgerwright_plugin_health_ratio')} < 1`,
      forSeconds: seconds(600),
      summary: '{{ $labels.plugin }} of {{ $labels.instance }} is not up',
      advice: '"ledgerwright status" and the log say why.',
    },
    {
      name: 'LedgerwrightRequestsFail',
      severity: 'critical',
      expr: `sum by (instance) (${rate(failed)}) / sum by (instance) (${rate(all)}) > 0.01`,
      forSeconds: seconds(120),
      summary: '{{ $value | humanizePercentage }} of the requests to {{ $labels.instance }} fail',
      advice: 'The log has each with its trace id.',
    },
    {
      name: 'LedgerwrightRequestsSlow',
      severity: 'warning',
      expr: `histogram_quantile(0.99, sum by (instance, le) (${rate(slow)})) > 1`,
      forSeconds: seconds(300),
      summary:
        'One request in a hundred takes {{ $value | humanizeDuration }} on {{ $labels.instance }}',
      advice: 'Compare the times of commits (the database) and of the event loop (this process).',
    },
    {
      name: 'LedgerwrightRequestsThrottled',
      severity: 'warning',
      expr:
        `sum by (instance) (${rate(select.of(HTTP, { status: '429' }))})` +
        ` / sum by (instance) (${rate(all)}) > 0.05`,
      forSeconds: seconds(600),
      summary:
        '{{ $value | humanizePercentage }} of the requests to {{ $labels.instance }} get 429',
      advice: 'A caller exceeds a quota, or no traffic is left: docs/configuration.md, Quotas.',
    },
    {
      name: 'LedgerwrightThreadBusy',
      severity: 'warning',
      expr: `${select.of('nodejs_eventloop_lag_p99_seconds')} > 0.25`,
      forSeconds: seconds(300),
      summary: 'The thread of {{ $labels.instance }} is late by {{ $value | humanizeDuration }}',
      advice: 'Add a server, or find the slow automation or page.',
    },
  ]
}

function ledgerAlerts(seconds: Seconds, range: Range): readonly Alert[] {
  const breaches = (matches?: Parameters<typeof breachesOf>[0]): string =>
    `increase(${breachesOf(matches)}${range(600)}) > 0`
  const failed = select.of('ledgerwright_submissions_total', { outcome: 'failed' })
  return [
    {
      name: 'LedgerwrightInvariantBroken',
      severity: 'critical',
      expr: breaches({ invariant: { not: 'totals' } }),
      forSeconds: 0,
      summary: '{{ $labels.invariant }} is violated on {{ $labels.instance }}',
      advice: 'See docs/operations.md, Invariants, before you restart.',
    },
    {
      name: 'LedgerwrightTotalsWrong',
      severity: 'critical',
      expr: breaches({ invariant: 'totals' }),
      forSeconds: 0,
      summary: '{{ $labels.instance }} found a total that differs from the sum over contracts',
      advice:
        'Take a backup, then run "ledgerwright verify"; do not repair anything before you know the cause.',
    },
    {
      name: 'LedgerwrightClockOff',
      severity: 'warning',
      expr: `abs(${select.of('ledgerwright_clock_lead_seconds', { clock: /server|database/ })}) > 1`,
      forSeconds: seconds(60),
      summary:
        "The {{ $labels.clock }}'s clock is {{ $value }} s off the ledger's time on {{ $labels.instance }}",
      advice: 'Keep all machines on NTP.',
    },
    {
      name: 'LedgerwrightClockInDoubt',
      severity: 'critical',
      expr: `${select.of('ledgerwright_clock_in_doubt_seconds')} > 0`,
      forSeconds: seconds(60),
      summary:
        'The clock of {{ $labels.instance }} has stepped by {{ $value | humanizeDuration }}, and nobody has confirmed it',
      advice:
        'Look at the clock of its machine: docs/operations.md, Clocks. If it is right, restart with --accept-clock, or wait.',
    },
    {
      name: 'LedgerwrightReplicaUnused',
      severity: 'warning',
      expr: `${select.of('ledgerwright_replica_in_use')} == 0`,
      forSeconds: seconds(600),
      summary:
        '{{ $labels.instance }} does not read from {{ $labels.replica }}: {{ $labels.reason }}',
      advice:
        'The primary answers instead; "ledgerwright doctor" shows how far behind the replica is.',
    },
    {
      name: 'LedgerwrightSubmissionsHang',
      severity: 'critical',
      expr: `${select.of('ledgerwright_oldest_submission_age_seconds')} > 10`,
      forSeconds: seconds(30),
      summary:
        'A submission of {{ $labels.instance }} has been in flight for {{ $value | humanizeDuration }}',
      advice: 'Look at the database: a lock, a full disk, a standby that does not confirm.',
    },
    {
      name: 'LedgerwrightSubmissionsFail',
      severity: 'critical',
      expr: `increase(${failed}${range(300)}) > 0`,
      forSeconds: seconds(60),
      summary:
        'Submissions of {{ $labels.instance }} fail: storage is unreachable, or a choice has a fault',
      advice: 'The log has the cause; callers can retry with the same id.',
    },
    {
      name: 'LedgerwrightAutomationFails',
      severity: 'warning',
      expr: `${select.of('ledgerwright_automation_consecutive_failures')} > 3`,
      forSeconds: seconds(60),
      summary:
        '{{ $labels.automation }} has failed {{ $value }} times in a row on {{ $labels.instance }}',
      advice: 'Its last error is in the log and in the list of automations.',
    },
    {
      name: 'LedgerwrightRoundsStand',
      severity: 'critical',
      expr:
        `time() - max by (job) (${select.of('ledgerwright_automation_last_success_timestamp_seconds', { automation: 'rounds' })})` +
        ` > ${Math.max(seconds(1_200), 5)}`,
      forSeconds: seconds(60),
      summary: 'The automation "rounds" has not succeeded for {{ $value | humanizeDuration }}',
      advice: 'Check whether "rounds" is paused, and which server should run it.',
    },
  ]
}

function breachesOf(
  matches?: Parameters<typeof select.of<'ledgerwright_invariant_breaches_total'>>[1],
): string {
  return select.of('ledgerwright_invariant_breaches_total', matches)
}

function roomAlerts(seconds: Seconds): readonly Alert[] {
  const free = select.of('ledgerwright_data_free_bytes')
  const size = select.of('ledgerwright_data_size_bytes')
  return [
    {
      name: 'LedgerwrightTrafficLow',
      severity: 'critical',
      expr: `sum by (instance) (${select.of('ledgerwright_traffic_left_bytes')}) < 100000`,
      forSeconds: seconds(60),
      summary: '{{ $labels.instance }} has only {{ $value | humanize }}B of traffic left',
      advice: 'Buy traffic, or turn on the automation "topup"; about five payments are left.',
    },
    {
      name: 'LedgerwrightStorageFull',
      severity: 'critical',
      expr: `${select.of('ledgerwright_storage_full')} == 1`,
      forSeconds: seconds(10),
      summary: 'The storage of {{ $labels.instance }} is full',
      advice:
        'Free space: writes are refused until then, nothing is lost, and they resume by themselves.',
    },
    {
      name: 'LedgerwrightDiskLow',
      severity: 'critical',
      expr: `${free} / ${size} < 0.05 or ${free} < 1073741824`,
      forSeconds: seconds(300),
      summary: 'The disk of the data folder of {{ $labels.instance }} is almost full',
      advice: 'Free space, or prune; with a full disk, commits are rejected, but nothing is lost.',
    },
  ]
}
