// The plugin host: checks every plugin's options before anything starts, starts plugins in order
// under a time limit, watches them, runs the automations apart from requests, and stops everything
// in reverse. design.md §7
import type {
  AnyPlugin,
  AuthService,
  AutomationService,
  AutomationStatus,
  AutomationWorld,
  Clock,
  ExtensionService,
  HostClock,
  HostHealth,
  Managed,
  PluginContext,
  PluginKind,
  SchedulerService,
  StorageService,
} from './plugin.ts'
import type { Logger } from './log.ts'
import type { Random } from './clock.ts'
import type { Checked } from './options.ts'
import type { ConfigProblem } from './problem.ts'
import type { Order } from './order.ts'
import type { SupervisedAutomation } from './automation.ts'
import type { Measurement, MeasurementSource } from './measurement.ts'
import type { Probe } from './health.ts'
import { systemClock } from './clock.ts'
import { checkOptions } from './options.ts'
import { startOrder } from './order.ts'
import { healthMonitor } from './health.ts'
import { superviseAutomation } from './automation.ts'
import { onBehalfOf, watchUncaught } from './attribution.ts'
import { isLoopback } from './loopback.ts'
import { messageOf } from './problem.ts'
import { within } from './deadline.ts'
import { missingMembers } from './shape.ts'

/** A plugin with the options that the configuration gives it. */
export interface PluginEntry {
  /** Where the configuration names it: `storage`, `auth[0]`, `automations.sweep`. */
  readonly path: string
  readonly plugin: AnyPlugin
  readonly options: unknown
  /** Name of this instance; the plugin's own when absent. */
  readonly name?: string
}

export interface HostLimits {
  readonly startMs: number
  readonly stopMs: number
  readonly stopTotalMs: number
  readonly healthMs: number
  readonly healthKeepMs: number
  readonly automationRunMs: number
  readonly backoffCapMs: number
}

const HOST_LIMITS: HostLimits = {
  startMs: 10_000,
  stopMs: 5_000,
  stopTotalMs: 15_000,
  healthMs: 1_000,
  healthKeepMs: 1_000,
  automationRunMs: 60_000,
  backoffCapMs: 300_000,
}

export interface HostOptions extends Pick<
  PluginContext,
  'profile' | 'dataDir' | 'listen' | 'documents'
> {
  readonly plugins: readonly PluginEntry[]
  readonly log: Logger
  readonly clock?: HostClock
  /** What automations are told the time by; `clock` when absent. */
  readonly ledgerClock?: Clock
  readonly random?: Random
  readonly limits?: Partial<HostLimits>
  /** Called after an uncaught error of the storage's or of nobody's: better stopped than wrong. */
  readonly onFatal?: (error: unknown) => void
}

type StartOutcome = 'started' | 'failed' | 'skipped'

/** One line of the start report; `ms` is set-up and start together. */
interface PluginStart {
  readonly plugin: string
  readonly outcome: StartOutcome
  readonly ms: number
  readonly detail?: string
}

type StartResult =
  | { readonly ok: true; readonly report: readonly PluginStart[] }
  | {
      readonly ok: false
      readonly report: readonly PluginStart[]
      readonly plugin: string
      readonly reason: string
    }

interface PluginStop {
  readonly plugin: string
  readonly ms: number
  /** Why it did not stop cleanly. */
  readonly error?: string
}

/** What the services offer to automations and to those who observe. */
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
  readonly startReport: readonly PluginStart[]
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

export interface HostServices {
  storage: StorageService | undefined
  readonly auth: AuthService[]
  scheduler: SchedulerService | undefined
  readonly extensions: { readonly id: string; readonly service: ExtensionService }[]
}

type HostResult =
  | { readonly ok: true; readonly host: Host }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

interface Instance {
  readonly id: string
  readonly kind: PluginKind
  readonly path: string
  readonly after: readonly string[]
  readonly entry: PluginEntry
  readonly options: unknown
  service: Managed | undefined
  automation: SupervisedAutomation | undefined
  failure: string | undefined
}

interface Machine {
  readonly options: HostOptions
  readonly limits: HostLimits
  readonly clock: HostClock
  readonly random: Random
  readonly order: readonly Instance[]
  readonly services: HostServices
  readonly report: PluginStart[]
  readonly started: Instance[]
  readonly measure: MeasurementSource[]
  readonly health: () => Promise<HostHealth>
}

/**
 * Checks names, order and every plugin's options; starts nothing. All problems are reported
 * together.
 */
export async function createHost(options: HostOptions): Promise<HostResult> {
  const sorted = await prepare(options.plugins)
  if (!sorted.ok) return sorted
  const limits = { ...HOST_LIMITS, ...options.limits }
  const services: HostServices = {
    storage: undefined,
    auth: [],
    scheduler: undefined,
    extensions: [],
  }
  const probes = (): Probe[] => sorted.order.map((one) => probeOf(one, services))
  const machine: Machine = {
    options,
    limits,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    order: sorted.order,
    services,
    report: [],
    started: [],
    measure: [],
    health: healthMonitor(probes, limits.healthMs, limits.healthKeepMs),
  }
  return { ok: true, host: hostOf(machine) }
}

