// What links users to the parties of their wallets: types only; store.ts has the rules that hold
// for every method. Nothing that a caller can write is part of it. docs/authority.md
import type { PartyRecord } from './party-store.ts'

/** A user's wallet that is to be opened, in one write. */
export interface WalletOpening {
  readonly userId: string
  /** Provider of the user: one of another provider is another user. */
  readonly identityProviderId: string
  /** Makes the user where there is none of the id. */
  readonly createsUser: boolean
  /** `fresh` is allocated with the wallet; `given` is there already. */
  readonly party:
    { readonly fresh: Omit<PartyRecord, 'resourceVersion'> } | { readonly given: string }
  /** Whether the user receives CanActAs on the party. */
  readonly grantsActAs: boolean
  /** Number of rights that the user may have then. */
  readonly maxRights: number
}

/**
 * `unknown-user`: no such user in that provider. `has-wallet`: the user has one.
 * `party-taken`: the fresh party is there, or a right names it. `party-unfit`: `fitsWallet`
 * (rules.ts) says no to the given party. `stale`: others made the same user or party in between; to
 * be tried again.
 */
export type WalletOpened =
  | 'opened'
  | 'unknown-user'
  | 'has-wallet'
  | 'party-taken'
  | 'party-unfit'
  | 'unknown-provider'
  | 'too-many'
  | 'stale'

/** A wallet ends with its user: whoever has the user's id later begins without. */
export interface WalletStore {
  /** The party of a user's wallet. */
  party(userId: string): Promise<string | undefined>
  /** The given parties that are the party of some wallet, each once, in any order. */
  among(parties: readonly string[]): Promise<readonly string[]>
  /**
   * All or nothing: makes user and fresh party, grants, links, and sets the primary party of a user
   * that has none. Checked in the order of `WalletOpened`.
   */
  open(opening: WalletOpening): Promise<WalletOpened>
}
