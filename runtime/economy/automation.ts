// Automations of the coin economy: plugins that receive the services. For the host they are like
// other automations; this file types what they receive. docs/decisions/0007-automations.md
import { member } from '../host/member.ts'
import type {
  AutomationRun,
  AutomationTrigger,
  AutomationWorld,
  Managed,
  PluginContext,
  PluginDefinition,
} from '../host/plugin.ts'
import { definePlugin } from '../host/plugin.ts'
import type { StandardSchemaV1 } from '../host/standard-schema.ts'
import type { HistoryWatch } from '../engine/index.ts'
import { issuingMiningRound, openMiningRound } from '../contracts/index.ts'
import type { ContractRecord } from '../store/store.ts'
import type { NodeIdentity } from '../participant/node.ts'
import type { Economy } from './economy.ts'
import { Changes, entityOf } from './changes.ts'
import { nextRead } from './network/next-read.ts'
import type { Treasury } from './treasury/index.ts'

/** The same in every copy of this package. */
const BRAND = Symbol.for('ledgerwright.economy')

/** Means of the economy's automations. */
export interface EconomyServices {
  readonly economy: Economy
  /** The queue through which a hosted party's coins are spent. */
  readonly treasury: Treasury
}

/** The context of one run: that of any automation, with the services of the economy. */
export type EconomyRun = Omit<AutomationRun, 'services'> & EconomyServices

/** An automation that `setup` answers: when it runs, and what it does. */
export interface EconomyAutomation extends Managed {
  readonly trigger: AutomationTrigger
  /** The same as in `AutomationService`. */
  readonly runMs?: number
  /** The same as in `AutomationService`. */
  run(context: EconomyRun): Promise<void>
  /** The same as in `AutomationService`. */
  runFor?(created: readonly ContractRecord[], context: EconomyRun): Promise<void>
}

/** An automation as `defineAutomation` takes it. */
export interface AutomationDefinition<O> extends Pick<
  PluginDefinition<'automation', O>,
  'scope' | 'summary' | 'topic'
> {
  /** `a-z0-9-`. */
  readonly name: string
  readonly options: StandardSchemaV1<unknown, O>
  setup(host: PluginContext, options: O): EconomyAutomation
}

/**
 * Declares an automation of the coin economy; its package exports the result as `default`.
 *
 * @example export default defineAutomation({ name: 'hello', options: z.strictObject({}), setup:
 *   (host) => ({ trigger: { onRound: true }, run: async ({ economy }) => host.log.info(await
 *   economy.network.usableRound(), 'hello') }) })
 */
export function defineAutomation<O>({
  setup,
  ...definition
}: AutomationDefinition<O>): PluginDefinition<'automation', O> {
  return definePlugin({
    kind: 'automation',
    ...definition,
    setup: (host, given) => {
      const automation = setup(host, given)
      const { runFor } = automation
      return {
        ...managed(automation),
        trigger: automation.trigger,
        runMs: automation.runMs,
        run: async (context) => {
          const run = economyRun(context)
          await automation.run(run)
          if (automation.trigger.onRound === true) await whenRoundsOpen(run)
        },
        ...(runFor === undefined
          ? {}
          : { runFor: (created, context) => runFor(created, economyRun(context)) }),
      }
    },
  })
}

/**
 * What the host hands to automations of these services. Pauses are facts of the store, so that they
 * hold on every server.
 *
 * @param history absent: they are woken by this server's commits only
 */
export function automationWorld(
  services: EconomyServices,
  history?: HistoryWatch,
): AutomationWorld {
  const {
    economy: { engine, store, settings, node },
  } = services
  // Every wake asks: those that come together are answered by one read.
  const paused = nextRead(() => store.contracts.facts(PAUSED, '', MAX_AUTOMATIONS))
  const changes = new Changes({ engine, store: store.contracts, history })
  return {
    services: { ...services, [BRAND]: true },
    everyMs: settings.validator.pollMs,
    roundTemplates: [openMiningRound, issuingMiningRound].map(({ type }) => entityOf(type.id)),
    onChanged: (templates, changed) => changes.on(templates, changed),
    isPaused: async (name) =>
      (await paused()).some(({ key, body }) => key === pauseOf(name, node) && body === 'true'),
  }
}

/** The key of the fact that says whether a node's automation is stopped. */
export function pauseOf(name: string, node: Pick<NodeIdentity, 'key'>): string {
  return node.key === '' ? name : `${node.key}%${name}`
}

/** More than any configuration has. */
const MAX_AUTOMATIONS = 1_000

/**
 * Kind of the facts that say which automations an administrator stopped; by `pauseOf`, `true` or
 * `false`.
 */
export const PAUSED = 'automation-paused'

function managed({ start, stop, health }: Managed): Managed {
  return {
    ...(start === undefined ? {} : { start }),
    ...(stop === undefined ? {} : { stop }),
    ...(health === undefined ? {} : { health }),
  }
}

function economyRun({ services, ...run }: AutomationRun): EconomyRun {
  if (!isEconomyServices(services))
    throw new Error('this automation needs the services of the coin economy, which are not there')
  return { ...run, economy: services.economy, treasury: services.treasury }
}

/** Rounds are there before they open, or issue. */
async function whenRoundsOpen({ economy: { network, clock }, again }: EconomyRun): Promise<void> {
  const [now, open, issuing] = [
    clock.nowMicros(),
    await network.openRounds(),
    await network.issuingRounds(),
  ]
  for (const { payload } of [...open, ...issuing])
    if (payload.opensAt > now) again.at(payload.opensAt)
}

function isEconomyServices(value: unknown): value is EconomyServices {
  return (
    typeof value === 'object' &&
    value !== null &&
    BRAND in value &&
    member(value, 'economy') !== undefined
  )
}
