// Supervises one automation: never two runs at once, a time limit on each, and after failures a pause that doubles, with
// jitter and a cap. Nothing here can reach a request: a run's error ends in its status and in the log.
import type {
  AutomationRun, AutomationService, AutomationStatus, Clock, HealthReport, ScheduledTask, SchedulerService,
} from './plugin.ts'
import type { Logger } from './log.ts'
import type { Random } from './clock.ts'
import { isoOf, nowMs } from './clock.ts'
import { onBehalfOf } from './attribution.ts'
import { messageOf } from './problem.ts'
import { within } from './deadline.ts'

export interface AutomationLimits {
  /** A run that takes longer is told to stop and counts as failed. */
  readonly runMs: number
  /** The longest pause after failures. */
  readonly backoffCapMs: number
}

export interface AutomationOptions {
  readonly name: string
  readonly service: AutomationService
  readonly run: Omit<AutomationRun, 'signal'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly limits: AutomationLimits
}

export interface SupervisedAutomation {
  begin(scheduler: SchedulerService): void
  end(): void
  status(): AutomationStatus
  health(): HealthReport
}

interface RunState {
  running: boolean
  runs: number
  failures: number
  consecutive: number
  lastRunMs: number | undefined
  lastError: string | undefined
  nextRunMs: number | undefined
}

/** A tick this much before its time is taken: the next one would come a whole interval later. */
const EARLY_MS = 50

/** Wraps an automation; `begin` hands it to the scheduler, `end` aborts a run in progress and cancels the schedule. */
export function superviseAutomation(options: AutomationOptions): SupervisedAutomation {
  const everyMs = options.service.trigger.everyMs
  const stopping = new AbortController()
  let scheduled: ScheduledTask | undefined
  const state: RunState = {
    running: false, runs: 0, failures: 0, consecutive: 0, lastRunMs: undefined, lastError: undefined, nextRunMs: undefined,
  }
  const tick = async (signal: AbortSignal): Promise<void> => {
    if (state.running || nowMs(options.clock) < pauseEnd(state, everyMs)) return
    await runOnce(options, state, AbortSignal.any([signal, stopping.signal]))
  }
  return {
    begin: (scheduler) => {
      state.nextRunMs = nowMs(options.clock) + everyMs
      scheduled = scheduler.schedule(options.name, everyMs, tick)
    },
    end: () => {
      scheduled?.cancel()
      stopping.abort(new Error('the host stops'))
    },
    status: () => statusOf(options.name, state, scheduled?.here?.() ?? true),
    health: () => healthOf(state),
  }
}

/** Ticks come `everyMs` apart on their own; only a pause after failures holds one back. */
function pauseEnd(state: RunState, everyMs: number): number {
  return state.consecutive === 0 ? 0 : (state.nextRunMs ?? 0) - Math.min(everyMs / 2, EARLY_MS)
}

async function runOnce(options: AutomationOptions, state: RunState, stop: AbortSignal): Promise<void> {
  const { service, limits, log, name } = options
  const expiry = new AbortController()
  const startMs = nowMs(options.clock)
  Object.assign(state, { running: true, runs: state.runs + 1, lastRunMs: startMs, nextRunMs: undefined })
  const ended = onBehalfOf(`automation/${name}`, async () =>
    service.run({ ...options.run, signal: AbortSignal.any([stop, expiry.signal]) }),
  ).finally(() => (state.running = false))
  const result = await within(limits.runMs, () => ended)
  if (!result.ok) {
    expiry.abort(result.error)
    state.failures += 1
    state.lastError = messageOf(result.error)
    log.warn({ automation: name, err: result.error, failures: state.consecutive + 1 }, 'automation run failed')
  }
  state.consecutive = result.ok ? 0 : state.consecutive + 1
  state.nextRunMs = Math.max(startMs + pauseMs(options, state.consecutive), nowMs(options.clock))
}

/** The interval after success; after n failures the interval doubled n times, capped, of which 50 to 100 % by chance. */
function pauseMs(options: AutomationOptions, consecutive: number): number {
  const everyMs = options.service.trigger.everyMs
  if (consecutive === 0) return everyMs
  const doubled = Math.min(everyMs * 2 ** Math.min(consecutive, 30), Math.max(options.limits.backoffCapMs, everyMs))
  return Math.max(everyMs, Math.round(doubled * (0.5 + options.random() / 2)))
}

function statusOf(name: string, state: RunState, here: boolean): AutomationStatus {
  return {
    name,
    ...(here ? {} : { elsewhere: true }),
    running: state.running,
    runs: state.runs,
    failures: state.failures,
    consecutiveFailures: state.consecutive,
    ...(state.lastRunMs === undefined ? {} : { lastRun: isoOf(state.lastRunMs) }),
    ...(state.lastError === undefined ? {} : { lastError: state.lastError }),
    ...(state.nextRunMs === undefined || !here ? {} : { nextRun: isoOf(state.nextRunMs) }),
  }
}

function healthOf(state: RunState): HealthReport {
  if (state.consecutive === 0) return { status: 'up' }
  const stuck = state.running ? ', and the run has not ended' : ''
  return { status: 'degraded', detail: `failed ${state.consecutive} times: ${state.lastError ?? ''}${stuck}` }
}
