// How an interpretation finds earlier contracts: by id, and only visible ones.
import { refused, Interrupt } from './interrupt.ts'
import { contractIdsIn } from './contract-id.ts'
import { meets } from './parties.ts'
import type { ContractRecord } from '../store/store.ts'

/** A contract's status for interpretation. `unknown`: nobody looked yet. */
export type ContractStatus =
  | { readonly kind: 'active'; readonly contract: ContractRecord }
  | { readonly kind: 'in-flight'; readonly contract: ContractRecord }
  /** An update that is on its way archives it. */
  | { readonly kind: 'contended'; readonly contract: ContractRecord }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown' }

/** Contracts as this process believes them to be; a commit finds out where it is wrong. */
export interface World {
  contractStatus(contractId: string): ContractStatus
}

/**
 * Who looks: whose contracts are visible, and which were disclosed. docs/ledger-rules.md,
 * "Visibility"
 */
export interface Viewpoint {
  readonly parties: readonly string[]
  readonly disclosed: ReadonlySet<string>
}

/** Contracts that a transaction has used so far, looked up once each. */
export class Lookup {
  readonly found = new Map<string, ContractRecord>()
  readonly #world: World
  readonly #viewpoint: Viewpoint
  /** Ids that were looked up by now where nothing is remembered; undefined: nobody asks. */
  #near: Set<string> | undefined
  /** How many of `found` were read for more of them. */
  #read = 0
  #again: () => void = () => undefined

  constructor(world: World, viewpoint: Viewpoint) {
    this.#world = world
    this.#viewpoint = viewpoint
  }

  /**
   * Calls `again` wherever a contract is needed that was neither looked up before, if nothing is
   * remembered, nor is among `near`.
   */
  whenAgain(near: Iterable<string>, again: () => void): void {
    this.#near ??= new Set([...near, ...this.found.keys()])
    this.#again = again
  }

  /**
   * A contract that is active and visible. Halts otherwise; `hints` gives texts that may name
   * others that are needed next.
   */
  find(contractId: string, hints: () => readonly string[]): ContractRecord {
    return this.found.get(contractId) ?? this.#look(contractId, hints)
  }

  #look(contractId: string, hints: () => readonly string[]): ContractRecord {
    const contractStatus = this.#world.contractStatus(contractId)
    if (contractStatus.kind === 'unknown') throw this.#missing(contractId, hints())
    if (contractStatus.kind === 'gone' || !this.#sees(contractStatus.contract))
      throw notFound(contractId)
    if (contractStatus.kind === 'in-flight')
      throw refused({ kind: 'contract-in-flight', contractId })
    if (contractStatus.kind === 'contended') throw new Interrupt({ kind: 'contended', contractId })
    if (this.#near?.has(contractId) === false) this.#late(contractId, this.#near, hints)
    this.found.set(contractId, contractStatus.contract)
    return contractStatus.contract
  }

  /** Looks up what a process without memory would look up here. */
  #late(contractId: string, near: Set<string>, hints: () => readonly string[]): void {
    const unread = [...this.found.values()].slice(this.#read)
    this.#read = this.found.size
    near.add(contractId)
    for (const text of [...hints(), ...unread.map(({ payload }) => payload)])
      for (const id of contractIdsIn(text)) near.add(id)
    this.#again()
  }

  #sees({ contractId, signatories, observers }: ContractRecord): boolean {
    const { parties, disclosed } = this.#viewpoint
    return meets(parties, signatories) || meets(parties, observers) || disclosed.has(contractId)
  }

  #missing(contractId: string, hints: readonly string[]): Interrupt {
    const texts = [...hints, ...[...this.found.values()].map(({ payload }) => payload)]
    const related = texts
      .flatMap(contractIdsIn)
      .filter((id) => this.#world.contractStatus(id).kind === 'unknown')
    return new Interrupt({ kind: 'missing', contractIds: [...new Set([contractId, ...related])] })
  }
}

/** Unknown, archived and invisible are not told apart. */
export function notFound(contractId: string): Interrupt {
  return refused({ kind: 'contract-not-found', contractId })
}
