// Supervises one automation: never two runs at once, a time limit on each, and after failures a
// pause that doubles, with jitter and a cap. Nothing here can reach a request: a run's error ends
// in its status and in the log.
import type {
  AutomationRun,
  AutomationService,
  AutomationStatus,
  AutomationWorld,
  HealthReport,
  HostClock,
  ScheduledTask,
  SchedulerService,
} from './plugin.ts'
import type { ContractRecord } from '../store/store.ts'
import type { Logger } from './log.ts'
import type { Random } from './clock.ts'
import type { Spans } from './spans.ts'
import { isoOf, nowMs } from './clock.ts'
import { onBehalfOf } from './attribution.ts'
import type { Owner } from './attribution.ts'
import { messageOf } from './problem.ts'
import { within } from './deadline.ts'

interface AutomationLimits {
  /**
   * Where an automation names none: a run that takes longer is told to stop and counts as failed.
   */
  readonly runMs: number
  /** The longest pause after failures. */
  readonly backoffCapMs: number
}

interface AutomationOptions {
  readonly name: string
  readonly owner: Owner
  /** What its definition says of it. */
  readonly about: Pick<AutomationStatus, 'summary' | 'topic'>
  readonly service: AutomationService
  readonly run: Omit<AutomationRun, 'signal' | 'services'>
  readonly clock: HostClock
  readonly random: Random
  readonly log: Logger
  readonly limits: AutomationLimits
  /** Absent where no plugin gathers them. */
  readonly spans?: Spans | undefined
}

export interface SupervisedAutomation {
  /**
   * Hands it to the scheduler. With `world` it runs with what the services offer, also when they
   * wake it.
   */
  begin(scheduler: SchedulerService, world?: AutomationWorld): void
  /**
   * One run outside its interval, also where it is paused or held back. Answers false where it runs
   * already or has not begun.
   */
  runNow(): boolean
  end(): void
  status(): AutomationStatus
  health(): HealthReport
}

interface RunState {
  running: boolean
  paused: boolean
  /** Something woke it while it was running. */
  again: boolean
  /** How many times it works on what was created. */
  underWay: number
  runs: number
  failures: number
  consecutive: number
  lastRunMs: number | undefined
  lastSuccessMs: number | undefined
  lastError: string | undefined
  /** By the clock that only rises: nobody who puts the other one back holds an automation back. */
  nextRunAt: number | undefined
}

interface Machine {
  readonly options: AutomationOptions
  readonly state: RunState
  readonly stopping: AbortController
  everyMs: number
  world: AutomationWorld | undefined
  scheduled: ScheduledTask | undefined
}

/** Where neither the automation nor the services name an interval. */
const DEFAULT_EVERY_MS = 1_000

/** A tick this much before its time is taken: the next one would come a whole interval later. */
const EARLY_MS = 50

/** So many times at once it works on what was created, and no more. */
const MAX_UNDER_WAY = 256

const FRESH: RunState = {
  running: false,
  paused: false,
  again: false,
  underWay: 0,
  runs: 0,
  failures: 0,
  consecutive: 0,
  lastRunMs: undefined,
  lastSuccessMs: undefined,
  lastError: undefined,
  nextRunAt: undefined,
}

/**
 * Wraps an automation; `begin` hands it to the scheduler, `end` aborts a run in progress and
 * cancels the schedule.
 */
