// Sums up a service's answers: healthy or not, and the backlog.
import type { Answers } from './ask.ts'
import type { Samples } from './samples.ts'

/** How an automation fares on the server that was asked. */
interface AutomationReport {
  readonly name: string
  /** Failures since the last success. */
  readonly failures: number
  readonly paused: boolean
  /** Seconds since its last run that did not fail; absent before the first. */
  readonly lastSuccessSeconds?: number
}

export interface StatusReport {
  readonly url: string
  readonly healthy: boolean
  /** The reason why it is not healthy. */
  readonly problem?: string
  /** Faults of a part that is healthy. */
  readonly notes: readonly string[]
  readonly version?: string
  readonly uptimeSeconds?: number
  /** Absent where the service tells no metrics. */
  readonly measured?: Measured
}

/** A copy of the database that scan may read from. */
interface ReplicaReport {
  /** The replica's place. */
  readonly name: string
  /** The reason why it is not read from; absent if it is. */
  readonly problem?: string
  /** How old its answers are at most. */
  readonly ageSeconds?: number
  /** Updates that it lacked when it was last asked; absent if it was never reached. */
  readonly missingUpdates?: number
}

interface Measured {
  /** Name of the storage plugin, and how it is. */
  readonly storage: { readonly name: string; readonly health: Health }
  /** Empty where none is configured. */
  readonly replicas: readonly ReplicaReport[]
  /** Plugins that are not up, other than the storage. */
  readonly unwell: readonly { readonly plugin: string; readonly health: Health }[]
  /** Absent where another node of the process tells of it. */
  readonly submissions?: { readonly underWay: number; readonly oldestSeconds: number }
  /** Operations that wait for coins of their party. */
  readonly waitingForCoins: number
  readonly automations: readonly AutomationReport[]
  /** Names of automations whose last run failed, or that are paused. */
  readonly behind: readonly string[]
}

type Health = 'up' | 'degraded' | 'down'

/** @param nowMs the time of the day, by which ages are reckoned */
export function reportOf(url: string, answers: Answers, nowMs: number): StatusReport {
  const { problem, notes, version, samples } = answers
  const started = samples?.one('process_start_time_seconds')
  return {
    url,
    healthy: problem === undefined,
    ...(problem === undefined ? {} : { problem }),
    notes,
    ...(version === undefined ? {} : { version }),
    ...(started === undefined ? {} : { uptimeSeconds: age(started, nowMs) }),
    ...(samples === undefined ? {} : { measured: measuredIn(samples, nowMs) }),
  }
}

function measuredIn(samples: Samples, nowMs: number): Measured {
  const plugins = Array.from(
    samples.by('ledgerwright_plugin_health_ratio', 'plugin'),
    ([plugin, value]) => ({ plugin, health: healthOf(value) }),
  )
  const storage = plugins.find(({ plugin }) => plugin.startsWith(STORAGE))
  const automations = automationsIn(samples, nowMs)
  const underWay = samples.one('ledgerwright_submissions_under_way')
  const oldestSeconds = samples.one('ledgerwright_oldest_submission_age_seconds') ?? 0
  return {
    storage: {
      name: storage?.plugin.slice(STORAGE.length) ?? '',
      health: storage?.health ?? 'down',
    },
    replicas: replicasIn(samples),
    unwell: plugins.filter(({ plugin, health }) => health !== 'up' && !plugin.startsWith(STORAGE)),
    ...(underWay === undefined ? {} : { submissions: { underWay, oldestSeconds } }),
    waitingForCoins: samples.one('ledgerwright_treasury_waiting_operations') ?? 0,
    automations,
    behind: automations.flatMap(({ name, failures, paused }) =>
      failures > 0 || paused ? [name] : [],
    ),
  }
}

const STORAGE = 'storage/'

function replicasIn(samples: Samples): readonly ReplicaReport[] {
  const ages = samples.by('ledgerwright_replica_age_seconds', 'replica')
  const missing = samples.by('ledgerwright_replica_missing_updates', 'replica')
  return samples.labels('ledgerwright_replica_in_use').map(({ replica = '', reason = '' }) => {
    const [ageSeconds, missingUpdates] = [ages.get(replica), missing.get(replica)]
    return {
      name: replica,
      ...(reason === '' ? {} : { problem: reason }),
      ...(ageSeconds === undefined ? {} : { ageSeconds }),
      ...(missingUpdates === undefined ? {} : { missingUpdates }),
    }
  })
}

function automationsIn(samples: Samples, nowMs: number): readonly AutomationReport[] {
  const paused = samples.by('ledgerwright_automation_paused', 'automation')
  const successes = samples.by(
    'ledgerwright_automation_last_success_timestamp_seconds',
    'automation',
  )
  return Array.from(
    samples.by('ledgerwright_automation_consecutive_failures', 'automation'),
    ([name, failures]) => {
      const success = successes.get(name)
      return {
        name,
        failures,
        paused: paused.get(name) === 1,
        ...(success === undefined ? {} : { lastSuccessSeconds: age(success, nowMs) }),
      }
    },
  )
}

function healthOf(value: number): Health {
  if (value === 1) return 'up'
  return value === 0 ? 'down' : 'degraded'
}

function age(seconds: number, nowMs: number): number {
  return Math.max(0, Math.round(nowMs / 1_000 - seconds))
}
