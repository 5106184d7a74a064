// Every metric of the product in one table: what is counted, how it is named and labelled, and what
// it says. Whoever measures takes name and help from here, and so do the dashboard, the alert rules
// and the page about them. docs/observability.md
import type { Distribution, Measurement } from './measurement.ts'

/** One metric. Names end in their unit, counters in `_total`; all but HTTP's begin alike. */
interface MetricDefinition {
  readonly kind: Measurement['kind']
  /** One line for people. */
  readonly help: string
  readonly labels: readonly string[]
}

const REQUEST_LABELS = ['interface', 'operation', 'status'] as const
const AUTOMATION = ['automation'] as const

export const METRICS = {
  http_requests_total: { kind: 'counter', help: 'Answered requests', labels: REQUEST_LABELS },
  http_request_duration_seconds: {
    kind: 'histogram',
    help: "Time from the request's first byte to its answer",
    labels: REQUEST_LABELS,
  },
  ledgerwright_submissions_total: {
    kind: 'counter',
    help:
      'Submissions to the ledger by outcome: ok, the kind of a rejection, or failed ' +
      'if the store was unreachable or a choice has a fault',
    labels: ['outcome'],
  },
  ledgerwright_submission_retries_total: {
    kind: 'counter',
    help: 'Submissions interpreted again because another commit was faster',
    labels: [],
  },
  ledgerwright_submissions_under_way: {
    kind: 'gauge',
    help: 'Submissions in flight',
    labels: [],
  },
  ledgerwright_oldest_submission_age_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest submission in flight; 0 if there is none',
    labels: [],
  },
  ledgerwright_commit_batch_entries: {
    kind: 'histogram',
    help: 'Updates and reassignments in one commit',
    labels: [],
  },
  ledgerwright_store_commit_duration_seconds: {
    kind: 'histogram',
    help: 'Time of a commit in the store, including failed ones',
    labels: [],
  },
  ledgerwright_clock_lead_seconds: {
    kind: 'gauge',
    help:
      "How far the server's clock, the database's clock and the last record time are ahead of the " +
      "ledger's time; absent with a simulated clock",
    labels: ['clock'],
  },
  ledgerwright_clock_in_doubt_seconds: {
    kind: 'gauge',
    help:
      "By how much the server's clock differs from the ledger's time while nobody has confirmed it; " +
      '0 if it agrees',
    labels: [],
  },
  ledgerwright_invariant_breaches_total: {
    kind: 'counter',
    help: 'Violations of an invariant',
    labels: ['invariant'],
  },
  ledgerwright_audit_comparisons_total: {
    kind: 'counter',
    help: 'Totals that the audit has compared with the sums over contracts',
    labels: [],
  },
  ledgerwright_audit_missed_total: {
    kind: 'counter',
    help: 'Totals that the audit skipped because the ledger changed during every read',
    labels: [],
  },
  ledgerwright_treasury_waiting_operations: {
    kind: 'gauge',
    help: 'Operations that wait for coins of their party',
    labels: [],
  },
  ledgerwright_operator_balance_coins: {
    kind: 'gauge',
    help: 'Coin of the operator, rounded for display',
    labels: ['state'],
  },
  ledgerwright_operator_holdings: {
    kind: 'gauge',
    help: 'Unlocked holdings of the operator',
    labels: [],
  },
  ledgerwright_traffic_left_bytes: {
    kind: 'gauge',
    help: 'Traffic that this node can still use: base allowance and bought traffic',
    labels: ['kind'],
  },
  ledgerwright_traffic_reserved_bytes: {
    kind: 'gauge',
    help: 'Traffic reserved for submissions of high priority',
    labels: [],
  },
  ledgerwright_plugin_health_ratio: {
    kind: 'gauge',
    help: '1 up, 0.5 degraded, 0 down',
    labels: ['plugin'],
  },
  ledgerwright_replica_in_use: {
    kind: 'gauge',
    help:
      '1 if scan reads from this replica of the database, else 0 with the reason: behind, ' +
      'unreachable or another-history',
    labels: ['replica', 'reason'],
  },
  ledgerwright_replica_age_seconds: {
    kind: 'gauge',
    help: 'Maximum age of the answers of a replica; absent if it is not in use',
    labels: ['replica'],
  },
  ledgerwright_replica_missing_updates: {
    kind: 'gauge',
    help: 'Updates that a replica lacked at its last check',
    labels: ['replica'],
  },
  ledgerwright_automation_runs_total: {
    kind: 'counter',
    help: 'Runs on this server',
    labels: AUTOMATION,
  },
  ledgerwright_automation_failures_total: {
    kind: 'counter',
    help: 'Failed runs on this server',
    labels: AUTOMATION,
  },
  ledgerwright_automation_consecutive_failures: {
    kind: 'gauge',
    help: 'Failed runs since the last success',
    labels: AUTOMATION,
  },
  ledgerwright_automation_running: {
    kind: 'gauge',
    help: '1 while a run is in progress',
    labels: AUTOMATION,
  },
  ledgerwright_automation_paused: {
    kind: 'gauge',
    help: '1 if an administrator paused it',
    labels: AUTOMATION,
  },
  ledgerwright_automation_last_success_timestamp_seconds: {
    kind: 'gauge',
    help: 'End of the last successful run; absent before the first',
    labels: AUTOMATION,
  },
  ledgerwright_storage_full: {
    kind: 'gauge',
    help: '1 while the storage has no room to write',
    labels: [],
  },
  ledgerwright_data_free_bytes: {
    kind: 'gauge',
    help: 'Free bytes for the service on the file system of its data folder',
    labels: [],
  },
  ledgerwright_data_size_bytes: {
    kind: 'gauge',
    help: 'Size of the file system of the data folder',
    labels: [],
  },
  ledgerwright_build_info: {
    kind: 'gauge',
    help: 'Always 1; the labels have the versions of the program and of Node',
    labels: ['version', 'node'],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>

export type MetricName = keyof typeof METRICS
export type MetricLabel<N extends MetricName> = (typeof METRICS)[N]['labels'][number]

type OfKind<K extends Measurement['kind']> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends K ? N : never
}[MetricName]

/** Metrics of single numbers. */
export type SampledMetric = OfKind<'counter' | 'gauge'>

/** Metrics of distributions that have no labels. */
export type DistributedMetric = Exclude<OfKind<'histogram'>, 'http_request_duration_seconds'>

interface LabelledSample<N extends MetricName> {
  readonly labels: Readonly<Record<MetricLabel<N>, string>>
  readonly value: number
}

/** Metrics without labels. */
export type SingleMetric = {
  [N in SampledMetric]: MetricLabel<N> extends never ? N : never
}[SampledMetric]

/** The samples of a counter or gauge of the table, with its name and help. */
export function measured<N extends SampledMetric>(
  name: N,
  samples: readonly LabelledSample<N>[],
): Measurement {
  const { kind, help } = METRICS[name]
  return { kind, name, help, samples }
}

/** A histogram of the table, with its name and help. */
export function measuredDistribution(
  name: DistributedMetric,
  distribution: Distribution,
): Measurement {
  return { kind: 'histogram', name, help: METRICS[name].help, distribution }
}
