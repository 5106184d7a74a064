// Recently read contracts by id. Content never changes, so a record is never wrong; whether the
// contract is still active is only assumed, and the commit checks it. One record per id lets
// templates decode each payload once.
import type { ContractRecord } from '../store/store.ts'

export interface ContractCache {
  get(contractId: string): ContractRecord | undefined
  /**
   * The record to use for this contract from now on: the one that is known, or this one. One with a
   * long payload is not kept.
   */
  intern(contract: ContractRecord): ContractRecord
  forget(contractId: string): void
}

/**
 * Longer payloads are looked up again instead: a few thousand of them would fill the memory.
 * Characters.
 */
const LONGEST_PAYLOAD = 65_536

/**
 * Holds between half of `size` and `size` records: when the younger half is full, the older is
 * dropped.
 */
export function createContractCache(size = 20_000): ContractCache {
  let young = new Map<string, ContractRecord>()
  let old = new Map<string, ContractRecord>()
  const keep = (contract: ContractRecord): ContractRecord => {
    if (young.size >= size / 2) {
      old = young
      young = new Map()
    }
    young.set(contract.contractId, contract)
    return contract
  }
  const get = (contractId: string): ContractRecord | undefined => {
    const recent = young.get(contractId)
    if (recent !== undefined) return recent
    const found = old.get(contractId)
    return found === undefined ? undefined : keep(found)
  }
  return {
    get,
    intern: (contract) =>
      get(contract.contractId) ??
      (contract.payload.length > LONGEST_PAYLOAD ? contract : keep(contract)),
    forget: (contractId) => {
      young.delete(contractId)
      old.delete(contractId)
    },
  }
}
