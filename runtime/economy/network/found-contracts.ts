// Contracts found once for as long as none of their kind changes: who reads them throws this away
// when one does. state.ts
import type {
  FeaturedAppRight,
  TransferPreapproval,
  WalletAppInstall,
} from '../../../generated/contracts.gen.ts'
import { featuredAppRight, transferPreapproval, walletAppInstall } from '../../contracts/index.ts'
import type { Contract, Reader, Template } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'

/** Contracts that are remembered at most: then all are forgotten. */
const MAX_REMEMBERED = 50_000

type Found<T> = Contract<T> | undefined

export class FoundContracts {
  readonly #reader: Reader
  readonly #operator: string
  readonly #signsFor: (party: string) => Promise<boolean>
  readonly #preapprovals = new Map<string, Found<TransferPreapproval>>()
  readonly #rights = new Map<string, Found<FeaturedAppRight>>()
  readonly #wallets = new Map<string, Found<WalletAppInstall>>()
  readonly #records = new Map<string, ContractRecord>()
  readonly #kinds = new Map<string, Promise<boolean>>()

  constructor(reader: Reader, operator: string, signsFor: (party: string) => Promise<boolean>) {
    this.#reader = reader
    this.#operator = operator
    this.#signsFor = signsFor
  }

  /** The receiver's preapproval that lasts longest, even if it is over. */
  preapproval(receiver: string): Promise<Found<TransferPreapproval>> {
    return this.#once(
      this.#preapprovals,
      receiver,
      async () =>
        (
          await this.#reader.active(
            transferPreapproval,
            { receiver },
            { order: 'rank-desc', limit: 1 },
          )
        )[0],
    )
  }

  featuredAppRight(provider: string): Promise<Found<FeaturedAppRight>> {
    return this.#once(
      this.#rights,
      provider,
      async () => (await this.#reader.active(featuredAppRight, { provider }, { limit: 1 }))[0],
    )
  }

  /**
   * Of the party, and of the user where one is named; the oldest of the operator's: others may have
   * signed any number.
   */
  wallet(party: string, userName?: string): Promise<Found<WalletAppInstall>> {
    return this.#once(this.#wallets, JSON.stringify([party, userName]), async () => {
      const installs = await this.#reader.all(walletAppInstall, { endUserParty: party })
      const own = installs.find(
        ({ payload: { validatorParty, endUserName } }) =>
          validatorParty === this.#operator && (userName === undefined || endUserName === userName),
      )
      // Whoever made such a contract for a party with keys of its own: it spends for itself alone.
      // docs/authority.md
      return own !== undefined && (await this.#signsFor(party)) ? own : undefined
    })
  }

  /** Whether anybody has such a contract. */
  hasAny<T>(template: Template<T>): Promise<boolean> {
    const known = this.#kinds.get(template.type.id)
    if (known !== undefined) return known
    const asked = this.#reader.active(template, {}, { limit: 1 }).then((found) => found.length > 0)
    this.#kinds.set(template.type.id, asked)
    asked.catch(() => this.#kinds.delete(template.type.id))
    return asked
  }

  /** Undefined where it is not remembered. */
  record(contractId: string): ContractRecord | undefined {
    return this.#records.get(contractId)
  }

  async #once<T>(
    known: Map<string, Found<T>>,
    key: string,
    read: () => Promise<Found<T>>,
  ): Promise<Found<T>> {
    if (known.has(key)) return known.get(key)
    const found = await read()
    if (known.size >= MAX_REMEMBERED) this.#forget()
    known.set(key, found)
    if (found !== undefined) this.#records.set(found.id, found.record)
    return found
  }

  #forget(): void {
    for (const each of [this.#preapprovals, this.#rights, this.#wallets, this.#records])
      each.clear()
  }
}
