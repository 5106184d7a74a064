// What a system under test is to the property tests: the driver over the real engine and the
// model's own twin are both one.
import type { Action } from './model/actions.ts'
import type { Plan } from './model/plan.ts'
import type { Config, Economy, Round } from './model/state.ts'
import type { PartyView, Result, World } from './world.ts'

/** A command to perform. The plan says which contracts of the model the new ones are. */
export interface Request {
  readonly action: Action
  /** The clock stands here, microseconds. */
  readonly at: bigint
  /** What the model expects. */
  readonly plan: Plan
  /** The model before the command, to settle which of several like contracts were taken. */
  readonly economy: Economy
}

export interface System {
  /**
   * Performs and answers when it is committed. A repeated command that answers the first one's
   * result is `duplicate`.
   */
  perform(request: Request): Promise<Result>
  /** Cheap: called before and after each step. */
  parties(): Promise<readonly PartyView[]>
  /** Cheap: called before each step. */
  rounds(): Promise<readonly Round[]>
  /** Everything, read from the store. */
  world(): Promise<World>
  /**
   * The same, built anew from the updates from offset 0 on, or from the store after it was
   * reopened. Invariant 42
   */
  replayed(): Promise<World>
  close(): Promise<void>
}

export interface SystemOptions {
  readonly config: Config
  /** The clock at the start; rounds are bootstrapped at this time. */
  readonly start: bigint
  /** Ids of planted faults, from faults.ts. */
  readonly faults: ReadonlySet<string>
  /** For what the system draws itself: commit conflicts that the driver injects. */
  readonly seed: number
}

export type SystemFactory = (options: SystemOptions) => Promise<System>
