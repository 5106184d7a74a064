// A report as lines for people, or as variables for a shell.
import { REPLICA_PROBLEMS } from '../../store/read-replica.ts'
import type { StatusReport } from './report.ts'

/** Lines, each ended. */
export function statusText(report: StatusReport): string {
  const { url, healthy, problem, notes, version, uptimeSeconds, measured } = report
  const lines = [
    ['service', `${url} ${healthy ? 'is healthy' : 'is not healthy'}`],
    ...(problem === undefined ? [] : [['problem', problem]]),
    ...notes.map((note) => ['note', note]),
    ...(version === undefined ? [] : [['version', version]]),
    ...(uptimeSeconds === undefined ? [] : [['up for', spanOf(uptimeSeconds)]]),
    ...(measured === undefined ? NO_METRICS : measuredLines(measured)),
  ]
  return lines.map(([label = '', text]) => `${label.padEnd(11)} ${text}\n`).join('')
}

const NO_METRICS = [['metrics', 'none; with the extension "metrics", this shows the backlog']]

function measuredLines(measured: NonNullable<StatusReport['measured']>): readonly string[][] {
  const { storage, replicas, unwell, submissions, waitingForCoins, automations } = measured
  const late = automations.filter(({ name }) => measured.behind.includes(name))
  return [
    ['storage', `${storage.name} is ${storage.health}`],
    ...replicas.map((replica) => ['replica', `${replica.name} ${replicaText(replica)}`]),
    ...unwell.map(({ plugin, health }) => ['plugin', `${plugin} is ${health}`]),
    ['waiting', `${submissionsText(submissions)}${waitingForCoins} operations for coins`],
    ...late.map(({ name, failures, paused, lastSuccessSeconds: last }) => [
      'behind',
      `${name}: ${paused ? 'paused' : `${failures} failures in a row`}, ` +
        (last === undefined ? 'no run has succeeded' : `last success ${spanOf(last)} ago`),
    ]),
    ['automations', `${automations.length - late.length} of ${automations.length} up to date`],
  ]
}

function submissionsText(submissions: Waiting): string {
  if (submissions === undefined) return ''
  const { underWay, oldestSeconds } = submissions
  return `${underWay} submissions, the oldest for ${oldestSeconds.toFixed(1)} s; `
}

type Waiting = NonNullable<StatusReport['measured']>['submissions']

function replicaText({ problem, ageSeconds = 0, missingUpdates }: Replica): string {
  if (problem === undefined) return `is in use, at most ${ageSeconds.toFixed(1)} s old`
  return problem === 'behind' && missingUpdates !== undefined
    ? `is not in use: ${missingUpdates} updates behind`
    : `is not in use: ${PROBLEMS.get(problem) ?? problem}`
}

type Replica = NonNullable<StatusReport['measured']>['replicas'][number]

/** The label of another version may be none of ours. */
const PROBLEMS: ReadonlyMap<string, string> = new Map(Object.entries(REPLICA_PROBLEMS))

/** `NAME='value'` lines that a shell can read. */
export function statusVariables(report: StatusReport): string {
  const { measured } = report
  const values: Readonly<Record<string, string | number | undefined>> = {
    URL: report.url,
    HEALTHY: report.healthy ? 1 : 0,
    PROBLEM: report.problem ?? '',
    NOTES: report.notes.join('; '),
    VERSION: report.version ?? '',
    UPTIME_SECONDS: report.uptimeSeconds,
    STORAGE: measured?.storage.name,
    STORAGE_HEALTH: measured?.storage.health,
    SUBMISSIONS_UNDER_WAY: measured?.submissions?.underWay,
    OLDEST_SUBMISSION_SECONDS: measured?.submissions?.oldestSeconds,
    WAITING_FOR_COINS: measured?.waitingForCoins,
    BEHIND: measured?.behind.join(' '),
    UNUSED_REPLICAS: measured?.replicas.filter(({ problem }) => problem !== undefined).length,
  }
  return Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`LEDGERWRIGHT_${name}=${quoted(value)}\n`],
    )
    .join('')
}

function quoted(value: string | number): string {
  return `'${String(value).replaceAll("'", String.raw`'\''`)}'`
}

const SPANS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
] as const

function spanOf(seconds: number): string {
  const [unit, length] = SPANS.find(([, each]) => seconds >= 2 * each) ?? ['s', 1]
  return `${Math.floor(seconds / length)} ${unit}`
}
