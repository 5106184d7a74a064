// What a set of rights lets its holder do: all implications, in one place. docs/ledger-rules.md,
// "Rights"
import { actAsRight } from '../store/rules.ts'
import type { RightRecord } from '../store/store.ts'

/** Unless configured otherwise; published in GET /v2/version. docs/ledger-rules.md, "Rights" */
export const MAX_RIGHTS_PER_USER = 1_000

/** A user's relation to the parties of a request. `operate` is any relation to the party. */
export type PartyRelation = 'act-as' | 'read-as' | 'execute-as' | 'operate-as'

const IMPLIED: Readonly<Record<PartyRelation, readonly string[]>> = {
  'act-as': ['CanActAs'],
  'read-as': ['CanActAs', 'CanReadAs'],
  'execute-as': ['CanActAs', 'CanExecuteAs'],
  'operate-as': ['CanActAs', 'CanReadAs', 'CanExecuteAs'],
}

const IMPLIED_FOR_ANY: Readonly<Record<PartyRelation, readonly string[]>> = {
  'act-as': [],
  'read-as': ['CanReadAsAnyParty'],
  'execute-as': ['CanExecuteAsAnyParty'],
  'operate-as': ['CanReadAsAnyParty', 'CanExecuteAsAnyParty'],
}

/** The rights of one user, indexed for the questions that the guard asks. Immutable. */
export class RightSet {
  readonly #rights: readonly RightRecord[]
  readonly #parties: ReadonlySet<string>
  readonly #kinds: ReadonlySet<string>

  constructor(rights: readonly RightRecord[]) {
    this.#rights = rights
    this.#kinds = new Set(rights.map((right) => right.kind))
    this.#parties = new Set(
      rights.filter((right) => right.party !== '').map((right) => `${right.kind} ${right.party}`),
    )
  }

  /** Holds a right of this kind, whatever its party. */
  has(kind: string): boolean {
    return this.#kinds.has(kind)
  }

  /** How many rights of this kind, each party counted once. */
  count(kind: string): number {
    return [...this.#parties].filter((right) => right.startsWith(`${kind} `)).length
  }

  get isAdmin(): boolean {
    return this.#kinds.has('ParticipantAdmin')
  }

  /** These rights, and CanActAs on each of the parties. */
  withActAs(parties: readonly string[]): RightSet {
    return new RightSet([...this.#rights, ...parties.map(actAsRight)])
  }

  /** ParticipantAdmin gives no relation to any party. */
  allows(relation: PartyRelation, party: string): boolean {
    return (
      IMPLIED_FOR_ANY[relation].some((kind) => this.#kinds.has(kind)) ||
      IMPLIED[relation].some((kind) => this.#parties.has(`${kind} ${party}`))
    )
  }
}
