// Leases: who of several servers acts on something for a while. Speed depends on them, correctness never does.
// rulings.md 25; docs/decisions/0004-several-servers.md

/** `held`: it is the asker's until the time asked for is over. `wanted`: likewise, and another one waits. */
export type LeaseAnswer = 'held' | 'wanted' | 'taken'

/** Names and holders are texts of at most 1,000 bytes; times are the database's. */
export interface LeaseStore {
  /**
   * Takes a lease that is free or has ended, or prolongs the asker's own: it ends `forMs` from now. Where another holds it
   * (`taken`) the asker's wish is noted for `forMs`, unless somebody wished before him.
   */
  take(name: string, holder: string, forMs: number): Promise<LeaseAnswer>
  /** Gives up a lease: to who wished for it, for `forMs`, else to nobody. Nothing happens where `holder` has it not. */
  pass(name: string, holder: string, forMs: number): Promise<void>
}
