// Contracts that updates in flight create and archive: later submissions of this process see them
// immediately; if an update fails, they are dropped.
import type { ContractRecord } from '../store/store.ts'
import { contractIdsOf } from './commit-batch.ts'
import type { ContractCache } from './contract-cache.ts'
import type { Invariants } from './invariants.ts'
import type { ContractStatus, World } from './lookup.ts'
import type { Proposal } from './proposal.ts'

/** A contract that an update on its way archives. */
interface Archived {
  readonly contract: ContractRecord
  readonly by: Proposal
  /** Waiters for the decision whether the contract is archived. */
  readonly waiters: (() => void)[]
}

export class Overlay {
  readonly #invariants: Invariants
  readonly #created = new Map<string, ContractRecord>()
  readonly #archived = new Map<string, Archived>()

  constructor(invariants: Invariants) {
    this.#invariants = invariants
  }

  /**
   * Shows what the proposal does. Two that were interpreted at the same moment may both want a
   * contract: then it answers that contract's id, and shows nothing of the second.
   */
  claim(proposal: Proposal): string | undefined {
    const taken = contractIdsOf(proposal).find((id) => this.#archived.has(id))
    if (taken !== undefined) return taken
    const {
      transaction: { consumed },
      created,
    } = proposal
    for (const { contract, isTransient } of created)
      if (!isTransient) this.#created.set(contract.contractId, contract)
    for (const contract of consumed)
      this.#archived.set(contract.contractId, { contract, by: proposal, waiters: [] })
    return undefined
  }

  /** Once it is committed, or once it failed: then what it made was never there. */
  remove(proposal: Proposal): void {
    const {
      transaction: { consumed },
      created,
    } = proposal
    for (const { contract } of created) this.#created.delete(contract.contractId)
    for (const { contractId } of consumed) this.#clear(contractId, proposal)
  }

  /** Resolves when no update that is on its way archives the contract. */
  async cleared(contractId: string): Promise<void> {
    const waiters = this.#archived.get(contractId)?.waiters
    if (waiters !== undefined) await new Promise<void>((resume) => waiters.push(resume))
  }

  /** Audits an idle overlay: without submissions in flight, nothing is shown or taken. */
  auditIdle(): void {
    const left = this.#created.size + this.#archived.size
    if (left > 0)
      this.#invariants.breached(
        'overlay',
        `${left} contracts are held for submissions that have ended`,
      )
  }

  contractStatus(contractId: string): ContractStatus | undefined {
    const archived = this.#archived.get(contractId)
    if (archived !== undefined) return { kind: 'contended', contract: archived.contract }
    const contract = this.#created.get(contractId)
    return contract === undefined ? undefined : { kind: 'active', contract }
  }

  /** Clears entries and wakes whoever waits for one that is another's now, or gone. */
  #clear(contractId: string, by: Proposal): void {
    const archived = this.#archived.get(contractId)
    if (archived?.by !== by)
      return this.#invariants.breached(
        'overlay',
        `the entry of the contract ${contractId} was replaced`,
      )
    this.#archived.delete(contractId)
    for (const resume of archived.waiters) resume()
  }
}

/** The overlay, then what was looked up for this very interpretation, then what is remembered. */
export function worldOf(
  overlay: Overlay,
  looked: ReadonlyMap<string, ContractStatus>,
  cache: ContractCache,
): World {
  return {
    contractStatus: (contractId) =>
      overlay.contractStatus(contractId) ?? looked.get(contractId) ?? remembered(cache, contractId),
  }
}

function remembered(cache: ContractCache, contractId: string): ContractStatus {
  const contract = cache.get(contractId)
  return contract === undefined ? { kind: 'unknown' } : { kind: 'active', contract }
}
