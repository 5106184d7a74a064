// The economy in numbers: the work of the engine, and the operator's funds. docs/operations.md,
// metrics
import type { Measurement, MeasurementSource } from '../host/measurement.ts'
import { measured, measuredDistribution } from '../host/metrics.ts'
import type { SingleMetric } from '../host/metrics.ts'
import { formatDecimal } from '../engine/index.ts'
import type { RecordClock, Engine } from '../engine/index.ts'
import type { Audit } from './audit.ts'
import type { Economy } from './economy.ts'
import { trafficLeft } from './traffic.ts'
import type { Treasury } from './treasury/index.ts'
import type { ReadReplica } from '../store/read-replica.ts'

interface Measured {
  readonly economy: Economy
  readonly treasury: Treasury
  /** Absent where the clock is simulated. */
  readonly watch: RecordClock | undefined
  readonly audit: Pick<Audit, 'compared' | 'missed'>
  readonly replicas: readonly ReadReplica[] | undefined
  /** The first node of a process tells of the process: sums over nodes would count it twice. */
  readonly isFirst: boolean
}

/** The sources: what costs nothing to tell, and what has to be read from the store. */
export function measureEconomy({
  economy,
  treasury,
  watch,
  audit,
  replicas = [],
  isFirst,
}: Measured): readonly MeasurementSource[] {
  const { engine } = economy
  const ofProcess = () => [
    ...engineMeasurements(engine),
    ...invariantMeasurements(engine, watch),
    ...replicaMeasurements(replicas),
    single('ledgerwright_audit_comparisons_total', audit.compared),
    single('ledgerwright_audit_missed_total', audit.missed),
  ]
  return [
    () => [
      ...submissionMeasurements(engine),
      single('ledgerwright_treasury_waiting_operations', treasury.waiting),
    ],
    ...(isFirst ? [ofProcess] : []),
    () => operatorMeasurements(economy),
  ]
}

function submissionMeasurements({
  counts: { submissions, retries },
}: Engine): readonly Measurement[] {
  return [
    measured(
      'ledgerwright_submissions_total',
      [...submissions].map(([outcome, value]) => ({ labels: { outcome }, value })),
    ),
    single('ledgerwright_submission_retries_total', retries),
  ]
}

function engineMeasurements(engine: Engine): readonly Measurement[] {
  const { batches, commitSeconds } = engine.counts
  return [
    single('ledgerwright_submissions_under_way', engine.submissionsUnderWay),
    single('ledgerwright_oldest_submission_age_seconds', engine.oldestSubmissionMs() / 1_000),
    measuredDistribution('ledgerwright_commit_batch_entries', batches),
    measuredDistribution('ledgerwright_store_commit_duration_seconds', commitSeconds),
  ]
}

function invariantMeasurements(
  engine: Engine,
  watch: RecordClock | undefined,
): readonly Measurement[] {
  const breaches = measured(
    'ledgerwright_invariant_breaches_total',
    [...engine.invariants.counts].map(([invariant, value]) => ({ labels: { invariant }, value })),
  )
  if (watch === undefined) return [breaches]
  const { lead, storeLead, ledgerLead, inDoubt } = watch
  const leads = { server: lead, database: storeLead, ledger: ledgerLead }
  return [
    breaches,
    measured(
      'ledgerwright_clock_lead_seconds',
      Object.entries(leads).map(([clock, value]) => ({
        labels: { clock },
        value: inSeconds(value),
      })),
    ),
    single('ledgerwright_clock_in_doubt_seconds', inSeconds(inDoubt)),
  ]
}

function inSeconds(micros: bigint): number {
  return Number(micros) / 1_000_000
}

function replicaMeasurements(replicas: readonly ReadReplica[]): readonly Measurement[] {
  const ages = replicas.flatMap((one) => sampleOf(one, one.ageMs()))
  return [
    measured(
      'ledgerwright_replica_in_use',
      replicas.map((one) => {
        const reason = one.problem()
        const labels = { replica: one.location, reason: reason ?? '' }
        return { labels, value: reason === undefined ? 1 : 0 }
      }),
    ),
    measured(
      'ledgerwright_replica_age_seconds',
      ages.map(({ labels, value }) => ({ labels, value: value / 1_000 })),
    ),
    measured(
      'ledgerwright_replica_missing_updates',
      replicas.flatMap((one) => sampleOf(one, one.missing)),
    ),
  ]
}

function sampleOf(
  { location: replica }: ReadReplica,
  value: bigint | number | undefined,
): readonly { readonly labels: { readonly replica: string }; readonly value: number }[] {
  return value === undefined ? [] : [{ labels: { replica }, value: Number(value) }]
}

async function operatorMeasurements(economy: Economy): Promise<readonly Measurement[]> {
  const {
    reader,
    parties: { operator },
  } = economy
  const [unlocked, locked, traffic] = await Promise.all([
    reader.total('unlocked', operator),
    reader.total('locked', operator),
    trafficLeft(economy),
  ])
  return [
    measured('ledgerwright_operator_balance_coins', [
      { labels: { state: 'unlocked' }, value: inCoin(unlocked.amount) },
      { labels: { state: 'locked' }, value: inCoin(locked.amount) },
    ]),
    single('ledgerwright_operator_holdings', Number(unlocked.count)),
    measured('ledgerwright_traffic_left_bytes', [
      { labels: { kind: 'base' }, value: Number(traffic.base) },
      { labels: { kind: 'extra' }, value: Number(traffic.extra) },
    ]),
    single('ledgerwright_traffic_reserved_bytes', Number(traffic.grant.reserved)),
  ]
}

/** A gauge is a floating-point number wherever it is shown. */
function inCoin(amount: bigint): number {
  return Number(formatDecimal(amount))
}

/** A metric without labels. */
function single(name: SingleMetric, value: number): Measurement {
  return measured(name, [{ labels: {}, value }])
}
