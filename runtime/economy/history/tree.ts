// A transaction as history reads it: which part of the tree an event heads, and what unlocked coins
// each party gained or lost there. Coins are counted as they are created and archived, so that
// entries add up whatever a choice did in between.
import { coin } from '../../contracts/coin.ts'
import type { ExerciseEvent, LedgerEvent, Transaction } from '../../engine/transaction.ts'
import type { ContractRecord } from '../../store/store.ts'

const owner = coin.by('owner')

export class TransactionTree {
  readonly transaction: Transaction
  readonly #records: ReadonlyMap<string, ContractRecord>

  constructor(transaction: Transaction) {
    this.transaction = transaction
    const created = transaction.events.flatMap((event) =>
      event.kind === 'create' ? [event.contract] : [],
    )
    this.#records = new Map(
      [...transaction.consumed, ...created].map((contract) => [contract.contractId, contract]),
    )
  }

  /** A contract that the transaction creates or archives. */
  record(contractId: string): ContractRecord | undefined {
    return this.#records.get(contractId)
  }

  /** The event and all below it, in pre-order. */
  below({ node, lastDescendant }: ExerciseEvent): readonly LedgerEvent[] {
    return this.transaction.events.slice(node, lastDescendant + 1)
  }

  /**
   * Gains of unlocked coins at and below the event, by their owner; a coin's rank is its amount.
   */
  gains(event: ExerciseEvent): ReadonlyMap<string, bigint> {
    const gains = new Map<string, bigint>()
    for (const one of this.below(event)) {
      const contract = one.kind === 'create' ? one.contract : this.#archivedBy(one)
      if (contract === undefined || !coin.isOf(contract)) continue
      const gain = one.kind === 'create' ? contract.rank : -contract.rank
      gains.set(owner.of(contract), (gains.get(owner.of(contract)) ?? 0n) + gain)
    }
    return gains
  }

  #archivedBy(event: ExerciseEvent): ContractRecord | undefined {
    return event.consuming ? this.#records.get(event.contractId) : undefined
  }
}
