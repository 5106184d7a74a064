// How an interpretation finds earlier contracts: by id, and only visible ones.
import { refused, violated, Interrupt } from './interrupt.ts'
import { contractIdsIn } from './contract-id.ts'
import { meets } from './parties.ts'
import type { ContractRecord } from '../store/store.ts'

/** Contracts that a transaction which may begin again may refer to. */
const MAX_REFERRED = 5_000

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
  /** Ids that were looked up by now where nothing is remembered, if somebody asks. */
  readonly #near = new Set<string>()
  /** Payloads of `found` that were not yet read for more of them. */
  #unread: string[] = []
  #again: ((read: number) => void) | undefined

  constructor(world: World, viewpoint: Viewpoint) {
    this.#world = world
    this.#viewpoint = viewpoint
  }

  /**
   * Calls `again` wherever a contract is needed that was neither looked up before, if nothing is
   * remembered, nor is among `near`; `read` characters were read to know what else is needed.
   */
  whenAgain(near: Iterable<string>, again: (read: number) => void): void {
    if (this.#again === undefined)
      for (const ids of [near, this.found.keys()]) for (const id of ids) this.#near.add(id)
    this.#again = again
  }

  /**
   * A contract that is active and visible. Halts otherwise; `hints` gives texts, those that it
   * did not give before, that may name others that are needed next.
   */
  find(contractId: string, hints: () => readonly string[]): ContractRecord {
    return this.found.get(contractId) ?? this.#look(contractId, hints)
  }

  #look(contractId: string, hints: () => readonly string[]): ContractRecord {
    const contractStatus = this.#world.contractStatus(contractId)
    if (this.#again !== undefined && !this.#near.has(contractId))
      this.#late(contractId, hints, this.#again)
    if (contractStatus.kind === 'unknown') throw this.#missing(contractId, hints)
    if (contractStatus.kind === 'gone' || !this.#sees(contractStatus.contract))
      throw notFound(contractId)
    if (contractStatus.kind === 'in-flight')
      throw refused({ kind: 'contract-in-flight', contractId })
    if (contractStatus.kind === 'contended') throw new Interrupt({ kind: 'contended', contractId })
    this.found.set(contractId, contractStatus.contract)
    this.#unread.push(contractStatus.contract.payload)
    return contractStatus.contract
  }

  /** Notes what a process without memory looks up here, also where this one need not. */
  #late(contractId: string, hints: () => readonly string[], again: (read: number) => void): void {
    again(this.#gather(contractId, hints))
    if (this.#near.size > MAX_REFERRED) throw violated('A transaction refers to too many contracts')
  }

  /** Adds to `near`, and answers how many characters were read for it. */
  #gather(contractId: string, hints: () => readonly string[]): number {
    const texts = [...hints(), ...this.#unread]
    this.#unread = []
    this.#near.add(contractId)
    for (const text of texts) for (const id of contractIdsIn(text)) this.#near.add(id)
    return texts.reduce((read, { length }) => read + length, 0)
  }

  #sees({ contractId, signatories, observers }: ContractRecord): boolean {
    const { parties, disclosed } = this.#viewpoint
    return meets(parties, signatories) || meets(parties, observers) || disclosed.has(contractId)
  }

  #missing(contractId: string, hints: () => readonly string[]): Interrupt {
    this.#gather(contractId, hints)
    const contractIds = [...this.#near].filter(
      (id) => this.#world.contractStatus(id).kind === 'unknown',
    )
    return new Interrupt({ kind: 'missing', contractIds })
  }
}

/** Unknown, archived and invisible are not told apart. */
export function notFound(contractId: string): Interrupt {
  return refused({ kind: 'contract-not-found', contractId })
}
