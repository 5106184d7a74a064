// The plugin host: checks every plugin's options before anything starts, starts plugins in order
// under a time limit, watches them, runs the automations apart from requests, and stops everything
// in reverse. docs/plugins.md, "Lifecycle"
import type {
  AutomationStatus,
  AutomationWorld,
  HostHealth,
  Managed,
  PluginContext,
  PluginSurroundings,
  StorageService,
} from './plugin.ts'
import type { ConfigProblem } from './problem.ts'
import type { MeasurementSource } from './measurement.ts'
import type { Probe } from './health.ts'
import { systemClock } from './clock.ts'
import { healthMonitor } from './health.ts'
import { onBehalfOf, watchUncaught } from './attribution.ts'
import type { Owner } from './attribution.ts'
import { messageOf } from './problem.ts'
import { within } from './deadline.ts'
import { Spans } from './spans.ts'
import type {
  PluginEntry,
  HostLimits,
  HostOptions,
  PluginStart,
  StartResult,
  HostServices,
  Instance,
  Machine,
} from './machine.ts'
import { prepare } from './prepare.ts'
import { issuerOf, startAll } from './start-plugins.ts'

export type { PluginEntry, HostLimits, HostOptions, HostServices } from './machine.ts'

const HOST_LIMITS: HostLimits = {
  startMs: 10_000,
  stopMs: 5_000,
  stopTotalMs: 15_000,
  healthMs: 1_000,
  healthKeepMs: 1_000,
  automationRunMs: 60_000,
  backoffCapMs: 300_000,
}

interface PluginStop {
  readonly plugin: string
  readonly ms: number
  /** The reason it did not stop cleanly. */
  readonly error?: string
}

/** Offers of the services to automations and to those who observe. */
export interface BackgroundWork {
  readonly world?: AutomationWorld
  /** Each is asked on its own, so that one that fails or hangs costs no other. */
  readonly measure?: readonly MeasurementSource[]
}

export interface Host {
  /**
   * Starts the plugins in order. A failure of any but an automation stops what had started and is
   * reported.
   */
  start(): Promise<StartResult>
  /** Stops in reverse order of starting; never rejects; a second call waits for the first. */
  stop(): Promise<readonly PluginStop[]>
  health(): Promise<HostHealth>
  /** The services, once started. */
  readonly services: HostServices
  /** Absent where no plugin gathers them. */
  readonly spans: Spans | undefined
  readonly startReport: readonly PluginStart[]
  /** The issuer for `PluginContext.issueToken`. */
  issuer(): ReturnType<NonNullable<PluginContext['issueToken']>>
  /**
   * Lets the automations begin. To be called once everything has started. Without a scheduler
   * nothing runs.
   */
  runBackground(work?: BackgroundWork): void
  /**
   * No automation runs from now on, and those that do are told to end: before what they work with
   * is stopped.
   */
  endBackground(): void
  automations(): readonly AutomationStatus[]
  /** One run of an automation outside its interval; `busy` where it runs already. */
  runNow(name: string): 'started' | 'busy' | 'unknown'
}

type HostResult =
  | { readonly ok: true; readonly host: Host }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

/**
 * Checks names, order and every plugin's options; starts nothing. All problems are reported
 * together.
 */
export async function createHost(options: HostOptions): Promise<HostResult> {
  const sorted = await prepare(options.plugins, options)
  if (!sorted.ok) return sorted
  const limits = { ...HOST_LIMITS, ...options.limits }
  const services: HostServices = {
    storage: undefined,
    auth: [],
    scheduler: undefined,
    extensions: [],
  }
  const probes = (): Probe[] => sorted.order.map((one) => probeOf(one, services))
  const clock = options.clock ?? systemClock
  const gathers = options.plugins.some(({ plugin }) => plugin.gathersSpans === true)
  const machine: Machine = {
    options,
    limits,
    clock,
    random: options.random ?? Math.random,
    order: sorted.order,
    services,
    report: [],
    started: [],
    measure: [],
    spans: gathers ? new Spans(clock) : undefined,
    health: healthMonitor(probes, limits.healthMs, limits.healthKeepMs),
  }
  return { ok: true, host: hostOf(machine) }
}

