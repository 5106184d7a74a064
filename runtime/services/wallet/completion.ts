// The sender's side of legacy offers and the buyer's side of traffic requests: pays what was accepted or asked for, as soon as its
// contract is there, and ends what cannot be paid. domain/behaviour.md §4, §8
import type { CoinOperation, InvalidTransferReason } from '../../../generated/contracts.gen.ts'
import {
  acceptedTransferOffer, buyTrafficRequest, walletAppInstallAcceptedTransferOfferAbort, walletAppInstallBuyTrafficRequestCancel,
} from '../../contracts/index.ts'
import type { Template, Tx } from '../../ledger/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { failureText } from './failure-text.ts'
import type { Treasury, TreasuryFailed } from './treasury/index.ts'
import { submitFor } from './wallets.ts'

const PAGE = 500

/** A kind of contract that the wallet of its `key1` pays for. */
interface Payable {
  readonly templateId: string
  readonly operation: (cid: string) => CoinOperation
  /** Whether the contract is ended for it, not left to expire. */
  readonly ends: (reason: InvalidTransferReason) => boolean
  /** Even without traffic. */
  readonly isFree: boolean
  readonly end: (tx: Tx, installId: string, cid: string, reason: string) => unknown
}

const acceptedOffers: Payable = {
  templateId: acceptedTransferOffer.type.id,
  operation: (acceptedTransferOfferCid) => ({ tag: 'CO_CompleteAcceptedTransfer', value: { acceptedTransferOfferCid } }),
  ends: ({ tag }) => tag === 'ITR_InsufficientFunds',
  isFree: false,
  end: (tx, install, cid, reason) => tx.exercise(walletAppInstallAcceptedTransferOfferAbort, install, { cid, reason }),
}

const trafficRequests: Payable = {
  templateId: buyTrafficRequest.type.id,
  operation: (trafficRequestCid) => ({ tag: 'CO_CompleteBuyTrafficRequest', value: { trafficRequestCid } }),
  ends: ({ tag }) => tag !== 'ITR_Other',
  isFree: true,
  end: (tx, install, cid, reason) => tx.exercise(walletAppInstallBuyTrafficRequestCancel, install, { cid, reason }),
}

const PAYABLE: ReadonlyMap<string, Payable> = new Map([acceptedOffers, trafficRequests].map((kind) => [kind.templateId, kind]))

/** Failures after which another try may succeed; all others wait for the contract to expire. */
const PASSING: ReadonlySet<string> = new Set([
  'no-wallet', 'no-round', 'queue-full', 'contention', 'contract-not-found', 'contract-in-flight', 'no-traffic',
])

export class Completion {
  readonly #economy: Economy
  readonly #treasury: Treasury
  /** Contracts that are being paid, and those that this server has given up. */
  readonly #underWay = new Set<string>()
  readonly #givenUp = new Set<string>()

  constructor(economy: Economy, treasury: Treasury) {
    this.#economy = economy
    this.#treasury = treasury
  }

  /** Pays for the contracts among `created` that are to be paid; resolves when they are paid, ended or left. */
  async payNew(created: readonly ContractRecord[]): Promise<void> {
    await Promise.all(created.map((contract) => this.#pay(contract)))
  }

  /** Looks for all that is to be paid: what an earlier run left, or another server created. */
  async payAll(signal: AbortSignal): Promise<void> {
    const found = [...await this.#open(acceptedTransferOffer, signal), ...await this.#open(buyTrafficRequest, signal)]
    const ids = new Set(found.map(({ contractId }) => contractId))
    for (const id of this.#givenUp) if (!ids.has(id)) this.#givenUp.delete(id)
    await this.payNew(found)
  }

  async #open<T>(template: Template<T>, signal: AbortSignal): Promise<readonly ContractRecord[]> {
    const records: ContractRecord[] = []
    let after: { rank: bigint; sequence: bigint } | undefined
    while (!signal.aborted) {
      const page = await this.#economy.reader.active(template, { limit: PAGE, ...(after === undefined ? {} : { after }) })
      records.push(...page.map(({ record }) => record))
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return records
      after = { rank: last.record.rank, sequence: last.sequence }
    }
    return []
  }

  async #pay({ contractId, templateId, key1: party, rank: expiresAt }: ContractRecord): Promise<void> {
    const kind = PAYABLE.get(templateId)
    const isLeft = this.#underWay.has(contractId) || this.#givenUp.has(contractId) || expiresAt <= this.#economy.clock.nowMicros()
    if (kind === undefined || isLeft) return
    this.#underWay.add(contractId)
    try {
      const done = await this.#treasury.enqueue(party, kind.operation(contractId))
      if (!done.ok) await this.#settleFailure(kind, party, contractId, done)
    } finally {
      this.#underWay.delete(contractId)
    }
  }

  async #settleFailure(kind: Payable, party: string, cid: string, failure: TreasuryFailed): Promise<void> {
    if (failure.kind === 'invalid-transfer' && kind.ends(failure.reason)) {
      const install = await this.#treasury.installOf(party)
      if (install === undefined) return
      const reason = failureText(failure.reason)
      const ended = await submitFor(this.#economy, party, {
        free: kind.isFree, run: (tx) => void kind.end(tx, install.id, cid, reason),
      })
      if (ended.ok) return
    }
    const cause = failure.kind === 'refused' ? failure.refusal.kind : failure.kind
    if (!PASSING.has(cause)) this.#givenUp.add(cid)
  }
}
