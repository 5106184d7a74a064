// Whose a holding is, for whoever meets coins and locked coins alike as records.
import { coin, lockedCoin } from '../contracts/index.ts'
import type { ContractRecord } from '../store/store.ts'

/** The owner of a coin or a locked coin. */
export function holdingOwner(contract: ContractRecord): string {
  return (lockedCoin.isOf(contract) ? lockedCoin : coin).keysOf(contract).owner
}
