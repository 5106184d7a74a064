// What docs/authority.md speaks of, as data: users, rights, parties, wallets, providers, and what
// external parties signed. The model knows that page alone and imports nothing of the service.

/** `CanActAs alice::12`, `ParticipantAdmin`. */
export type Right = string

export interface User {
  readonly id: string
  /** '' is the default provider. */
  provider: string
  /** '' where there is none. */
  primaryParty: string
  isDeactivated: boolean
  /** `primaryPartyAuthentication`. */
  partyLogin: boolean
  readonly rights: Set<Right>
  /** The party of the wallet. */
  wallet: string | undefined
}

export interface Party {
  readonly id: string
  readonly provider: string
  /** The keys outside that sign for it, all of them together; none where the node signs. */
  readonly keys: readonly string[]
}

export interface Provider {
  readonly id: string
  issuer: string
  /** Names the key at its jwksUrl. */
  key: string
  isDeactivated: boolean
  audience: string
}

/** An offer, or an instruction of the token standard, that waits for an answer. */
export interface Offered {
  readonly cid: string
  readonly kind: 'offer' | 'transfer' | 'minting'
  readonly sender: string
  readonly receiver: string
}

export interface Setting {
  /** Ends the ids of the parties that the node signs for. */
  readonly namespace: string
  /** The configured wallet user of the validator. */
  readonly operator: string
  readonly operatorParty: string
  /** The network's parties, in namespaces of their own; nobody acts for them from outside. */
  readonly network: readonly string[]
  /** The first node hosts the network's parties. */
  readonly isFirst: boolean
  /** Issuer and key of the default provider. */
  readonly issuer: string
  readonly key: string
  readonly maxRights: number
  readonly maxSelfAllocated: number
  /** Fingerprints of the keys that external parties have, by name. */
  readonly fingerprints: Readonly<Record<string, string>>
}

/** Facts that no node keeps for itself. */
export interface LedgerFacts {
  /** Parties that are paid in one step: they, or their keys, agreed. */
  readonly preapproved: Set<string>
  readonly offered: Map<string, Offered>
  /**
   * Who agreed to pay what the node's tasks carry out later: senders of accepted offers, and of
   * signed orders.
   */
  readonly agreed: Set<string>
}

/** One node, and what it has in common with the others. */
export interface World extends LedgerFacts {
  readonly setting: Setting
  readonly users: Map<string, User>
  readonly parties: Map<string, Party>
  /** Parties of other nodes of the ledger, each with the party of its node's operator. */
  readonly elsewhere: ReadonlyMap<string, string>
  readonly providers: Map<string, Provider>
  /** External parties with a setup proposal that waits for their signature. */
  readonly proposed: Set<string>
  /** Orders that a sender signed so far. */
  readonly orders: Map<string, number>
  /**
   * Parties of wallets that ended by the deletion of their user, by its name: until that name is
   * offboarded or onboarded.
   */
  readonly left: Map<string, readonly string[]>
  /** Users that the test itself observes with: nobody else becomes or changes them. */
  readonly watchers: Set<string>
}

export function newFacts(): LedgerFacts {
  return { preapproved: new Set(), offered: new Map(), agreed: new Set() }
}

export function newWorld(setting: Setting, facts: LedgerFacts): World {
  return {
    ...facts,
    setting,
    users: new Map(),
    parties: new Map(),
    elsewhere: new Map(),
    providers: new Map(),
    proposed: new Set(),
    orders: new Map(),
    left: new Map(),
    watchers: new Set(),
  }
}

/** A node's knowledge after a change at another one: facts of the ledger, but nobody's rights. */
export function afterOther(
  world: World,
  { preapproved, offered, agreed }: LedgerFacts,
  elsewhere: World['elsewhere'],
): World {
  return { ...world, preapproved, offered, agreed, elsewhere }
}

/** Parties of which the node is told, those of the network where it hosts them. */
export function partiesOfNode({ parties, setting }: World): readonly string[] {
  return [...parties.keys(), ...(setting.isFirst ? setting.network : [])]
}

/** A world that changes apart from this one. */
export function copyWorld(world: World): World {
  return structuredClone(world)
}

export function actAs(party: string): Right {
  return `CanActAs ${party}`
}

/** Kind and party of a right; '' where it has none. */
export function partsOf(right: Right): readonly [kind: string, party: string] {
  const at = right.indexOf(' ')
  return at < 0 ? [right, ''] : [right.slice(0, at), right.slice(at + 1)]
}
