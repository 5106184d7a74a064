// What the dashboard shows, row by row. Each query has a value on a server in use; series that
// may be absent on a healthy server count as 0.
import { Selectors } from './promql.ts'

/** Units of Grafana. */
type Unit = 'short' | 'reqps' | 'ops' | 's' | 'bytes' | 'percentunit' | 'none'

export interface Panel {
  readonly title: string
  /** One sentence. */
  readonly about: string
  readonly unit: Unit
  readonly queries: readonly { readonly expr: string; readonly legend: string }[]
}

export interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

const { of, buckets, count, sum } = bound(new Selectors('instance=~"$instance"'))
/** Period of rates, which Grafana derives from the interval of scrapes. */
const RANGE = '$__rate_interval'

function bound(selectors: Selectors) {
  return {
    of: selectors.of.bind(selectors),
    buckets: selectors.buckets.bind(selectors),
    count: selectors.count.bind(selectors),
    sum: selectors.sum.bind(selectors),
  }
}

const rate = (selector: string): string => `rate(${selector}[${RANGE}])`

function quantiles(selector: string): Panel['queries'] {
  return [0.5, 0.95, 0.99].map((share) => ({
    expr: `histogram_quantile(${share}, sum by (le) (${rate(selector)}))`,
    legend: `${share * 100} %`,
  }))
}

const HEALTH: Row = {
  title: 'Health',
  panels: [
    {
      title: 'Servers',
      about: 'Servers that answer Prometheus, and their versions.',
      unit: 'none',
      queries: [
        {
          expr: `sum by (version, node) (${of('ledgerwright_build_info')})`,
          legend: '{{version}}, Node {{node}}',
        },
      ],
    },
    {
      title: 'Plugins',
      about: '1 is up, 0.5 degraded, 0 down; without storage, no request can be answered.',
      unit: 'none',
      queries: [
        {
          expr: `min by (plugin) (${of('ledgerwright_plugin_health_ratio')})`,
          legend: '{{plugin}}',
        },
      ],
    },
    {
      title: 'Invariants',
      about: 'Violated invariants; any of them needs attention.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (invariant) (increase(${of('ledgerwright_invariant_breaches_total')}[${RANGE}]))`,
          legend: '{{invariant}}',
        },
      ],
    },
    {
      title: 'Clocks',
      about:
        "How far the clocks of server and database and the last record time are ahead of the ledger's time.",
      unit: 's',
      queries: [
        {
          expr: `max by (clock, instance) (${of('ledgerwright_clock_lead_seconds')})`,
          legend: '{{clock}} {{instance}}',
        },
      ],
    },
  ],
}

const REQUESTS: Row = {
  title: 'Requests',
  panels: [
    {
      title: 'Requests',
      about: 'Answered requests by interface.',
      unit: 'reqps',
      queries: [
        {
          expr: `sum by (interface) (${rate(of('http_requests_total'))})`,
          legend: '{{interface}}',
        },
      ],
    },
    {
      title: 'Rejected and failed',
      about: 'Answers with 4xx by status, and with 5xx.',
      unit: 'reqps',
      queries: [
        {
          expr: `sum by (status) (${rate(of('http_requests_total', { status: /4../ }))})`,
          legend: '{{status}}',
        },
        {
          expr: `sum(${rate(of('http_requests_total', { status: /5../ }))}) or vector(0)`,
          legend: '5xx',
        },
      ],
    },
    {
      title: 'Time of requests',
      about: '50th, 95th and 99th percentile.',
      unit: 's',
      queries: quantiles(buckets('http_request_duration_seconds')),
    },
    {
      title: 'Slowest operations',
      about: 'The 99th percentile of the ten slowest operations.',
      unit: 's',
      queries: [
        {
          expr: `topk(10, histogram_quantile(0.99, sum by (le, operation) (${rate(buckets('http_request_duration_seconds'))})))`,
          legend: '{{operation}}',
        },
      ],
    },
  ],
}

