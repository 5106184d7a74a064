// The automations that run by default, for tests that run them when they say so: set up as the host
// does it, without a scheduler.
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import autoAccept from '../../plugins/automation-auto-accept/index.ts'
import commandIds from '../../plugins/automation-command-ids/index.ts'
import completion from '../../plugins/automation-completion/index.ts'
import expiry from '../../plugins/automation-expiry/index.ts'
import liveness from '../../plugins/automation-liveness/index.ts'
import merging from '../../plugins/automation-merging/index.ts'
import names from '../../plugins/automation-names/index.ts'
import preapprovals from '../../plugins/automation-preapprovals/index.ts'
import minting from '../../plugins/automation-minting/index.ts'
import rewards from '../../plugins/automation-rewards/index.ts'
import roundTotals from '../../plugins/automation-round-totals/index.ts'
import rounds from '../../plugins/automation-rounds/index.ts'
import snapshots from '../../plugins/automation-snapshots/index.ts'
import subscriptions from '../../plugins/automation-subscriptions/index.ts'
import sweeps from '../../plugins/automation-sweeps/index.ts'
import topup from '../../plugins/automation-topup/index.ts'
import traffic from '../../plugins/automation-traffic/index.ts'
import transferCommands from '../../plugins/automation-transfer-commands/index.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import { checkOptions } from '../../runtime/host/options.ts'
import type { Logger } from '../../runtime/host/log.ts'
import type {
  AutomationService,
  PluginContext,
  PluginDefinition,
} from '../../runtime/host/plugin.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { automationWorld } from '../../runtime/economy/automation.ts'
import type { EconomyServices } from '../../runtime/economy/automation.ts'

type AutomationPlugin = PluginDefinition<'automation', unknown>

/** Automations in the order in which they are run. */
const DEFAULTS: readonly AutomationPlugin[] = [
  rounds,
  traffic,
  topup,
  transferCommands,
  autoAccept,
  completion,
  subscriptions,
  names,
  sweeps,
  expiry,
  rewards,
  minting,
  liveness,
  snapshots,
  roundTotals,
  preapprovals,
  merging,
  commandIds,
]

export interface AutomationChoice {
  /** Names of the automations; absent: all that run by default. */
  readonly names?: readonly string[]
  /** Options by name, as in the section `automations` of the configuration. */
  readonly options?: Readonly<Record<string, object>>
  /**
   * Whether it is a later node of a ledger: automations of the whole ledger are the first node's.
   */
  readonly isLaterNode?: boolean
  /** Ends runs that have not come to their end. */
  readonly signal?: AbortSignal
  /** The source of chance that the host would give them. */
  readonly random?: () => number
  /** The log of their runs; nowhere if absent. */
  readonly log?: Logger
}

/** Automations as a network of a test has them: each keeps what it knows from run to run. */
export interface TestAutomations {
  /** Services as they were set up, for tests that schedule them as a host does. */
  readonly services: readonly { readonly name: string; readonly service: AutomationService }[]
  /** Names of those that asked in their last run for another one soon. */
  readonly unfinished: ReadonlySet<string>
  /** Runs each once, one after the other. */
  run(...names: readonly string[]): Promise<void>
  /**
   * From now on, those that do it are woken by what these services create; what fails goes to
   * `onError`.
   */
  watch(onError: (error: unknown) => void): void
  /** Waits until nothing that they were woken for is under way. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Sets up those that are chosen, with their options checked. */
export async function setUpAutomations(
  services: EconomyServices,
  choice: AutomationChoice = {},
): Promise<TestAutomations> {
  const {
    names = [],
    options = {},
    isLaterNode = false,
    signal = new AbortController().signal,
    random = Math.random,
    log = silentLog,
  } = choice
  const chosen = DEFAULTS.filter(
    ({ name, scope }) =>
      (names.length === 0 || names.includes(name)) && !(isLaterNode && scope === 'ledger'),
  )
  const running = await Promise.all(
    chosen.map(async (plugin) => ({
      name: plugin.name,
      service: await setUp(plugin, options[plugin.name] ?? {}, { services, random }),
    })),
  )
  const {
    economy: { store, clock },
  } = services
  const world = automationWorld(services)
  const unfinished = new Set<string>()
  const contextOf = (name: string) => {
    const again = { soon: () => void unfinished.add(name), at: () => {} }
    return { store, clock, log, signal, services: world.services, again }
  }
  const ends: (() => void)[] = []
  const underWay = new Set<Promise<void>>()
  const settled = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    services: running,
    unfinished,
    run: async (...wanted) => {
      for (const { name, service } of running) {
        if (wanted.length > 0 && !wanted.includes(name)) continue
        unfinished.delete(name)
        await service.run(contextOf(name))
      }
    },
    watch: (onError) => {
      for (const { name, service } of running) {
        const { onCreated = [] } = service.trigger
        ends.push(
          world.onChanged(onCreated, (changes) => {
            const created = changes === 'all' ? [] : changes.flatMap((each) => each.created ?? [])
            if (created.length === 0) return
            const context = contextOf(name)
            const done = (service.runFor?.(created, context) ?? service.run(context)).catch(onError)
            underWay.add(done)
            void done.then(() => underWay.delete(done))
          }),
        )
      }
    },
    settled,
    stop: async () => {
      for (const end of ends) end()
      await settled()
      for (const { service } of running) await service.stop?.()
    },
  }
}

interface Surroundings {
  readonly services: EconomyServices
  readonly random: () => number
}

async function setUp(
  plugin: AutomationPlugin,
  options: object,
  { services, random }: Surroundings,
): Promise<AutomationService> {
  const {
    economy: { clock },
  } = services
  const checked = await checkOptions(plugin.options, options, `automations.${plugin.name}`)
  assert.ok(checked.ok, inspect(checked))
  const context: PluginContext = {
    name: plugin.name,
    log: silentLog,
    clock: { ...systemClock, nowMicros: () => clock.nowMicros() },
    profile: 'dev',
    dataDir: '/nowhere',
    documents: [],
    listen: { host: '127.0.0.1', port: 0 },
    random,
  }
  return plugin.setup(context, checked.value)
}
