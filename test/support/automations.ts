// The automations that run by default, for tests that run them when they say so: set up as the host does it, without a scheduler.
import assert from 'node:assert/strict'
import rounds from '../../plugins/automation-rounds/index.ts'
import { checkOptions } from '../../runtime/host/options.ts'
import type { AutomationService, PluginContext, PluginDefinition } from '../../runtime/host/plugin.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { automationWorld } from '../../runtime/services/automation.ts'
import type { EconomyServices } from '../../runtime/services/automation.ts'

type AutomationPlugin = PluginDefinition<'automation', unknown>

/** In the order in which they are run. */
const DEFAULTS: readonly AutomationPlugin[] = [rounds]

export interface AutomationChoice {
  /** Without: all that run by default. */
  readonly names?: readonly string[]
  /** By name, as in the section `automations` of the configuration. */
  readonly options?: Readonly<Record<string, object>>
  /** Ends runs that have not come to their end. */
  readonly signal?: AbortSignal
}

/** Automations as a network of a test has them: each keeps what it knows from run to run. */
export interface TestAutomations {
  /** Runs each once, one after the other. */
  run(...names: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** Sets up those that are chosen, with their options checked. */
export async function setUpAutomations(services: EconomyServices, choice: AutomationChoice = {}): Promise<TestAutomations> {
  const { names = [], options = {}, signal = new AbortController().signal } = choice
  const chosen = DEFAULTS.filter(({ name }) => names.length === 0 || names.includes(name))
  const running = await Promise.all(chosen.map(async (plugin) => ({
    name: plugin.name, service: await setUp(plugin, options[plugin.name] ?? {}, services),
  })))
  const { economy: { store, clock } } = services
  const world = automationWorld(services)
  return {
    run: async (...wanted) => {
      for (const { name, service } of running) {
        if (wanted.length > 0 && !wanted.includes(name)) continue
        await service.run({ store, clock, log: silentLog, signal, services: world.services })
      }
    },
    stop: async () => {
      for (const { service } of running) await service.stop?.()
    },
  }
}

async function setUp(plugin: AutomationPlugin, options: object, { economy: { clock } }: EconomyServices): Promise<AutomationService> {
  const checked = await checkOptions(plugin.options, options, `automations.${plugin.name}`)
  assert.ok(checked.ok, JSON.stringify(checked))
  const context: PluginContext = {
    name: plugin.name, log: silentLog, clock, profile: 'dev', dataDir: '/nowhere', documents: [], listen: { host: '127.0.0.1', port: 0 },
  }
  return plugin.setup(context, checked.value)
}