/** The problems that `createHost` would report, for checking a configuration. */
export async function checkPlugins(
  plugins: readonly PluginEntry[],
): Promise<readonly ConfigProblem[]> {
  const prepared = await prepare(plugins)
  return prepared.ok ? [] : prepared.problems
}

async function prepare(plugins: readonly PluginEntry[]): Promise<Order<Instance>> {
  const checked = await Promise.all(plugins.map(instanceOf))
  const wrong = [
    ...checked.flatMap((result) => (result.ok ? [] : result.problems)),
    ...countProblems(plugins),
  ]
  if (wrong.length > 0) return { ok: false, problems: wrong }
  return startOrder(checked.flatMap((result) => (result.ok ? [result.value] : [])))
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
      unwatch = watchUncaught((error, plugin) => blame(machine, error, plugin))
      const result = await startAll(machine)
      if (!result.ok) await stop()
      return result
    },
    stop,
    health: machine.health,
    services: machine.services,
    startReport: machine.report,
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

async function instanceOf(entry: PluginEntry): Promise<Checked<Instance>> {
  const { plugin, path } = entry
  const id = idOf(entry)
  const checked = await checkOptions(plugin.options, entry.options, path, id)
  if (!checked.ok) return checked
  const unset = { service: undefined, automation: undefined, failure: undefined }
  return {
    ok: true,
    value: {
      id,
      kind: plugin.kind,
      path,
      after: plugin.after ?? [],
      entry,
      options: checked.value,
      ...unset,
    },
  }
}

/** `kind/name`. */
function idOf(entry: PluginEntry): string {
  return `${entry.plugin.kind}/${entry.name ?? entry.plugin.name}`
}

function countProblems(entries: readonly PluginEntry[]): ConfigProblem[] {
  const seen = new Set<string>()
  const twice = entries.filter((entry) => seen.size === seen.add(idOf(entry)).size)
  const count = (kind: PluginKind): number =>
    entries.filter((entry) => entry.plugin.kind === kind).length
  const problems: ConfigProblem[] = twice.map((entry) => ({
    path: entry.path,
    message: `${idOf(entry)} is named twice`,
  }))
  if (count('storage') !== 1) {
    problems.push({ path: 'storage', message: `needs exactly one plugin, has ${count('storage')}` })
  }
  if (count('scheduler') > 1)
    problems.push({ path: 'scheduler', message: 'only one scheduler can be active' })
  if (count('automation') > 0 && count('scheduler') === 0) {
    problems.push({ path: 'scheduler', message: 'automations need a scheduler' })
  }
  return problems
}

async function startAll(machine: Machine): Promise<StartResult> {
  for (const instance of machine.order) {
    const start = await startOne(machine, instance)
    machine.report.push(start)
    if (start.outcome === 'started') continue
    instance.failure = start.detail ?? start.outcome
    if (instance.kind !== 'automation') {
      return { ok: false, report: machine.report, plugin: instance.id, reason: instance.failure }
    }
    machine.options.log.error(
      { plugin: instance.id, reason: instance.failure },
      'plugin did not start; going on without it',
    )
  }
  return { ok: true, report: machine.report }
}

async function startOne(machine: Machine, instance: Instance): Promise<PluginStart> {
  const failed = new Set(
    machine.order.filter(({ failure }) => failure !== undefined).map(({ id }) => id),
  )
  const missing = instance.after.find((id) => failed.has(id))
  if (missing !== undefined) {
    return {
      plugin: instance.id,
      outcome: 'skipped',
      ms: 0,
      detail: `needs ${missing}, which did not start`,
    }
  }
  const stopLate = (service: Managed): void =>
    void within(machine.limits.stopMs, () => service.stop?.())
  const work = async (): Promise<Managed> => {
    const service = await setUp(machine, instance)
    try {
      await service.start?.()
    } catch (error) {
      stopLate(service)
      throw error
    }
    return service
  }
  const result = await within(machine.limits.startMs, () => onBehalfOf(instance.id, work), stopLate)
  if (!result.ok)
    return {
      plugin: instance.id,
      outcome: 'failed',
      ms: result.ms,
      detail: messageOf(result.error),
    }
  instance.service = result.value
  machine.started.push(instance)
  return { plugin: instance.id, outcome: 'started', ms: result.ms }
}

