// Leases: who of several servers acts on something for a while. Speed depends on them, correctness
// never does. docs/economy-rules.md, "Treasury"; docs/decisions/0004-several-servers.md

/**
 * `held`: it is the asker's until the time asked for is over. `wanted`: likewise, and another one
 * waits.
 */
export type LeaseAnswer = 'held' | 'wanted' | 'taken'

/**
 * Names and holders are texts of at most 1,000 bytes; times are the database's, in whole
 * milliseconds. A wish lasts as long as a lease that was asked for with it. `wanted` only reads.
 */
export interface LeaseStore {
  /**
   * Takes a lease that is free or has ended, or prolongs the asker's own: it ends `forMs` from now.
   * Where another holds it (`taken`) the asker's wish is noted for `forMs`, unless somebody else's
   * still lasts. Asking again and again is cheap: a wish is prolonged when half of it is over, and
   * otherwise nothing is written.
   */
  take(name: string, holder: string, forMs: number): Promise<LeaseAnswer>
  /**
   * Lets the named leases of the holder end `forMs` from now; answers which of `names`, in any
   * order: the others it has lost.
   */
  prolong(names: readonly string[], holder: string, forMs: number): Promise<readonly string[]>
  /** The names of the holder's leases that somebody else waits for, in any order. */
  wanted(holder: string): Promise<readonly string[]>
  /**
   * Gives up a lease: to who wished for it, for `forMs`, else to nobody. Nothing happens where
   * `holder` has it not.
   */
  pass(name: string, holder: string, forMs: number): Promise<void>
}
