// The sender's side of legacy offers and the buyer's side of traffic requests: pays what was
// accepted or asked for as soon as it is there, under the trace of who did so, and ends what cannot
// be paid. docs/economy-rules.md, "Legacy offers"
import { z } from 'zod'
import {
  acceptedTransferOffer,
  background,
  buyTrafficRequest,
  defineAutomation,
  entityOf,
  failureText,
  forEachOf,
  installChoices,
  isPassing,
  verdictFor,
  templateOf,
  treasuryError,
  Tries,
  Turns,
} from '../../runtime/economy.ts'
import type {
  CoinOperation,
  ContractRecord,
  EconomyRun,
  InvalidTransferReason,
  TreasuryRejected,
  Tx,
} from '../../runtime/economy.ts'

/** Payments of one party at a time: as many as a batch of the treasury may have. */
const OF_ONE_PARTY = 20
/** Contracts of one party that are ended in a transaction: enough to be cheap, and a short one. */
const ENDED_TOGETHER = 10

/** A kind of contract that somebody's wallet pays for. */
interface Payable {
  /** `<package name>:<Module>:<Entity>` */
  readonly template: string
  readonly payerOf: (contract: ContractRecord) => string
  readonly operation: (cid: string) => CoinOperation
  /** Whether the contract is ended for it, not left to expire. */
  readonly ends: (reason: InvalidTransferReason) => boolean
  /** Even without traffic. */
  readonly isFree: boolean
  readonly end: (tx: Tx, installId: string, cid: string, reason: string) => unknown
}

const acceptedOffers: Payable = {
  template: acceptedTransferOffer.type.reference,
  payerOf: (contract) => acceptedTransferOffer.keysOf(contract).sender,
  operation: (acceptedTransferOfferCid) => ({
    tag: 'CO_CompleteAcceptedTransfer',
    value: { acceptedTransferOfferCid },
  }),
  ends: ({ tag }) => tag === 'ITR_InsufficientFunds',
  isFree: false,
  end: (tx, install, cid, reason) =>
    tx.exercise(installChoices.WalletAppInstall_AcceptedTransferOffer_Abort, install, {
      cid,
      reason,
    }),
}

const trafficRequests: Payable = {
  template: buyTrafficRequest.type.reference,
  payerOf: (contract) => buyTrafficRequest.keysOf(contract).endUserParty,
  operation: (trafficRequestCid) => ({
    tag: 'CO_CompleteBuyTrafficRequest',
    value: { trafficRequestCid },
  }),
  ends: ({ tag }) => tag !== 'ITR_Other',
  isFree: true,
  end: (tx, install, cid, reason) =>
    tx.exercise(installChoices.WalletAppInstall_BuyTrafficRequest_Cancel, install, { cid, reason }),
}

const PAYABLE: ReadonlyMap<string, Payable> = new Map(
  [acceptedOffers, trafficRequests].map((kind) => [kind.template, kind]),
)

function kindOf(contract: ContractRecord): Payable | undefined {
  return PAYABLE.get(templateOf(contract))
}

function payerOf(contract: ContractRecord): string | undefined {
  return kindOf(contract)?.payerOf(contract)
}

/** Pays for accepted offers and requests for traffic. */
export default defineAutomation({
  name: 'completion',
  summary: 'Pays accepted offers and traffic requests from the payer’s wallet.',
  topic: 'wallets',
  options: z.strictObject({
    /** The pause before it tries again what a failure that passes has left. */
    everyMs: z.int().min(10).optional(),
    /** Parties that pay at the same time; each party's payments follow each other. */
    parallel: z.int().min(1).max(1_000).default(32),
  }),
  setup: (_host, { everyMs, parallel }) => {
    const payments = new Payments()
    const [accepted, requested] = [
      new Turns(acceptedTransferOffer.by('sender')),
      new Turns(buyTrafficRequest.by('endUserParty')),
    ]
    return {
      trigger: { pauseMs: everyMs, onCreated: [...PAYABLE.keys()].map(entityOf) },
      runFor: (created, run) => payments.pay(created, parallel, run),
      run: async (run) => {
        const open = [...(await accepted.contracts(run)), ...(await requested.contracts(run))]
        await payments.pay(
          open.map(({ record }) => record),
          parallel,
          run,
        )
      },
    }
  },
})

/** A payment that is impossible, and is ended with the words of its reason. */
interface Ending {
  readonly kind: Payable
  readonly contract: ContractRecord
  readonly reason: string
}

/** Remembers what is being paid, and what this server has given up. */
class Payments {
  readonly #underWay = new Set<string>()
  readonly #tries = new Tries()

  /** Resolves when each is paid, ended or left. */
  async pay(
    contracts: readonly ContractRecord[],
    parallel: number,
    run: EconomyRun,
  ): Promise<void> {
    const byParty = Map.groupBy(contracts, payerOf)
    await forEachOf(byParty, parallel, run.signal, ([party = '', own]) =>
      this.#payOwn(party, own, run),
    )
  }