export function superviseAutomation(options: AutomationOptions): SupervisedAutomation {
  const {
    name,
    clock,
    service: { trigger },
  } = options
  const state = { ...FRESH }
  const machine: Machine = {
    options,
    state,
    stopping: new AbortController(),
    everyMs: trigger.everyMs ?? DEFAULT_EVERY_MS,
    world: undefined,
    scheduled: undefined,
  }
  const unwatch: (() => void)[] = []
  return {
    begin: (scheduler, world) => {
      machine.world = world
      machine.everyMs = trigger.everyMs ?? world?.everyMs ?? DEFAULT_EVERY_MS
      state.nextRunAt = clock.monotonicMs() + machine.everyMs
      machine.scheduled = scheduler.schedule(name, machine.everyMs, (signal) =>
        tick(machine, signal),
      )
      if (world !== undefined) unwatch.push(...watch(machine, world))
    },
    runNow: () => {
      const {
        scheduled,
        stopping: { signal },
      } = machine
      if (state.running || scheduled === undefined || signal.aborted) return false
      void runWhileWoken(machine, signal)
      return true
    },
    end: () => {
      for (const stop of unwatch) stop()
      machine.scheduled?.cancel()
      machine.stopping.abort(new Error('the host stops'))
    },
    status: () => statusOf(options, state, machine.scheduled?.here?.() ?? true),
    health: () => healthOf(state),
  }
}

async function tick(machine: Machine, signal: AbortSignal): Promise<void> {
  const { options, state, stopping } = machine
  const isHeldBack = options.clock.monotonicMs() < pauseEnd(state, machine.everyMs)
  if (
    state.running ||
    isHeldBack ||
    (machine.world !== undefined && (await isPaused(machine))) ||
    state.running
  )
    return
  const stop = AbortSignal.any([signal, stopping.signal])
  if (!stop.aborted) await runWhileWoken(machine, stop)
}

/** A store that cannot be asked stops nothing: the run will say so by itself. */
async function isPaused({ options, state, world }: Machine): Promise<boolean> {
  state.paused = (await world?.isPaused(options.name).catch(() => false)) ?? false
  return state.paused
}

function watch(machine: Machine, world: AutomationWorld): readonly (() => void)[] {
  const {
    service: {
      trigger: { onCreated = [], onRound = false },
    },
  } = machine.options
  return [
    ...(onCreated.length === 0
      ? []
      : [world.onCreated(onCreated, (contracts) => void wakeFor(machine, contracts))]),
    ...(onRound ? [world.onRound(() => void wake(machine))] : []),
  ]
}

/**
 * A run soon: after the one in progress, or at once. One that is held back after failures stays so.
 */
async function wake(machine: Machine): Promise<void> {
  const { state, stopping } = machine
  if (state.running) state.again = true
  if (
    state.running ||
    state.consecutive > 0 ||
    stopping.signal.aborted ||
    (await isPaused(machine)) ||
    state.running
  )
    return
  await runWhileWoken(machine, stopping.signal)
}

/** Once, and once more for what woke it meanwhile. */
async function runWhileWoken(machine: Machine, stop: AbortSignal): Promise<void> {
  const { state } = machine
  const isWoken = async (): Promise<boolean> =>
    state.again &&
    state.consecutive === 0 &&
    !(await isPaused(machine)) &&
    !state.running &&
    !stop.aborted
  do {
    state.again = false
    await runOnce(machine, stop)
  } while (await isWoken())
}

/**
 * Where very many come at once, or what was begun for them does not end, a run is enough for all
 * the others: it finds them.
 */
async function wakeFor(machine: Machine, contracts: readonly ContractRecord[]): Promise<void> {
  const {
    options: { service, name, log, limits },
    state,
  } = machine
  if (service.runFor === undefined || state.underWay >= MAX_UNDER_WAY) return wake(machine)
  const expiry = new AbortController()
  state.underWay += 1
  const ended = runFor(machine, contracts, expiry.signal).finally(() => (state.underWay -= 1))
  const result = await within(service.runMs ?? limits.runMs, () => ended)
  if (result.ok) return
  expiry.abort(result.error)
  state.failures += 1
  state.lastError = messageOf(result.error)
  log.warn(
    { automation: name, err: result.error },
    'automation failed for new contracts; the next run retries',
  )
}

