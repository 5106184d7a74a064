// Faults planted in the real engine, contracts, services and store, by the ids of faults.ts.
import type { Economy } from '../../../runtime/services/economy.ts'
import type { ContractStore } from '../../../runtime/store/store.ts'

export interface Plant {
  /** Alters what all share; answers how to undo it. */
  readonly before?: () => () => void
  readonly store?: (inner: ContractStore) => ContractStore
  readonly economy?: (inner: Economy) => Economy
  /** The network is there: from now on it may go wrong. */
  readonly start?: () => void
  /** Who acts next, as a party id. */
  readonly actor?: (party: string) => void
}

const MAKERS: ReadonlyMap<string, () => Plant> = new Map()

/** Ids of the faults that can be planted here. */
export const PLANTED: readonly string[] = [...MAKERS.keys()]

/** A fresh plant; throws for a fault that cannot be planted. */
export function plantOf(id: string): Plant {
  const make = MAKERS.get(id)
  if (make === undefined) throw new RangeError(`the driver cannot plant ${id}`)
  return make()
}
