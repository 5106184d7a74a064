// Parties in a store: types only; store.ts has the rules that hold for every method.

/** A party that this node knows. docs/ledger-rules.md, "Parties" */
export interface PartyRecord {
  /** Its id, unique across identity providers. */
  readonly party: string
  /** This node acts for it. */
  readonly isLocal: boolean
  readonly identityProviderId: string
  /** Starts at 0, one more at every successful update. */
  readonly resourceVersion: bigint
  readonly annotations: Readonly<Record<string, string>>
  /**
   * JSON text of an external party's keys, threshold and hosts; '' for a party that this node signs
   * for.
   */
  readonly topology: string
}

/** A page of parties. */
export interface PartyPage {
  readonly identityProviderId: string
  /** The beginning of the ids; '' is no filter. */
  readonly prefix: string
  /** Exclusive lower bound; '' is the start. Order is byte order of the UTF-8 id. */
  readonly after: string
  readonly limit: number
}

/** The user who receives CanActAs on a new party, and how many rights that user may have then. */
export interface PartyGrant {
  readonly userId: string
  /** The provider whose users count; absent: those of all. */
  readonly inProvider?: string
  readonly maxRights: number
}

/** Parties are never deleted. An identity provider that parties belong to is in use. */
export interface PartyStore {
  /** Records that are there, each once, in the byte order of their ids. */
  get(parties: readonly string[]): Promise<readonly PartyRecord[]>
  list(page: PartyPage): Promise<readonly PartyRecord[]>
  /**
   * Writes party and grant, or neither. The stored version is 0. Checked in this order: party,
   * provider, user, number of rights; a right that the user has already counts once.
   */
  allocate(
    party: Omit<PartyRecord, 'resourceVersion'>,
    grantTo: PartyGrant | undefined,
  ): Promise<'created' | 'exists' | 'unknown-provider' | 'unknown-user' | 'too-many'>
  /**
   * Writes the annotations and version + 1 if the stored version still is `expected`; one
   * conditional write.
   */
  update(
    party: string,
    expected: bigint,
    annotations: Readonly<Record<string, string>>,
  ): Promise<PartyRecord | 'stale' | 'missing'>
}
