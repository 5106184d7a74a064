// Accepts legacy offers of senders that the receiver's validator trusts, as soon as they are made,
// whatever the amount. Instructions of the token standard are left to the receiver.
// docs/automations.md, "auto-accept"
import { z } from 'zod'
import {
  defineAutomation,
  entityOf,
  forEachOf,
  installChoices,
  Pages,
  partyProblem,
  submitFor,
  transferOffer,
  Tries,
  walletAppInstall,
} from '../../runtime/economy.ts'
import type { ContractRecord, EconomyRun } from '../../runtime/economy.ts'

const party = z.string().refine((id) => partyProblem(id) === undefined, {
  error: ({ input }) => partyProblem(String(input)),
})

/** Offers of a sender that are looked at at once. */
const OFFERS_OF_ONE = 200

/** Accepts what stands in `receivers`, and touches nothing else. */
export default defineAutomation({
  name: 'auto-accept',
  summary: 'Accepts offers for the receivers and senders that the configuration names.',
  topic: 'wallets',
  options: z.strictObject({
    /**
     * The pause before offers that could not be accepted are tried again; those from before the
     * start are found by its first run.
     */
    everyMs: z.int().min(10).optional(),
    /** Offers that are accepted at the same time. */
    parallel: z.int().min(1).max(1_000).default(32),
    /**
     * By party of the receiver, whose wallet is here: from which parties its offers are accepted.
     */
    receivers: z.record(party, z.strictObject({ fromParties: z.array(party).min(1) })).default({}),
  }),
  setup: (_host, { everyMs, parallel, receivers }) => {
    const trusted = new Map(
      Object.entries(receivers).map(([receiver, { fromParties }]) => [
        receiver,
        new Set(fromParties),
      ]),
    )
    const senders = new Set(Object.values(receivers).flatMap(({ fromParties }) => fromParties))
    const pages = new Pages(transferOffer.by('sender'), OFFERS_OF_ONE)
    const accepting = { missing: new Set<string>(), tries: new Tries() }
    const accept = (offers: readonly ContractRecord[], run: EconomyRun) => {
      const now = run.economy.clock.nowMicros()
      const due = offers.filter((offer) => {
        const { sender, receiver } = transferOffer.keysOf(offer)
        return trusted.get(receiver)?.has(sender) === true && offer.rank > now
      })
      return forEachOf(due, parallel, run.signal, (offer) =>
        acceptOne(offer, { ...run, ...accepting }),
      )
    }
    return {
      trigger:
        trusted.size === 0
          ? {}
          : {
              pauseMs: everyMs,
              onCreated: [entityOf(transferOffer.type.id)],
              wakes: [{ templates: [entityOf(walletAppInstall.type.id)] }],
            },
      runFor: accept,
      // By sender: whoever is not trusted may have made the receivers any number of offers.
      run: (run) =>
        forEachOf(senders, 1, run.signal, async (sender) => {
          const offers = (await pages.next(run.economy.reader, sender)) ?? []
          if (pages.hasMore) run.again.soon()
          await accept(
            offers.map(({ record }) => record),
            run,
          )
        }),
    }
  },
})

interface Accepting extends EconomyRun {
  /** Receivers that the log says are not here. */
  readonly missing: Set<string>
  readonly tries: Tries
}

async function acceptOne(offer: ContractRecord, run: Accepting): Promise<void> {
  const { economy, treasury, log, missing, tries } = run
  const { contractId: cid } = offer
  const { sender: party, receiver } = transferOffer.keysOf(offer)
  const install = await treasury.installOf(receiver)
  if (install === undefined) {
    if (!missing.has(receiver))
      log.warn({ receiver }, 'offers are not accepted for a party without a wallet here')
    missing.add(receiver)
    return
  }
  missing.delete(receiver)
  await tries.attempt({ id: cid, party, what: 'an offer cannot be accepted' }, run, async () => {
    const done = await submitFor(economy, receiver, {
      run: (tx) =>
        tx.exercise(installChoices.WalletAppInstall_TransferOffer_Accept, install.id, { cid }),
    })
    if (done === undefined) run.again.soon()
    return true
  })
}