/** The problems that `createHost` would report, for checking a configuration. */
export async function checkPlugins(
  plugins: readonly PluginEntry[],
  surroundings: PluginSurroundings,
): Promise<readonly ConfigProblem[]> {
  const prepared = await prepare(plugins, surroundings)
  return prepared.ok ? [] : prepared.problems
}

function hostOf(machine: Machine): Host {
  let stopping: Promise<readonly PluginStop[]> | undefined
  let unwatch = (): void => {}
  const stop = (): Promise<readonly PluginStop[]> => {
    stopping ??= stopAll(machine).finally(unwatch)
    return stopping
  }
  return {
    start: async () => {
      unwatch = watchUncaught(
        (owner) => machine.order.some((instance) => instance === owner),
        (error, owner) => blame(machine, error, owner),
      )
      const result = await startAll(machine)
      if (!result.ok) await stop()
      return result
    },
    stop,
    health: machine.health,
    services: machine.services,
    spans: machine.spans,
    startReport: machine.report,
    issuer: () => issuerOf(machine),
    runBackground: (work = {}) => runBackground(machine, work),
    endBackground: () => endBackground(machine),
    automations: () => machine.order.flatMap(({ automation }) => automation?.status() ?? []),
    runNow: (name) => {
      const found = machine.order.find(
        ({ automation }) => automation?.status().name === name,
      )?.automation
      if (found === undefined) return 'unknown'
      return found.runNow() ? 'started' : 'busy'
    },
  }
}

function runBackground(machine: Machine, { world, measure = [] }: BackgroundWork): void {
  machine.measure.push(...measure)
  const { scheduler } = machine.services
  if (scheduler === undefined) return
  const automations = machine.started.flatMap(({ automation }) => automation ?? [])
  for (const automation of automations) automation.begin(scheduler, world)
  if (world === undefined) return
  // One timer for all times that automations asked for, by whatever clock.
  machine.beat = setInterval(() => {
    for (const automation of automations) void automation.beat()
  }, world.everyMs).unref()
}

function endBackground({ started, beat }: Machine): void {
  clearInterval(beat)
  for (const { automation } of started) automation?.end()
}

async function stopAll(machine: Machine): Promise<readonly PluginStop[]> {
  endBackground(machine)
  const stops: PluginStop[] = []
  const { stopMs, stopTotalMs } = machine.limits
  const end = systemClock.monotonicMs() + stopTotalMs
  for (const instance of machine.started.toReversed()) {
    // Whatever hangs before it, the storage has its own time left: it is the one that loses
    // something.
    const reservedMs = instance.kind === 'storage' ? 0 : stopMs
    const limitMs = Math.max(
      0,
      Math.min(stopMs, Math.round(end - systemClock.monotonicMs() - reservedMs)),
    )
    const result = await within(limitMs, () =>
      onBehalfOf(instance, () => instance.service?.stop?.()),
    )
    const error = result.ok ? undefined : messageOf(result.error)
    stops.push({ plugin: instance.id, ms: result.ms, ...(error === undefined ? {} : { error }) })
    if (error === undefined) continue
    machine.options.log.error({ plugin: instance.id, reason: error }, 'plugin did not stop cleanly')
  }
  return stops
}

function probeOf(instance: Instance, { storage }: HostServices): Probe {
  const { kind, failure, automation } = instance
  const own = instance.service
  const service =
    kind === 'storage' && own?.health === undefined && storage !== undefined
      ? pinging(storage)
      : own
  const essential = kind === 'storage' || kind === 'auth'
  return { owner: instance, essential, service, failure, automation }
}

/** A storage without a word on its health is well when a trivial read works. */
function pinging({ store }: StorageService): Managed {
  return { health: async () => (await store.ping(), { status: 'up' }) }
}

/**
 * An error that nobody caught makes its plugin unwell; one of the storage's or the host's own is
 * fatal. One of a plugin that no host has any more is told.
 */
function blame({ order, options }: Machine, error: unknown, owner: Owner | undefined): void {
  const instance = order.find((candidate) => candidate === owner)
  options.log.error({ plugin: owner?.id ?? 'host', err: error }, 'an error that nobody caught')
  if (instance !== undefined) instance.failure = `uncaught: ${messageOf(error)}`
  if (owner === undefined || instance?.kind === 'storage') options.onFatal?.(error)
}
