// Supervises one automation: woken by commits, by times and by its interval, never two runs at
// once, a time limit on each, and after failures a pause that doubles, with jitter and a cap. No
// run can reach a request: its error ends in its status and in the log.
// docs/decisions/0053-idle-means-idle.md
import type {
  AutomationRun,
  AutomationService,
  AutomationStatus,
  AutomationWorld,
  ContractChange,
  HealthReport,
  HostClock,
  ScheduledTask,
  SchedulerService,
  Wake,
} from './plugin.ts'
import type { ContractRecord } from '../store/store.ts'
import type { Logger } from './log.ts'
import type { Random } from './clock.ts'
import type { Spans } from './spans.ts'
import { isoOf, nowMs } from './clock.ts'
import { onBehalfOf } from './attribution.ts'
import type { Owner } from './attribution.ts'
import { messageOf } from './problem.ts'
import { NextRun } from './next-run.ts'
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
  /** Summary and topic of its definition. */
  readonly about: Pick<AutomationStatus, 'summary' | 'topic'>
  readonly service: AutomationService
  readonly run: Omit<AutomationRun, 'again' | 'services' | 'signal'>
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
  /** Runs it where it is due. To be called every `AutomationWorld.everyMs`. */
  beat(): Promise<void>
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
  /** Runs at work on what was created. */
  underWay: number
  runs: number
  failures: number
  consecutive: number
  lastRunMs: number | undefined
  lastSuccessMs: number | undefined
  lastError: string | undefined
}

interface Machine {
  readonly options: AutomationOptions
  readonly state: RunState
  readonly stopping: AbortController
  everyMs: number
  /** The scheduler runs it; it does not wait to be woken. */
  isPeriodic: boolean
  next: NextRun
  world: AutomationWorld | undefined
  scheduled: ScheduledTask | undefined
  /** It was this server's when it was looked last. */
  wasHere: boolean
  beats: number
}

/** The interval if neither the automation nor the services name one. */
const DEFAULT_EVERY_MS = 1_000

/** From one look at everything to the next, where commits wake it. */
const NET_MS = 600_000

/** A tick this much before its time is taken: the next one would come a whole interval later. */
const EARLY_MS = 50

/** After so many it is asked whether it is paused, for those who watch it. */
const BEATS_TO_PAUSE = 10

/** Most runs at once for what was created. */
const MAX_UNDER_WAY = 256

type Changed = readonly ContractChange[] | 'all'

const FRESH: RunState = {
  running: false,
  paused: false,
  underWay: 0,
  runs: 0,
  failures: 0,
  consecutive: 0,
  lastRunMs: undefined,
  lastSuccessMs: undefined,
  lastError: undefined,
}

/**
 * Wraps an automation; `begin` hands it to the scheduler, `end` aborts a run in progress and
 * cancels the schedule.
 */
export function superviseAutomation(options: AutomationOptions): SupervisedAutomation {
  const machine: Machine = {
    options,
    state: { ...FRESH },
    stopping: new AbortController(),
    ...timesOf(options, undefined),
    world: undefined,
    scheduled: undefined,
    wasHere: false,
    beats: 0,
  }
  let unwatch = (): void => {}
  return {
    begin: (scheduler, world) => {
      Object.assign(machine, { world, ...timesOf(options, world) })
      machine.scheduled = machine.isPeriodic
        ? scheduler.schedule(options.name, machine.everyMs, (signal) => tick(machine, signal))
        : scheduler.hold(options.name)
      if (world !== undefined) unwatch = watch(machine, world)
    },
    beat: async () => {
      const { wasHere, isPeriodic, next } = machine
      machine.wasHere = isHere(machine)
      // After a start, and where it comes from another server, it looks at everything.
      if (machine.wasHere && !wasHere && !isPeriodic) next.wake()
      machine.beats += 1
      if (machine.beats % BEATS_TO_PAUSE === 0) void isPaused(machine)
      if (next.isDue(!isPeriodic)) await runWhereDue(machine)
    },
    runNow: () => {
      const {
        scheduled,
        state,
        stopping: { signal },
      } = machine
      if (state.running || scheduled === undefined || signal.aborted) return false
      void runWhileDue(machine, signal)
      return true
    },
    end: () => {
      unwatch()
      machine.scheduled?.cancel()
      machine.stopping.abort(new Error('the host stops'))
    },
    status: () => statusOf(machine),
    health: () => healthOf(machine.state),
  }
}

function timesOf(
  { service: { trigger }, clock, run }: AutomationOptions,
  world: AutomationWorld | undefined,
): Pick<Machine, 'everyMs' | 'isPeriodic' | 'next'> {
  const { everyMs = world === undefined ? DEFAULT_EVERY_MS : NET_MS } = trigger
  const pauseMs = trigger.pauseMs ?? world?.everyMs ?? DEFAULT_EVERY_MS
  return {
    everyMs,
    isPeriodic: trigger.everyMs !== undefined || world === undefined,
    next: new NextRun({ clock, ledger: run.clock, everyMs, pauseMs }),
  }
}

/** One that is woken runs on one of several servers; of the others, who is due does. */
function isHere({ isPeriodic, scheduled }: Machine): boolean {
  return scheduled !== undefined && (isPeriodic || (scheduled.here?.() ?? true))
}

