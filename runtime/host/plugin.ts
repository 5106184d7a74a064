// What a plugin is. `definePlugin` only carries types: the host reads the definition, checks the
// options, calls `setup`, then starts and stops what `setup` returned. docs/plugins.md, "Lifecycle"
import type { AutomationService, AutomationStatus } from './automation-service.ts'
import type { HostClock } from './clocks.ts'
import type { HealthReport, Managed } from './managed.ts'
import type { StandardSchemaV1 } from './standard-schema.ts'
import type { KeyObject } from 'node:crypto'
import type { StorageMaintenance } from '../store/maintenance.ts'
import type { ReadReplica } from '../store/read-replica.ts'
import type { IdentityProviderRecord, Store, UserRecord } from '../store/store.ts'
import type { Finding, OptionProblem } from './findings.ts'
import type { Measurement } from './measurement.ts'
import type { Credentials } from './credentials.ts'
import type { Logger } from './log.ts'
import type { ExtensionOffers } from './notes.ts'
import type { SpanGatherer, Spans } from './spans.ts'
import type Router from '@koa/router'
import type { Listen } from './loopback.ts'

export type * from './automation-service.ts'
export type { Clock, HostClock } from './clocks.ts'
export type * from './managed.ts'

/** Kinds of plugins. */
export type PluginKind = 'storage' | 'auth' | 'scheduler' | 'automation' | 'extension'

/**
 * A caller as an auth plugin knows them: a user id and the identity provider that vouched ('' is
 * the default one).
 */
export interface AuthenticatedUser {
  readonly userId: string
  readonly identityProviderId: string
}

/** One link of the auth chain: asked in order, the first answer other than "not mine" is taken. */
export type AuthAnswer =
  | { readonly kind: 'user'; readonly user: AuthenticatedUser }
  | { readonly kind: 'not-mine'; readonly reason?: string }
  | { readonly kind: 'refused'; readonly reason: string }

/** An answer that is at hand, or one that has to be fetched. */
export type Lookup<T> = T | Promise<T>

/** A public key whose owner speaks for a party without anybody else. */
export interface PartyKey {
  /** 68 hex digits. */
  readonly fingerprint: string
  /** The algorithm of tokens that it signs; absent for kinds of keys that sign none. */
  readonly algorithm?: 'EdDSA' | 'ES256'
  readonly publicKey: KeyObject
}

/**
 * The part of the ledger that an auth plugin may look up. Changes made on this server show at once,
 * those of other servers within 5 s. Answers that are at hand come without a promise. Rejects where
 * the data cannot be reached.
 */
export interface AccessDirectory {
  /** All of it must be in a party's token: ids of this node's participant and synchronizer. */
  readonly audience: readonly string[]
  /** The identity provider with exactly this issuer, deactivated or not. */
  providerOf(issuer: string): Lookup<IdentityProviderRecord | undefined>
  /**
   * The identity provider with this id; undefined for '', which is always there and has no record.
   */
  provider(id: string): Lookup<IdentityProviderRecord | undefined>
  user(id: string): Lookup<UserRecord | undefined>
  /**
   * Empty for parties that are unknown, that this node signs for, or whose signature takes several
   * keys.
   */
  partyKeys(party: string): Lookup<readonly PartyKey[]>
}

/** The service of an auth plugin: says whom a token speaks of. */
export interface AuthService extends Managed {
  authenticate(token: string, credentials: Credentials): Promise<AuthAnswer> | AuthAnswer
  /** Called once, before the first request. */
  connect?(directory: AccessDirectory): void
  /**
   * Issuers whose tokens it takes by its configuration. No identity provider is made with one of
   * them: nobody would ask it.
   */
  readonly issuers?: readonly string[]
  /** The way a person gets a token, one line for the banner. */
  readonly hint?: string
  /** Issues a token for development and tests; absent where tokens come from elsewhere. */
  issue?(userId: string): Promise<string> | string
  /**
   * A person has chosen that pages may give such tokens away where other machines reach the server
   * too; no when absent.
   */
  readonly issuesBeyondLoopback?: boolean
}

/** Another server on the same data. */
export interface OtherServer {
  readonly pid: number
  /** RFC 3339. */
  readonly since: string
}

/** The service of a storage plugin: the store, and where it is. */
export interface StorageService extends Managed {
  readonly store: Store
  /**
   * The place of the data, one line for the banner: a file, a database's address without its
   * password.
   */
  readonly location: string
  /** Replicas for reads that may be a little old; absent: there is none. */
  readonly replicas?: readonly ReadReplica[]
  /**
   * Called once by a server that has started, not by commands: answers the others that work on the
   * same data now, oldest first, for the banner. It counts as one of them until `stop`. Absent
   * where servers are meant to share the data.
   */
  join?(): readonly OtherServer[]
}

/** A task that runs until it is cancelled. */
export interface ScheduledTask {
  cancel(): void
  /** Whether this server runs it at the moment; absent where each server runs every task. */
  here?(): boolean
}

/** Decides when tasks run, and on which of the servers that share it. */
export interface SchedulerService extends Managed {
  /** Runs `task` every `everyMs`, never twice at once under one name among all who share it. */
  schedule(
    name: string,
    everyMs: number,
    task: (signal: AbortSignal) => Promise<void>,
  ): ScheduledTask
  /**
   * A task that runs when something wakes it: its `here` says on which server. Two tasks must not
   * have one name.
   */
  hold(name: string): ScheduledTask
}

/** One finished request, for plugins that observe. Durations in milliseconds. */
export interface ResponseRecord {
  readonly interfaceName: string
  readonly operationId: string
  readonly method: string
  readonly status: number
  readonly durationMs: number
}

