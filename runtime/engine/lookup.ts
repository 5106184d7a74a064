// What an interpretation knows of contracts that were there before it: found by id, visible or not at all.
import { refused, Halt } from './halt.ts'
import { contractIdsIn } from './contract-id.ts'
import { meets } from './parties.ts'
import type { ContractRecord } from '../store/store.ts'

/** Where a contract stands for those who interpret. `unknown`: nobody looked yet. */
export type Standing =
  | { readonly kind: 'active'; readonly contract: ContractRecord }
  | { readonly kind: 'in-flight'; readonly contract: ContractRecord }
  /** An update that is on its way archives it. */
  | { readonly kind: 'contended'; readonly contract: ContractRecord }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown' }

/** Contracts as this process believes them to be; a commit finds out where it is wrong. */
export interface World {
  standing(contractId: string): Standing
}

/** Who looks: whose contracts are visible, and which were disclosed. rulings.md 23 */
export interface Viewpoint {
  readonly parties: readonly string[]
  readonly disclosed: ReadonlySet<string>
}

/** Contracts that a transaction has used so far, looked up once each. */
export class Lookup {
  readonly found = new Map<string, ContractRecord>()
  readonly #world: World
  readonly #viewpoint: Viewpoint

  constructor(world: World, viewpoint: Viewpoint) {
    this.#world = world
    this.#viewpoint = viewpoint
  }

  /** A contract that is active and visible. Halts otherwise; `hints` gives texts that may name others that are needed next. */
  find(contractId: string, hints: () => readonly string[]): ContractRecord {
    return this.found.get(contractId) ?? this.#look(contractId, hints)
  }

  #look(contractId: string, hints: () => readonly string[]): ContractRecord {
    const standing = this.#world.standing(contractId)
    if (standing.kind === 'unknown') throw this.#missing(contractId, hints())
    if (standing.kind === 'gone' || !this.#sees(standing.contract)) throw notFound(contractId)
    if (standing.kind === 'in-flight') throw refused({ kind: 'contract-in-flight', contractId })
    if (standing.kind === 'contended') throw new Halt({ kind: 'contended', contractId })
    this.found.set(contractId, standing.contract)
    return standing.contract
  }

  #sees({ contractId, signatories, observers }: ContractRecord): boolean {
    const { parties, disclosed } = this.#viewpoint
    return meets(parties, signatories) || meets(parties, observers) || disclosed.has(contractId)
  }

  #missing(contractId: string, hints: readonly string[]): Halt {
    const texts = [...hints, ...[...this.found.values()].map(({ payload }) => payload)]
    const related = texts.flatMap(contractIdsIn).filter((id) => this.#world.standing(id).kind === 'unknown')
    return new Halt({ kind: 'missing', contractIds: [...new Set([contractId, ...related])] })
  }
}

/** Unknown, archived and invisible are not told apart. */
export function notFound(contractId: string): Halt {
  return refused({ kind: 'contract-not-found', contractId })
}
