// Background work of the services themselves: supervised as an automation is, so that a failure ends in the log, a growing
// pause and the health report.
import type { Store } from '../store/store.ts'
import type { AutomationLimits, SupervisedAutomation } from './automation.ts'
import type { Random } from './clock.ts'
import type { Probe } from './health.ts'
import type { Logger } from './log.ts'
import type { Clock } from './plugin.ts'
import { superviseAutomation } from './automation.ts'

/** Work to be done every `everyMs`; safe to run twice, and on several servers at once. */
export interface BackgroundTask {
  /** Unique among tasks and automations. */
  readonly name: string
  readonly everyMs: number
  run(signal: AbortSignal): Promise<void>
}

export interface SupervisedTask {
  /** `task/name`. */
  readonly id: string
  readonly automation: SupervisedAutomation
}

export interface Supervision {
  readonly store: Store
  readonly log: Logger
  readonly clock: Clock
  readonly random: Random
  readonly limits: AutomationLimits
}

/** A task under supervision; it begins when it is handed a scheduler. */
export function superviseTask({ name, everyMs, run }: BackgroundTask, supervision: Supervision): SupervisedTask {
  const { store, log, clock, random, limits } = supervision
  const id = `task/${name}`
  const own = log.child({ task: name })
  return {
    id,
    automation: superviseAutomation({
      name, service: { trigger: { everyMs }, run: ({ signal }) => run(signal) }, run: { store, log: own, clock }, clock, random,
      log: own, limits,
    }),
  }
}

/** A task in the health report: requests can be answered without it. */
export function taskProbe({ id, automation }: SupervisedTask): Probe {
  return { id, essential: false, service: undefined, failure: undefined, automation }
}