/** The service of an extension: routes of its own, or somebody who watches requests. */
export interface ExtensionService extends Managed {
  /**
   * The address at which it listens by itself, one line for the banner; absent where it does not.
   */
  readonly address?: string | undefined
  /** Adds routes to the host's router; called once before listening. */
  mount?(router: Router, offers: ExtensionOffers): void
  /** Called after each answered request; must not throw and must be quick. */
  onResponse?(record: ResponseRecord): void
  /** The taker of spans; read once, where the definition says `gathersSpans`. */
  readonly spans?: SpanGatherer
}

/** Services by the kind of their plugin. */
export interface PluginServices {
  readonly storage: StorageService
  readonly auth: AuthService
  readonly scheduler: SchedulerService
  readonly automation: AutomationService
  readonly extension: ExtensionService
}

/** The host, as a plugin may use it while it is set up and while it runs. */
export interface PluginContext {
  readonly name: string
  readonly log: Logger
  /** The time of the day, and time as it passes. */
  readonly clock: HostClock
  readonly profile: 'dev' | 'production'
  /** Version of the program; absent where a plugin is set up without a host. */
  readonly productVersion?: string
  /** Absolute path of the folder that `--data` names; whoever writes there first creates it. */
  readonly dataDir: string
  /** The address at which the server will listen, for plugins that are only safe on loopback. */
  readonly listen: Listen
  /** The interfaces that are mounted, as OpenAPI documents; for pages that describe them. */
  readonly documents: readonly {
    readonly name: string
    readonly mount: string
    readonly url: URL
  }[]
  /**
   * The health of all plugins, at most a second old; absent where a plugin is set up without a
   * host.
   */
  readonly health?: () => Promise<HostHealth>
  /** Measurements of the services; absent where a plugin is set up without a host. */
  readonly measurements?: () => Promise<readonly Measurement[]>
  /**
   * Issues a token for any user, for pages that let a developer choose whom to be; to be asked once
   * everything has started. Undefined in the production profile, where no auth plugin issues
   * tokens, and on an address that is not loopback unless the auth plugin says that this was
   * chosen; absent where a plugin is set up without a host.
   */
  readonly issueToken?: () => ((userId: string) => Promise<string>) | undefined
  /** Spans of a plugin's own work; absent where no plugin gathers them. */
  readonly spans?: Spans
  /** A number in [0, 1) by chance, no secret; absent where a plugin is set up without a host. */
  readonly random?: () => number
}

/** A plugin's report as the host hands it on. */
export interface PluginHealth extends HealthReport {
  /** `kind/name`. */
  readonly plugin: string
  readonly automation?: AutomationStatus
}

/** `down` when a plugin that requests need is down; `degraded` when anything else is not up. */
export interface HostHealth {
  readonly status: 'up' | 'degraded' | 'down'
  readonly plugins: readonly PluginHealth[]
}

/** The surroundings that options are judged by. */
export type PluginSurroundings = Pick<PluginContext, 'profile' | 'listen'>

/** A plugin as `definePlugin` takes it: its name, its options, and what sets it up. */
export interface PluginDefinition<K extends PluginKind, O> {
  readonly kind: K
  /** `a-z0-9-`, unique within its kind. */
  readonly name: string
  /** One sentence for people on what it does: shown in lists and in pages. */
  readonly summary?: string
  /** The topic by which pages group: the built-in ones say `wallets`, `network` or `server`. */
  readonly topic?: string
  /**
   * Scope of an automation that works for the ledger as a whole: of several nodes the first runs
   * it.
   */
  readonly scope?: 'ledger'
  /** Any Standard Schema (zod, valibot, arktype …); checked before anything starts. */
  readonly options: StandardSchemaV1<unknown, O>
  /**
   * Judges options that have passed, with where the service is to run: for what only one profile
   * or one kind of address refuses. Called by the start and by `config check`; opens nothing.
   */
  check?(options: O, surroundings: PluginSurroundings): readonly OptionProblem[]
  /**
   * Set by extensions that take spans (`spans` of what `setup` returns). Where no plugin of the
   * configuration says so, no span is ever made.
   */
  readonly gathersSpans?: true
  /** Names of plugins (`kind/name`) that must have started before this one. */
  readonly after?: readonly string[]
  setup(context: PluginContext, options: O): Promise<PluginServices[K]> | PluginServices[K]
  /**
   * Looks whether what the options name is there and can be used: a database, a key set, a port.
   * Called instead of `setup`, also while servers run; changes nothing.
   */
  examine?(context: PluginContext, options: O): Promise<readonly Finding[]> | readonly Finding[]
  /**
   * Maintenance of storage plugins that can be migrated, backed up and restored. Called instead of
   * `setup`; opens nothing by itself.
   */
  maintain?(context: PluginContext, options: O): Promise<StorageMaintenance> | StorageMaintenance
}

/**
 * A plugin of any kind, as the host holds it: its options are unknown until its own validator has
 * read them.
 */
export type AnyPlugin = { [K in PluginKind]: PluginDefinition<K, unknown> }[PluginKind]

/**
 * Declares a plugin; its package exports the result as `default`.
 * @example export default definePlugin({ kind: 'automation', name: 'hello', options:
 *   z.strictObject({}), setup: (host) => ({ trigger: { everyMs: 60_000 }, run: async () =>
 *   host.log.info('hello') }) })
 */
export function definePlugin<K extends PluginKind, O>(
  definition: PluginDefinition<K, O>,
): PluginDefinition<K, O> {
  return definition
}