async function runFor(
  machine: Machine,
  contracts: readonly ContractRecord[],
  expiry: AbortSignal,
): Promise<void> {
  const {
    options: { service, name, owner, spans },
    stopping,
  } = machine
  if (stopping.signal.aborted || (await isPaused(machine))) return
  const context = contextOf(machine, AbortSignal.any([stopping.signal, expiry]))
  const work = async (): Promise<void> => service.runFor?.(contracts, context)
  await onBehalfOf(owner, () => inSpan(spans, name, work))
}

function inSpan<T>(spans: Spans | undefined, name: string, work: () => Promise<T>): Promise<T> {
  return spans === undefined ? work() : spans.begin({ name: `automation ${name}` }, work)
}

function contextOf({ options, world }: Machine, signal: AbortSignal): AutomationRun {
  return { ...options.run, services: world?.services, signal }
}

/** Ticks come `everyMs` apart on their own; only a pause after failures holds one back. */
function pauseEnd(state: RunState, everyMs: number): number {
  return state.consecutive === 0 ? 0 : (state.nextRunAt ?? 0) - Math.min(everyMs / 2, EARLY_MS)
}

async function runOnce(machine: Machine, stop: AbortSignal): Promise<void> {
  const { options, state } = machine
  const { service, limits, log, name, owner, spans } = options
  const expiry = new AbortController()
  const startedAt = options.clock.monotonicMs()
  Object.assign(state, {
    running: true,
    runs: state.runs + 1,
    lastRunMs: nowMs(options.clock),
    nextRunAt: undefined,
  })
  const context = contextOf(machine, AbortSignal.any([stop, expiry.signal]))
  const ended = onBehalfOf(owner, () =>
    inSpan(spans, name, async () => service.run(context)),
  ).finally(() => (state.running = false))
  const result = await within(service.runMs ?? limits.runMs, () => ended)
  if (result.ok) state.lastSuccessMs = nowMs(options.clock)
  else {
    expiry.abort(result.error)
    state.failures += 1
    state.lastError = messageOf(result.error)
    log.warn(
      { automation: name, err: result.error, failures: state.consecutive + 1 },
      'automation run failed',
    )
  }
  state.consecutive = result.ok ? 0 : state.consecutive + 1
  state.nextRunAt = Math.max(
    startedAt + pauseMs(machine, state.consecutive),
    options.clock.monotonicMs(),
  )
}

/**
 * The interval after success; after n failures the interval doubled n times, capped, of which 50 to
 * 100 % by chance.
 */
function pauseMs({ options, everyMs }: Machine, consecutive: number): number {
  if (consecutive === 0) return everyMs
  const doubled = Math.min(
    everyMs * 2 ** Math.min(consecutive, 30),
    Math.max(options.limits.backoffCapMs, everyMs),
  )
  return Math.max(everyMs, Math.round(doubled * (0.5 + options.random() / 2)))
}

function statusOf(
  { name, about: { summary, topic }, clock }: AutomationOptions,
  state: RunState,
  here: boolean,
): AutomationStatus {
  return {
    name,
    ...(summary === undefined ? {} : { summary }),
    ...(topic === undefined ? {} : { topic }),
    ...(here ? {} : { elsewhere: true }),
    ...(state.paused ? { paused: true } : {}),
    running: state.running,
    runs: state.runs,
    failures: state.failures,
    consecutiveFailures: state.consecutive,
    ...(state.lastRunMs === undefined ? {} : { lastRun: isoOf(state.lastRunMs) }),
    ...(state.lastSuccessMs === undefined ? {} : { lastSuccess: isoOf(state.lastSuccessMs) }),
    ...(state.lastError === undefined ? {} : { lastError: state.lastError }),
    ...(state.nextRunAt === undefined || !here
      ? {}
      : { nextRun: isoOf(nowMs(clock) + state.nextRunAt - clock.monotonicMs()) }),
  }
}

function healthOf(state: RunState): HealthReport {
  if (state.consecutive === 0) return { status: 'up' }
  const stuck = state.running ? ', and the run has not ended' : ''
  return {
    status: 'degraded',
    detail: `failed ${state.consecutive} times: ${state.lastError ?? ''}${stuck}`,
  }
}
