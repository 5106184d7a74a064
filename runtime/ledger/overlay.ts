// What updates that are on their way create and archive: visible to later submissions of this process at once, gone if they fail.
import type { ContractRecord } from '../store/store.ts'
import type { ContractCache } from './contract-cache.ts'
import type { Standing, World } from './lookup.ts'
import type { Proposal } from './proposal.ts'

export class Overlay {
  readonly #created = new Map<string, ContractRecord>()
  /** By contract id: who waits until it is clear whether the contract is archived. */
  readonly #archived = new Map<string, { readonly contract: ContractRecord; readonly waiters: (() => void)[] }>()

  add({ transaction: { consumed }, created }: Proposal): void {
    for (const { contract, isTransient } of created) if (!isTransient) this.#created.set(contract.contractId, contract)
    for (const contract of consumed) this.#archived.set(contract.contractId, { contract, waiters: [] })
  }

  /** Once it is committed, or once it failed: then what it made was never there. */
  remove({ transaction: { consumed }, created }: Proposal): void {
    for (const { contract } of created) this.#created.delete(contract.contractId)
    for (const { contractId } of consumed) {
      const waiters = this.#archived.get(contractId)?.waiters ?? []
      this.#archived.delete(contractId)
      for (const resume of waiters) resume()
    }
  }

  /** Resolves when no update that is on its way archives the contract. */
  async cleared(contractId: string): Promise<void> {
    const waiters = this.#archived.get(contractId)?.waiters
    if (waiters !== undefined) await new Promise<void>((resume) => waiters.push(resume))
  }

  standing(contractId: string): Standing | undefined {
    const archived = this.#archived.get(contractId)
    if (archived !== undefined) return { kind: 'contended', contract: archived.contract }
    const contract = this.#created.get(contractId)
    return contract === undefined ? undefined : { kind: 'active', contract }
  }
}

/** The overlay, then what was looked up for this very interpretation, then what is remembered. */
export function worldOf(overlay: Overlay, looked: ReadonlyMap<string, Standing>, cache: ContractCache): World {
  return {
    standing: (contractId) => overlay.standing(contractId) ?? looked.get(contractId) ?? remembered(cache, contractId),
  }
}

function remembered(cache: ContractCache, contractId: string): Standing {
  const contract = cache.get(contractId)
  return contract === undefined ? { kind: 'unknown' } : { kind: 'active', contract }
}