const LEDGER: Row = {
  title: 'Ledger',
  panels: [
    {
      title: 'Submissions',
      about: 'Submissions by outcome.',
      unit: 'ops',
      queries: [
        {
          expr: `sum by (outcome) (${rate(of('ledgerwright_submissions_total'))})`,
          legend: '{{outcome}}',
        },
      ],
    },
    {
      title: 'In flight',
      about: 'Submissions in flight, and operations that wait for coins of their party.',
      unit: 'short',
      queries: [
        { expr: `sum(${of('ledgerwright_submissions_under_way')})`, legend: 'submissions' },
        { expr: `sum(${of('ledgerwright_treasury_waiting_operations')})`, legend: 'for coins' },
      ],
    },
    {
      title: 'Oldest submission',
      about: 'Age of the oldest submission in flight; more than a minute violates an invariant.',
      unit: 's',
      queries: [
        {
          expr: `max by (instance) (${of('ledgerwright_oldest_submission_age_seconds')})`,
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Retries',
      about: 'Submissions interpreted again because another commit was faster.',
      unit: 'ops',
      queries: [
        { expr: `sum(${rate(of('ledgerwright_submission_retries_total'))})`, legend: 'retries' },
      ],
    },
    {
      title: 'Commits',
      about: 'Commits of the store, and the updates and reassignments in them.',
      unit: 'ops',
      queries: [
        {
          expr: `sum(${rate(count('ledgerwright_commit_batch_entries'))})`,
          legend: 'commits',
        },
        { expr: `sum(${rate(sum('ledgerwright_commit_batch_entries'))})`, legend: 'entries' },
      ],
    },
    {
      title: 'Time of commits',
      about: '50th, 95th and 99th percentile.',
      unit: 's',
      queries: quantiles(buckets('ledgerwright_store_commit_duration_seconds')),
    },
    {
      title: 'Audit',
      about: 'Totals compared with the sums over contracts, and totals that were skipped.',
      unit: 'ops',
      queries: [
        { expr: `sum(${rate(of('ledgerwright_audit_comparisons_total'))})`, legend: 'compared' },
        { expr: `sum(${rate(of('ledgerwright_audit_missed_total'))})`, legend: 'skipped' },
      ],
    },
    {
      title: 'Replicas',
      about: 'Replicas that scan reads from, and the most updates that a replica lacks.',
      unit: 'short',
      queries: [
        { expr: `sum(${of('ledgerwright_replica_in_use')}) or vector(0)`, legend: 'in use' },
        {
          expr: `max(${of('ledgerwright_replica_missing_updates')}) or vector(0)`,
          legend: 'missing updates',
        },
      ],
    },
  ],
}

const NETWORK: Row = {
  title: 'Operator and traffic',
  panels: [
    {
      title: "Operator's coin",
      about: "The operator's balance, rounded for display.",
      unit: 'short',
      queries: [
        {
          expr: `max by (state) (${of('ledgerwright_operator_balance_coins')})`,
          legend: '{{state}}',
        },
      ],
    },
    {
      title: "Operator's holdings",
      about: 'Unlocked holdings; automations merge them.',
      unit: 'short',
      queries: [{ expr: `max(${of('ledgerwright_operator_holdings')})`, legend: 'holdings' }],
    },
    {
      title: 'Traffic left',
      about:
        'Traffic that this node can still use, and the part reserved for submissions of high priority.',
      unit: 'bytes',
      queries: [
        { expr: `min by (kind) (${of('ledgerwright_traffic_left_bytes')})`, legend: '{{kind}}' },
        { expr: `max(${of('ledgerwright_traffic_reserved_bytes')})`, legend: 'reserved' },
      ],
    },
  ],
}

const AUTOMATIONS: Row = {
  title: 'Automations',
  panels: [
    {
      title: 'Runs',
      about: 'Runs by automation.',
      unit: 'ops',
      queries: [
        {
          expr: `sum by (automation) (${rate(of('ledgerwright_automation_runs_total'))})`,
          legend: '{{automation}}',
        },
      ],
    },
    {
      title: 'Failures',
      about: 'Failed runs, and failed runs in a row.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (automation) (increase(${of('ledgerwright_automation_failures_total')}[${RANGE}]))`,
          legend: '{{automation}}',
        },
        {
          expr: `max by (automation) (${of('ledgerwright_automation_consecutive_failures')})`,
          legend: '{{automation}} in a row',
        },
      ],
    },
    {
      title: 'Since the last success',
      about: 'Time since the last successful run on any server.',
      unit: 's',
      queries: [
        {
          expr: `time() - max by (automation) (${of('ledgerwright_automation_last_success_timestamp_seconds')})`,
          legend: '{{automation}}',
        },
      ],
    },
    {
      title: 'Running and paused',
      about: 'Runs in progress, and automations that an administrator paused.',
      unit: 'short',
      queries: [
        { expr: `sum(${of('ledgerwright_automation_running')})`, legend: 'running' },
        {
          expr: `sum(max by (automation) (${of('ledgerwright_automation_paused')}))`,
          legend: 'paused',
        },
      ],
    },
  ],
}

const PROCESS: Row = {
  title: 'Process',
  panels: [
    {
      title: 'Processor',
      about: 'Share of one core; garbage collection separately.',
      unit: 'percentunit',
      queries: [
        {
          expr: `sum by (instance) (${rate(of('process_cpu_seconds_total'))})`,
          legend: '{{instance}}',
        },
        {
          expr: `sum by (instance) (${rate(of('nodejs_gc_duration_seconds_sum'))})`,
          legend: '{{instance}} garbage',
        },
      ],
    },
    {
      title: 'Memory',
      about: "The process's memory, and JavaScript's part of it.",
      unit: 'bytes',
      queries: [
        { expr: of('process_resident_memory_bytes'), legend: '{{instance}} process' },
        { expr: of('nodejs_heap_size_used_bytes'), legend: '{{instance}} heap' },
      ],
    },
    {
      title: 'Event loop',
      about: "Delay of the server's one thread.",
      unit: 's',
      queries: [
        { expr: of('nodejs_eventloop_lag_p50_seconds'), legend: '{{instance}} 50 %' },
        { expr: of('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}} 99 %' },
      ],
    },
    {
      title: 'Files and disk',
      about: 'Open files and sockets.',
      unit: 'short',
      queries: [{ expr: of('process_open_fds'), legend: '{{instance}}' }],
    },
    {
      title: 'Disk space',
      about: 'Free and total size of the file system of the data folder.',
      unit: 'bytes',
      queries: [
        { expr: of('ledgerwright_data_free_bytes'), legend: '{{instance}} free' },
        { expr: of('ledgerwright_data_size_bytes'), legend: '{{instance}} size' },
      ],
    },
  ],
}

export const ROWS: readonly Row[] = [HEALTH, REQUESTS, LEDGER, NETWORK, AUTOMATIONS, PROCESS]
