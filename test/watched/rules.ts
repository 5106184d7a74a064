// Each alert rule on series that are made up, by promtool: it fires beyond its threshold, not
// before its time, and not within it. What servers really tell is in watched.ts. `npm run
// full:watched`
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { tempDir } from '../support/temp-dir.ts'

const FILE = fileURLToPath(new URL('../../deploy/prometheus/alerts.yml', import.meta.url))
const STEP_SECONDS = 30
const STEPS = 80

/** Series by name and labels, each with promtool's words for its values. */
type Series = Readonly<Record<string, string>>

const constant = (value: number): string => `${value}x${STEPS}`
/** A counter that rises by so much in each step. */
const rising = (step: number): string => `0+${step}x${STEPS}`
/** A counter that rises once, five minutes before the end. */
const ONCE = '0x70 1x10'

const requests = (status: number, operation = 'tap'): string =>
  `http_requests_total{status="${status}",operation="${operation}"}`
const duration = (le: string): string => `http_request_duration_seconds_bucket{le="${le}"}`
const gauge = (name: string, outside: number, within: number): readonly [Series, Series] => [
  { [name]: constant(outside) },
  { [name]: constant(within) },
]

/** Series that make each alert fire, and series that come close to it. */
const CASES: Readonly<Record<string, readonly [fires: Series, quiet: Series]>> = {
  LedgerwrightDown: gauge('up{job="ledgerwright"}', 0, 1),
  LedgerwrightStorageDown: gauge('ledgerwright_plugin_health_ratio{plugin="storage/a"}', 0, 0.5),
  LedgerwrightReplicaUnused: gauge('ledgerwright_replica_in_use{replica="a"}', 0, 1),
  LedgerwrightPluginUnwell: gauge('ledgerwright_plugin_health_ratio{plugin="auth/a"}', 0.5, 1),
  LedgerwrightRequestsFail: [
    { [requests(500)]: rising(2), [requests(200)]: rising(98) },
    {
      [requests(500)]: rising(1),
      [requests(200)]: rising(199),
      [requests(503, 'getReadyz')]: rising(50),
    },
  ],
  LedgerwrightRequestsSlow: [
    { [duration('1')]: rising(90), [duration('+Inf')]: rising(100), [duration('2')]: rising(100) },
    { [duration('1')]: rising(100), [duration('+Inf')]: rising(100) },
  ],
  LedgerwrightRequestsThrottled: [
    { [requests(429)]: rising(10), [requests(200)]: rising(90) },
    { [requests(429)]: rising(4), [requests(200)]: rising(96) },
  ],
  LedgerwrightThreadBusy: gauge('nodejs_eventloop_lag_p99_seconds', 0.3, 0.2),
  LedgerwrightInvariantBroken: [
    { 'ledgerwright_invariant_breaches_total{invariant="overlay"}': ONCE },
    {
      'ledgerwright_invariant_breaches_total{invariant="overlay"}': constant(1),
      'ledgerwright_invariant_breaches_total{invariant="totals"}': ONCE,
    },
  ],
  LedgerwrightTotalsWrong: [
    { 'ledgerwright_invariant_breaches_total{invariant="totals"}': ONCE },
    { 'ledgerwright_invariant_breaches_total{invariant="overlay"}': ONCE },
  ],
  LedgerwrightClockOff: [
    { 'ledgerwright_clock_lead_seconds{clock="server"}': constant(-1.5) },
    {
      'ledgerwright_clock_lead_seconds{clock="server"}': constant(0.9),
      'ledgerwright_clock_lead_seconds{clock="ledger"}': constant(100),
    },
  ],
  LedgerwrightClockInDoubt: gauge('ledgerwright_clock_in_doubt_seconds', 90_000, 0),
  LedgerwrightSubmissionsHang: gauge('ledgerwright_oldest_submission_age_seconds', 11, 9),
  LedgerwrightSubmissionsFail: [
    { 'ledgerwright_submissions_total{outcome="failed"}': rising(1) },
    {
      'ledgerwright_submissions_total{outcome="failed"}': constant(5),
      'ledgerwright_submissions_total{outcome="ok"}': rising(1),
    },
  ],
  LedgerwrightAutomationFails: gauge('ledgerwright_automation_consecutive_failures', 4, 3),
  LedgerwrightRoundsStand: [
    { 'ledgerwright_automation_last_success_timestamp_seconds{automation="rounds"}': constant(0) },
    {
      'ledgerwright_automation_last_success_timestamp_seconds{automation="rounds",instance="a"}':
        constant(0),
      'ledgerwright_automation_last_success_timestamp_seconds{automation="rounds",instance="b"}':
        rising(STEP_SECONDS),
    },
  ],
  LedgerwrightTrafficLow: [
    {
      'ledgerwright_traffic_left_bytes{node="a"}': constant(40_000),
      'ledgerwright_traffic_left_bytes{node="b"}': constant(40_000),
    },
    {
      'ledgerwright_traffic_left_bytes{node="a"}': constant(60_000),
      'ledgerwright_traffic_left_bytes{node="b"}': constant(60_000),
    },
  ],
  LedgerwrightDiskLow: [
    { ledgerwright_data_free_bytes: constant(2e9), ledgerwright_data_size_bytes: constant(1e11) },
    { ledgerwright_data_free_bytes: constant(6e9), ledgerwright_data_size_bytes: constant(1e11) },
  ],
}

const rules = z
  .object({
    groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), for: z.string() })) })),
  })
  .parse(parse(readFileSync(FILE, 'utf8')))
  .groups.flatMap((group) => group.rules)

test('every alert has a case', () => {
  assert.deepEqual(rules.map(({ alert }) => alert).toSorted(), Object.keys(CASES).toSorted())
})

const noTool = spawnSync('promtool', ['--version']).status !== 0 && 'there is no promtool here'

test('alerts fire beyond their thresholds, after their time', { skip: noTool }, async (t) => {
  const { path, remove } = await tempDir()
  t.after(remove)
  const file = join(path, 'rules.test.yml')
  const tests = rules.flatMap(({ alert, for: pending }) => {
    const [fires, quiet] = CASES[alert] ?? [{}, {}]
    const seconds = Number.parseInt(pending, 10)
    const end = STEP_SECONDS * STEPS
    const early = seconds === 0 ? [] : [{ at: seconds - STEP_SECONDS, isFiring: false }]
    return [
      ruleTest(alert, fires, [...early, { at: end, isFiring: true }]),
      ruleTest(alert, quiet, [{ at: end, isFiring: false }]),
    ]
  })
  const every = `${STEP_SECONDS}s`
  writeFileSync(file, stringify({ rule_files: [FILE], evaluation_interval: every, tests }))
  const { status, stderr, stdout } = spawnSync('promtool', ['test', 'rules', file], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
})

interface Expected {
  /** Seconds from the start. */
  readonly at: number
  readonly isFiring: boolean
}

/** One test of promtool's: https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules */
function ruleTest(alert: string, series: Series, expected: readonly Expected[]): object {
  const labelled = Object.entries(series).map(([name, values]) => ({ series: name, values }))
  return {
    name: alert,
    interval: `${STEP_SECONDS}s`,
    input_series: labelled,
    promql_expr_test: expected.map(({ at, isFiring }) => ({
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
      eval_time: `${at}s`,
      exp_samples: isFiring ? [{ labels: '{}', value: 1 }] : [],
    })),
  }
}
