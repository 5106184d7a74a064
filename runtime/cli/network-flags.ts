// The options of the commands of `network`, as commander hands them over.
import type { Flags } from './flags.ts'

/** Flags of every command that talks to a running service. */
export interface NetworkFlags extends Flags {
  readonly url?: string
  /** The operator of the node when absent. */
  readonly user?: string
}

export interface ReasonFlags extends NetworkFlags {
  readonly reason: string
}

export interface RequestFlags extends ReasonFlags {
  readonly expires?: string
}

export interface CastFlags extends ReasonFlags {
  readonly reject?: true
}

export interface FeatureFlags extends NetworkFlags {
  readonly revoke?: true
}

export interface AllocateFlags extends ReasonFlags {
  readonly to: string
  readonly amount: string
  readonly expires: string
}

export interface ForkFlags extends NetworkFlags {
  readonly from: string
}

export interface AddPackagesFlags extends NetworkFlags {
  readonly watch?: true
  readonly revert?: string
}

export interface ListPackagesFlags extends NetworkFlags {
  readonly json?: true
}