async function tick(machine: Machine, signal: AbortSignal): Promise<void> {
  const { state, stopping, next, everyMs } = machine
  const isHeld = next.isHeld(Math.min(everyMs / 2, EARLY_MS))
  if (
    state.running ||
    isHeld ||
    (machine.world !== undefined && (await isPaused(machine))) ||
    state.running
  )
    return
  const stop = AbortSignal.any([signal, stopping.signal])
  if (!stop.aborted) await runWhileDue(machine, stop)
}

/** A store that cannot be asked stops nothing: the run will say so by itself. */
async function isPaused({ options, state, world }: Machine): Promise<boolean> {
  return (state.paused = (await world?.isPaused(options.name).catch(() => false)) ?? false)
}

function watch(machine: Machine, world: AutomationWorld): () => void {
  const { onCreated = [], onRound = false, wakes = [] } = machine.options.service.trigger
  const rounds = onRound ? [{ templates: world.roundTemplates }] : []
  const ends = [
    world.onChanged(onCreated, (changes) => hearCreated(machine, changes)),
    ...[...wakes, ...rounds].map((wake: Wake) =>
      world.onChanged(wake.templates, (changes) => hear(machine, wake, changes)),
    ),
  ]
  return () => ends.forEach((end) => end())
}

function hearCreated(machine: Machine, changes: Changed): void {
  if (changes === 'all') return wakeUp(machine)
  const created = changes.flatMap(({ created: contract = [] }) => contract)
  if (created.length === 0) return
  // The server that committed them acts for them at once; a run here finds what that left.
  if (changes.some(({ isOthers }) => isOthers === true)) wakeUp(machine)
  else void wakeFor(machine, created)
}

function hear(machine: Machine, wake: Wake, changes: Changed): void {
  if (changes === 'all') return wakeUp(machine)
  const { next } = machine
  const concerning = changes.filter((change) => isConcerned(wake, change))
  for (const { created } of concerning)
    if (wake.isPatient === true) next.soon()
    else next.wake(created === undefined ? undefined : wake.at?.(created))
  if (concerning.length > 0) void runWhereDue(machine)
}

function wakeUp(machine: Machine): void {
  machine.next.wake()
  void runWhereDue(machine)
}

function isConcerned({ of, isArchived }: Wake, change: ContractChange): boolean {
  const { created, stakeholders } = change
  const isOfKind = created !== undefined || isArchived === true
  return isOfKind && (of === undefined || stakeholders.some((party) => of.has(party)))
}

/** Not while it runs: that run sees to it. One that is held back after failures stays so. */
async function runWhereDue(machine: Machine): Promise<void> {
  const { state, stopping, next, isPeriodic } = machine
  const isDue = () =>
    !state.running && !stopping.signal.aborted && next.isDue(!isPeriodic) && isHere(machine)
  if (isDue() && !(await isPaused(machine)) && isDue()) await runWhileDue(machine, stopping.signal)
}

/** Once, and once more for what woke it meanwhile. */
async function runWhileDue(machine: Machine, stop: AbortSignal): Promise<void> {
  do await runOnce(machine, stop)
  while (
    machine.next.isDue(false) &&
    !(await isPaused(machine)) &&
    !machine.state.running &&
    !stop.aborted
  )
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
  if (service.runFor === undefined || state.underWay >= MAX_UNDER_WAY) return wakeUp(machine)
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
  machine.next.soon()
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
  if (stopping.signal.aborted) return
  // What came meanwhile is found by the first run after the pause.
  if (await isPaused(machine)) return machine.next.wake()
  const context = contextOf(machine, AbortSignal.any([stopping.signal, expiry]))
  const work = async (): Promise<void> => service.runFor?.(contracts, context)
  await onBehalfOf(owner, () => inSpan(spans, name, work))
}

function inSpan<T>(spans: Spans | undefined, name: string, work: () => Promise<T>): Promise<T> {
  return spans === undefined ? work() : spans.begin({ name: `automation ${name}` }, work)
}

function contextOf({ options, world, next }: Machine, signal: AbortSignal): AutomationRun {
  return { ...options.run, services: world?.services, signal, again: next }
}

async function runOnce(machine: Machine, stop: AbortSignal): Promise<void> {
  const { options, state, next } = machine
  const { service, limits, log, name, owner, spans } = options
  const expiry = new AbortController()
  const startedAt = options.clock.monotonicMs()
  Object.assign(state, {
    running: true,
    runs: state.runs + 1,
    lastRunMs: nowMs(options.clock),
  })
  next.begin()
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
  next.end(startedAt, result.ok ? 0 : pauseMs(machine, state.consecutive))
}

/** After n failures the interval doubled n times, capped, of which 50 to 100 % by chance. */
function pauseMs(machine: Machine, consecutive: number): number {
  const { options, world } = machine
  const everyMs = machine.isPeriodic ? machine.everyMs : (world?.everyMs ?? machine.everyMs)
  const doubled = Math.min(
    everyMs * 2 ** Math.min(consecutive, 30),
    Math.max(options.limits.backoffCapMs, everyMs),
  )
  return Math.max(everyMs, Math.round(doubled * (0.5 + options.random() / 2)))
}

function statusOf({ options, state, next, scheduled }: Machine): AutomationStatus {
  const {
    name,
    about: { summary, topic },
    clock,
  } = options
  const here = scheduled?.here?.() ?? true
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
    ...(state.running || !here ? {} : { nextRun: isoOf(nowMs(clock) + next.inMs()) }),
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