/** Calls the plugin's `setup` and puts what it returned in its place. */
async function setUp(machine: Machine, instance: Instance): Promise<Managed> {
  const { plugin } = instance.entry
  const { services } = machine
  const context = contextOf(machine, instance)
  const checked = <T extends Managed>(service: T): T => {
    const missing = missingMembers(plugin.kind, service)
    if (missing.length === 0) return service
    throw new Error(
      `setup returned no ${missing.join(', ')}, which every ${plugin.kind} plugin needs`,
    )
  }
  switch (plugin.kind) {
    case 'storage':
      return (services.storage = checked(await plugin.setup(context, instance.options)))
    case 'scheduler':
      return (services.scheduler = checked(await plugin.setup(context, instance.options)))
    case 'auth': {
      const service = checked(await plugin.setup(context, instance.options))
      services.auth.push(service)
      return service
    }
    case 'automation': {
      const service = checked(await plugin.setup(context, instance.options))
      instance.automation = supervise(machine, plugin, service, context)
      return service
    }
    case 'extension': {
      const service = checked(await plugin.setup(context, instance.options))
      services.extensions.push({ id: instance.id, service })
      return service
    }
  }
}

function contextOf(machine: Machine, instance: Instance): PluginContext {
  const { profile, dataDir, listen, documents, log } = machine.options
  const name = instance.entry.name ?? instance.entry.plugin.name
  const own = log.child({ plugin: instance.id })
  return {
    name,
    log: own,
    clock: machine.clock,
    profile,
    dataDir,
    listen,
    documents,
    health: machine.health,
    random: machine.random,
    measurements: () => measurements(machine),
    issueToken: () => issuerOf(machine),
  }
}

/**
 * Tokens for the asking are for development on one's own machine, whatever an auth plugin offers.
 */
function issuerOf({
  options,
  services,
}: Machine): ((userId: string) => Promise<string>) | undefined {
  const service = services.auth.find(({ issue }) => issue !== undefined)
  if (options.profile !== 'dev' || service === undefined) return undefined
  if (!isLoopback(options.listen.host) && service.issuesBeyondLoopback !== true) return undefined
  return async (userId) => (await service.issue?.(userId)) ?? ''
}

function supervise(
  machine: Machine,
  about: AnyPlugin,
  service: AutomationService,
  context: PluginContext,
): SupervisedAutomation {
  const { clock, random, limits, services } = machine
  if (services.storage === undefined)
    throw new Error('an automation needs a storage that has started')
  const { log, name } = context
  const run = { store: services.storage.store, log, clock: machine.options.ledgerClock ?? clock }
  const own = { runMs: limits.automationRunMs, backoffCapMs: limits.backoffCapMs }
  return superviseAutomation({ name, about, service, run, clock, random, log, limits: own })
}

function runBackground(machine: Machine, { world, measure = [] }: BackgroundWork): void {
  machine.measure.push(...measure)
  const { scheduler } = machine.services
  if (scheduler === undefined) return
  for (const { automation } of machine.started) automation?.begin(scheduler, world)
}

function endBackground({ started }: Machine): void {
  for (const { automation } of started) automation?.end()
}

async function measurements({ measure, limits }: Machine): Promise<readonly Measurement[]> {
  const all = await Promise.all(measure.map((source) => within(limits.healthMs, source)))
  return all.flatMap((one) => (one.ok ? one.value : []))
}

async function stopAll(machine: Machine): Promise<readonly PluginStop[]> {
  endBackground(machine)
  const stops: PluginStop[] = []
  const { stopMs, stopTotalMs } = machine.limits
  const end = performance.now() + stopTotalMs
  for (const instance of machine.started.toReversed()) {
    // Whatever hangs before it, the storage has its own time left: it is the one that loses
    // something.
    const reservedMs = instance.kind === 'storage' ? 0 : stopMs
    const limitMs = Math.max(0, Math.min(stopMs, Math.round(end - performance.now() - reservedMs)))
    const result = await within(limitMs, () =>
      onBehalfOf(instance.id, () => instance.service?.stop?.()),
    )
    const error = result.ok ? undefined : messageOf(result.error)
    stops.push({ plugin: instance.id, ms: result.ms, ...(error === undefined ? {} : { error }) })
    if (error === undefined) continue
    machine.options.log.error({ plugin: instance.id, reason: error }, 'plugin did not stop cleanly')
  }
  return stops
}

function probeOf(instance: Instance, { storage }: HostServices): Probe {
  const { id, kind, failure, automation } = instance
  const own = instance.service
  const service =
    kind === 'storage' && own?.health === undefined && storage !== undefined
      ? pinging(storage)
      : own
  return { id, essential: kind === 'storage' || kind === 'auth', service, failure, automation }
}

/** A storage without a word on its health is well when a trivial read works. */
function pinging({ store }: StorageService): Managed {
  return { health: async () => (await store.ping(), { status: 'up' }) }
}

/**
 * An error that nobody caught makes its plugin unwell; one of the storage's or the host's own is
 * fatal.
 */
function blame(machine: Machine, error: unknown, plugin: string | undefined): void {
  const instance = machine.order.find((candidate) => candidate.id === plugin)
  machine.options.log.error({ plugin: plugin ?? 'host', err: error }, 'an error that nobody caught')
  if (instance !== undefined) instance.failure = `uncaught: ${messageOf(error)}`
  if (instance === undefined || instance.kind === 'storage') machine.options.onFatal?.(error)
}
