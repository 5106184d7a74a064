// Automations as plugins set them up, and as the host shows them: types only.
import type { ContractRecord, Store } from '../store/store.ts'
import type { Logger } from './log.ts'
import type { Clock } from './clocks.ts'
import type { Managed } from './managed.ts'

/** The context of one run of an automation. */
export interface AutomationRun {
  readonly store: Store
  readonly log: Logger
  /** The ledger's time; stands still where it is simulated. */
  readonly clock: Clock
  readonly signal: AbortSignal
  /**
   * Offers of the services to automations; `defineAutomation` of `ledgerwright/economy` gives it
   * its type.
   */
  readonly services: unknown
  readonly again: Again
}

/** Requests for another run, which are forgotten when the next run begins. */
export interface Again {
  /** After the pause of its trigger, since something is left to do. */
  soon(): void
  /** When the ledger's clock shows this time, microseconds; like `soon` where that is over. */
  at(micros: bigint): void
}

/**
 * Events after which an automation runs, besides a start and a run that asked for another. One that
 * misses a commit looks at everything again ten minutes after its last run.
 */
export interface AutomationTrigger {
  /**
   * Interval of work that nothing announces; the scheduler decides which server runs it. Where
   * there are no services, once a second when absent.
   */
  readonly everyMs?: number | undefined
  /** The pause of `Again.soon`; the services' own when absent. */
  readonly pauseMs?: number | undefined
  /** Templates whose contracts wake it when they are created; `Module:Entity`. */
  readonly onCreated?: readonly string[]
  /** Whether rounds that open or begin to issue wake it. */
  readonly onRound?: boolean
  /** Other commits that concern it; `run` is called. */
  readonly wakes?: readonly Wake[]
}

/** Contracts whose creation, or end, starts a run. */
export interface Wake {
  /** `Module:Entity`. */
  readonly templates: readonly string[]
  /** Only those with one of these among their stakeholders; anybody's when absent. */
  readonly of?: Pick<ReadonlySet<string>, 'has'>
  /** Also when they are archived. */
  readonly isArchived?: true
  /** By the ledger's clock, microseconds: when a run has to see a new one; at once when absent. */
  at?(created: ContractRecord): bigint
  /** After the pause of the trigger, so that many of them are seen together. */
  readonly isPatient?: true
}

/** A contract that a commit created or archived. */
export interface ContractChange {
  /** `Module:Entity`. */
  readonly entity: string
  readonly stakeholders: readonly string[]
  /** Absent where it was archived. */
  readonly created?: ContractRecord
  /** Another server committed it. */
  readonly isOthers?: true
}

/** Background work. Must be safe to run twice and on several servers at once. */
export interface AutomationService extends Managed {
  readonly trigger: AutomationTrigger
  /** A run that takes longer is told to stop and counts as failed; a minute when absent. */
  readonly runMs?: number | undefined
  /** Looks for all there is to do, and does it. */
  run(context: AutomationRun): Promise<void>
  /**
   * Does what is to be done for contracts that this server just created, under the trace of their
   * update; may be called while others run. For those of other servers, and where it is absent,
   * `run` is called, once for all that came meanwhile.
   */
  runFor?(created: readonly ContractRecord[], context: AutomationRun): Promise<void>
}

/**
 * The services, as the host needs them for automations: what wakes them, and who stopped them for a
 * while.
 */
export interface AutomationWorld {
  /** Handed to each run. */
  readonly services: unknown
  /** How often it is looked whether a time has come that an automation asked for. */
  readonly everyMs: number
  /** `Module:Entity` of rounds that are open or issue. */
  readonly roundTemplates: readonly string[]
  /**
   * Calls back after each commit that changes contracts of these templates, inside its trace; with
   * 'all' where commits of other servers were missed. Answers how to end it.
   */
  onChanged(
    templates: readonly string[],
    changed: (changes: readonly ContractChange[] | 'all') => void,
  ): () => void
  /** An administrator stopped it, on whichever server. */
  isPaused(name: string): Promise<boolean>
}

/** The state of an automation on this server. Times are RFC 3339. */
export interface AutomationStatus {
  readonly name: string
  /** As its definition says. */
  readonly summary?: string
  /** As its definition says. */
  readonly topic?: string
  /**
   * Set where servers share automations and this one is not this server's at the moment; there is
   * no `nextRun` then.
   */
  readonly elsewhere?: true
  /** An administrator stopped it; absent while it goes on. */
  readonly paused?: true
  readonly running: boolean
  readonly runs: number
  readonly failures: number
  /** Failures since the last success; the pause before the next run grows with it. */
  readonly consecutiveFailures: number
  readonly lastRun?: string
  /** The end of the last run that did not fail. */
  readonly lastSuccess?: string
  readonly lastError?: string
  readonly nextRun?: string
}
