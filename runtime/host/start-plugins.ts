// Starts the plugins in order, each under a time limit, with a context of its own.
import type { AutomationService, Managed, PluginContext } from './plugin.ts'
import type { SupervisedAutomation } from './automation.ts'
import type { Measurement } from './measurement.ts'
import { superviseAutomation } from './automation.ts'
import { onBehalfOf } from './attribution.ts'
import { isLoopback } from './loopback.ts'
import { messageOf } from './problem.ts'
import { within } from './deadline.ts'
import { missingMembers } from './shape.ts'
import type { PluginStart, StartResult, Instance, Machine } from './machine.ts'

export async function startAll(machine: Machine): Promise<StartResult> {
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
      'plugin did not start; the service continues without it',
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
  const result = await within(machine.limits.startMs, () => onBehalfOf(instance, work), stopLate)
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
      instance.automation = supervise(machine, instance, service, context)
      return service
    }
    case 'extension': {
      const service = checked(await plugin.setup(context, instance.options))
      services.extensions.push({ id: instance.id, service })
      if (service.spans !== undefined) machine.spans?.gather(service.spans)
      return service
    }
  }
}

function contextOf(machine: Machine, instance: Instance): PluginContext {
  const { profile, productVersion, dataDir, listen, documents, log } = machine.options
  const name = instance.entry.name ?? instance.entry.plugin.name
  const own = log.child({ plugin: instance.id })
  return {
    name,
    log: own,
    clock: machine.clock,
    profile,
    ...(productVersion === undefined ? {} : { productVersion }),
    dataDir,
    listen,
    documents,
    health: machine.health,
    random: machine.random,
    ...(machine.spans === undefined ? {} : { spans: machine.spans }),
    measurements: () => measurements(machine),
    issueToken: () => issuerOf(machine),
  }
}

/**
 * Tokens for the asking are for development on one's own machine, whatever an auth plugin offers.
 */
export function issuerOf({
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
  instance: Instance,
  service: AutomationService,
  context: PluginContext,
): SupervisedAutomation {
  const { clock, random, limits, services, spans } = machine
  if (services.storage === undefined)
    throw new Error('an automation needs a storage that has started')
  const { log, name } = context
  const run = { store: services.storage.store, log, clock: machine.options.ledgerClock ?? clock }
  const own = { runMs: limits.automationRunMs, backoffCapMs: limits.backoffCapMs }
  return superviseAutomation({
    name,
    owner: instance,
    about: instance.entry.plugin,
    service,
    run,
    clock,
    random,
    log,
    limits: own,
    spans,
  })
}

async function measurements({ measure, limits }: Machine): Promise<readonly Measurement[]> {
  const all = await Promise.all(measure.map((source) => within(limits.healthMs, source)))
  return all.flatMap((one) => (one.ok ? one.value : []))
}