  /** Makes the payments of one party; impossible ones are ended after the rest. */
  async #payOwn(party: string, own: readonly ContractRecord[], run: EconomyRun): Promise<void> {
    const now = run.economy.clock.nowMicros()
    const open = own.filter(
      ({ contractId, rank: expiresAt }) => !this.#underWay.has(contractId) && expiresAt > now,
    )
    const due = open.filter(({ contractId }) => this.#tries.isDue(contractId))
    if (open.some(({ contractId }) => this.#tries.isWaiting(contractId))) run.again.soon()
    const endings: Ending[] = []
    for (const { contractId } of due) this.#underWay.add(contractId)
    try {
      await background.piece(party, () =>
        forEachOf(due, OF_ONE_PARTY, run.signal, async (contract) => {
          const ending = await this.#payOne(contract, run)
          if (ending !== undefined) endings.push(ending)
        }),
      )
    } finally {
      // Also where a payment has failed.
      try {
        await this.#endAll(party, endings, run)
      } finally {
        for (const { contractId } of due) this.#underWay.delete(contractId)
      }
    }
  }

  /** Answers what is to be ended. */
  async #payOne(contract: ContractRecord, run: EconomyRun): Promise<Ending | undefined> {
    const kind = kindOf(contract)
    if (kind === undefined) return undefined
    const payer = kind.payerOf(contract)
    // Its turn to pay may be another node's.
    if ((await run.treasury.installOf(payer)) === undefined) {
      if (!this.#tries.failed(contract.contractId)) run.again.soon()
      return undefined
    }
    const done = await run.treasury.enqueue(payer, kind.operation(contract.contractId))
    const reason = done.ok ? undefined : endOf(kind, done)
    if (reason !== undefined) return { kind, contract, reason }
    this.#settle(kind, contract, done.ok ? undefined : done, run)
    return undefined
  }

  async #endAll(party: string, endings: readonly Ending[], run: EconomyRun): Promise<void> {
    for (const alike of Map.groupBy(endings, ({ kind }) => kind).values()) {
      for (let from = 0; from < alike.length && !run.signal.aborted; from += ENDED_TOGETHER)
        await background.piece(party, () =>
          this.#endSome(alike.slice(from, from + ENDED_TOGETHER), run),
        )
    }
  }

  /** Together; where that is refused, one by one, so that each has its own end. */
  async #endSome(endings: readonly Ending[], run: EconomyRun): Promise<void> {
    const left = await end(endings, run)
    if (left !== undefined && endings.length > 1) {
      for (const one of endings) await this.#endSome([one], run)
      return
    }
    for (const { kind, contract } of endings) this.#settle(kind, contract, left, run)
  }

  /** @param left why it is still there; undefined where it is not */
  #settle(
    kind: Payable,
    contract: ContractRecord,
    left: TreasuryRejected | undefined,
    run: EconomyRun,
  ): void {
    const { contractId } = contract
    const party = kind.payerOf(contract)
    if (left === undefined) return this.#tries.done(contractId)
    if (left.kind === 'no-wallet') this.#tries.failed(contractId)
    if (left.kind === 'no-wallet' || passes(left)) return run.again.soon()
    this.#tries.giveUp(contractId)
    run.log.warn(
      { party, contractId, template: entityOf(kind.template), reason: treasuryError(left).message },
      'a payment is impossible; it is not retried',
    )
  }
}

/** The reason why a contract is ended; undefined if it is not. */
function endOf(kind: Payable, failure: TreasuryRejected): string | undefined {
  if (failure.kind === 'paid-before') return 'The tracking id was paid before'
  return failure.kind === 'invalid-transfer' && kind.ends(failure.reason)
    ? failureText(failure.reason)
    : undefined
}

/** Ends contracts of one kind and payer. Answers why they could not be ended. */
async function end(
  endings: readonly Ending[],
  { economy, treasury }: EconomyRun,
): Promise<TreasuryRejected | undefined> {
  const [first] = endings
  if (first === undefined) return undefined
  const { kind } = first
  const party = kind.payerOf(first.contract)
  const install = await treasury.installOf(party)
  if (install === undefined) return { ok: false, kind: 'no-wallet', party }
  const ended = await verdictFor(economy, party, {
    free: kind.isFree,
    run: (tx) =>
      endings.forEach(({ contract: { contractId }, reason }) =>
        kind.end(tx, install.id, contractId, reason),
      ),
  })
  return ended.ok ? undefined : { ok: false, kind: 'refused', rejection: ended }
}

/** Whether another try may succeed; what fails otherwise waits for its contract to expire. */
function passes(failure: TreasuryRejected): boolean {
  if (failure.kind === 'refused') return isPassing(failure.rejection)
  return failure.kind !== 'invalid-transfer'
}
