// The state of the host's plugins: what each was given, and whether it started.
import type {
  AnyPlugin,
  AuthService,
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
import type { SupervisedAutomation } from './automation.ts'
import type { MeasurementSource } from './measurement.ts'
import type { Spans } from './spans.ts'

/** A plugin with the options that the configuration gives it. */
export interface PluginEntry {
  /** The path at which the configuration names it: `storage`, `auth[0]`, `automations.sweep`. */
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

export interface HostOptions extends Pick<
  PluginContext,
  'profile' | 'productVersion' | 'dataDir' | 'listen' | 'documents'
> {
  readonly plugins: readonly PluginEntry[]
  readonly log: Logger
  readonly clock?: HostClock
  /** The clock of automations; `clock` when absent. */
  readonly ledgerClock?: Clock
  readonly random?: Random
  readonly limits?: Partial<HostLimits>
  /** Called after an uncaught error of the storage's or of nobody's: better stopped than wrong. */
  readonly onFatal?: (error: unknown) => void
}

type StartOutcome = 'started' | 'failed' | 'skipped'

/** One line of the start report; `ms` is set-up and start together. */
export interface PluginStart {
  readonly plugin: string
  readonly outcome: StartOutcome
  readonly ms: number
  readonly detail?: string
}

export type StartResult =
  | { readonly ok: true; readonly report: readonly PluginStart[] }
  | {
      readonly ok: false
      readonly report: readonly PluginStart[]
      readonly plugin: string
      readonly reason: string
    }

export interface HostServices {
  storage: StorageService | undefined
  readonly auth: AuthService[]
  scheduler: SchedulerService | undefined
  readonly extensions: { readonly id: string; readonly service: ExtensionService }[]
}

export interface Instance {
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

export interface Machine {
  readonly options: HostOptions
  readonly limits: HostLimits
  readonly clock: HostClock
  readonly random: Random
  readonly order: readonly Instance[]
  readonly services: HostServices
  readonly report: PluginStart[]
  readonly started: Instance[]
  readonly measure: MeasurementSource[]
  /** Of all automations together. */
  beat?: NodeJS.Timeout
  /** Absent where no plugin gathers them. */
  readonly spans: Spans | undefined
  readonly health: () => Promise<HostHealth>
}
