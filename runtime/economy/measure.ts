// What there is to see of the economy in numbers: what the engine has done, and how the operator
// stands. docs/operations.md, metrics
import type { Measurement, MeasurementSource } from '../host/measurement.ts'
import { formatDecimal } from '../engine/index.ts'
import type { ClockWatch, Engine, EngineCounts } from '../engine/index.ts'
import type { Audit } from './audit.ts'
import type { Economy } from './economy.ts'
import { trafficLeft } from './traffic.ts'
import type { Treasury } from './treasury/index.ts'

interface Measured {
  readonly economy: Economy
  readonly treasury: Treasury
  /** Absent where the clock is simulated. */
  readonly watch: ClockWatch | undefined
  readonly audit: Pick<Audit, 'compared'>
}

/** The sources: what costs nothing to tell, and what has to be read from the store. */
export function measureEconomy({
  economy,
  treasury,
  watch,
  audit,
}: Measured): readonly MeasurementSource[] {
  return [
    () => [
      ...engineMeasurements(economy.engine.counts),
      ...invariantMeasurements(economy.engine, watch),
      {
        kind: 'counter',
        name: 'totals_audited_total',
        help: 'Totals that the audit has compared with what contracts add up to',
        samples: [{ labels: {}, value: audit.compared }],
      },
      gauge('treasury_waiting', 'Operations that wait for coins of their party', treasury.waiting),
    ],
    () => operatorMeasurements(economy),
  ]
}

function engineMeasurements({
  submissions,
  retries,
  batches,
  commitSeconds,
}: EngineCounts): readonly Measurement[] {
  return [
    {
      kind: 'counter',
      name: 'submissions_total',
      help: 'Submissions to the ledger, by what became of them',
      samples: [...submissions].map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    {
      kind: 'counter',
      name: 'submission_retries_total',
      help: 'Interpretations after the first, since others were faster',
      samples: [{ labels: {}, value: retries }],
    },
    {
      kind: 'histogram',
      name: 'commit_batch_size',
      help: 'Updates and moves that one commit wrote or refused',
      distribution: batches,
    },
    {
      kind: 'histogram',
      name: 'store_commit_duration_seconds',
      help: 'Time that the store took for a commit',
      distribution: commitSeconds,
    },
  ]
}

function invariantMeasurements(
  engine: Engine,
  watch: ClockWatch | undefined,
): readonly Measurement[] {
  const ageSeconds = engine.oldestSubmissionMs() / 1_000
  return [
    gauge(
      'oldest_submission_seconds',
      'Age of the oldest submission under way; 0 where there is none',
      ageSeconds,
    ),
    {
      kind: 'counter',
      name: 'invariant_breaches_total',
      help: 'How often something did not hold that always must',
      samples: [...engine.invariants.counts].map(([invariant, value]) => ({
        labels: { invariant },
        value,
      })),
    },
    ...(watch === undefined
      ? []
      : [
          byKind('clock_lead_seconds', "By how much a time is ahead of the store's clock", 'of', {
            server: Number(watch.lead) / 1_000_000,
            ledger: Number(watch.ledgerLead) / 1_000_000,
          }),
        ]),
  ]
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
  const coins = { unlocked: inCoin(unlocked.amount), locked: inCoin(locked.amount) }
  return [
    byKind(
      'operator_balance_coins',
      'Coin of the operator, to look at, not to reckon with',
      'state',
      coins,
    ),
    gauge('operator_holdings', 'Unlocked holdings of the operator', Number(unlocked.count)),
    byKind('traffic_left_bytes', 'Traffic that this node may still use', 'kind', {
      base: Number(traffic.base),
      extra: Number(traffic.extra),
    }),
    gauge(
      'traffic_reserved_bytes',
      'Traffic that submissions of low priority leave alone',
      Number(traffic.grant.reserved),
    ),
  ]
}

/** A gauge is a floating-point number wherever it is shown. */
function inCoin(amount: bigint): number {
  return Number(formatDecimal(amount))
}

function gauge(name: string, help: string, value: number): Measurement {
  return { kind: 'gauge', name, help, samples: [{ labels: {}, value }] }
}

function byKind(
  name: string,
  help: string,
  label: string,
  values: Readonly<Record<string, number>>,
): Measurement {
  const samples = Object.entries(values).map(([kind, value]) => ({
    labels: { [label]: kind },
    value,
  }))
  return { kind: 'gauge', name, help, samples }
}
