// The sender's side of subscriptions: makes each payment once it can be made, out of the sender's
// wallet. docs/payments.md
import { z } from 'zod'
import {
  coin,
  defineAutomation,
  entityOf,
  forEachOf,
  isPassing,
  nextRank,
  subscriptionIdleState,
  SubmissionRejected,
  treasuryError,
  Tries,
  Turns,
  walletAppInstall,
} from '../../runtime/economy.ts'
import type { Contract, EconomyRun, SubscriptionIdleState } from '../../runtime/economy.ts'

/** Pays for subscriptions of parties that have a wallet here. */
export default defineAutomation({
  name: 'subscriptions',
  summary: 'Makes due subscription payments from the payer’s wallet.',
  topic: 'wallets',
  options: z.strictObject({
    /** The pause before a payment that could not be made is tried again. */
    everyMs: z.int().min(10).optional(),
    /** Parties that pay at the same time. */
    parallel: z.int().min(1).max(1_000).default(32),
  }),
  setup: (_host, { everyMs, parallel }) => {
    const turns = new Turns(subscriptionIdleState.by('sender'))
    const tries = new Tries()
    const short = new Set<string>()
    return {
      trigger: {
        pauseMs: everyMs,
        onRound: true,
        wakes: [
          { templates: [entityOf(subscriptionIdleState.type.id)], at: ({ rank }) => rank },
          { templates: [entityOf(coin.type.id)], of: short },
          { templates: [entityOf(walletAppInstall.type.id)] },
        ],
      },
      run: async (run) => {
        const { reader, clock } = run.economy
        const now = clock.nowMicros()
        short.clear()
        const due = turns.look(run, { order: 'rank', maxRank: now })
        await forEachOf(due, parallel, run.signal, ({ party, contracts }) =>
          payOwn({ ...run, tries, short }, party, contracts),
        )
        const next = await nextRank(reader, subscriptionIdleState, now)
        if (next !== undefined) run.again.at(next)
      },
    }
  },
})

interface Paying extends EconomyRun {
  readonly tries: Tries
  /** Parties that may have too little for what is due: a coin of theirs wakes this. */
  readonly short: Set<string>
}

/**
 * What one party with a wallet of this node has to pay; what its coins do not cover is tried again
 * when it has more.
 */
async function payOwn(
  run: Paying,
  party: string,
  states: readonly Contract<SubscriptionIdleState>[],
): Promise<void> {
  const { economy, treasury, signal, again, tries, short } = run
  // Who has no wallet here may have one at another node.
  if ((await treasury.installOf(party)) === undefined) return
  const now = economy.clock.nowMicros()
  const payable = states.filter(({ payload }) => !isTooLate(payload, economy.parties.dso, now))
  if (payable.length === 0) return
  // Also where nothing is due at this look, and before its means are read: no coin is missed.
  short.add(party)
  const { amount: means } = await economy.reader.total('unlocked', party)
  await forEachOf(payable, 1, signal, ({ id: subscriptionStateCid }) =>
    tries.attempt(
      { id: subscriptionStateCid, party, means, what: 'a subscription cannot be paid' },
      run,
      async () => {
        const done = await treasury.enqueue(party, {
          tag: 'CO_SubscriptionMakePayment',
          value: { subscriptionStateCid, now },
        })
        if (done.ok || done.kind === 'target-gone') return true
        if (done.kind === 'invalid-transfer') return false
        if (done.kind === 'refused' && !isPassing(done.rejection))
          throw new SubmissionRejected(`a payment was refused: ${treasuryError(done).message}`)
        again.soon()
        return true
      },
    ),
  )
}

/** A name is gone when its payment is overdue; other apps say themselves how long they wait. */
function isTooLate(
  { subscriptionData, nextPaymentDueAt }: SubscriptionIdleState,
  dso: string,
  now: bigint,
): boolean {
  return subscriptionData.receiver === dso && nextPaymentDueAt <= now
}
