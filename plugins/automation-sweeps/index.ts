// Moves what a wallet holds above a maximum to another party, by an offer or, where the receiver
// has approved, at once. docs/automations.md, "sweeps"
import { z } from 'zod'
import {
  acceptedTransferOffer,
  coin,
  defineAutomation,
  entityOf,
  forEachOf,
  parseDecimal,
  partyProblem,
  SubmissionRejected,
  transferOffer,
  transferPreapproval,
  Tries,
  walletAppInstall,
} from '../../runtime/economy.ts'
import type { EconomyRun } from '../../runtime/economy.ts'
import { coinToSweep } from './amount.ts'
import type { Sweep } from './amount.ts'
import { byOffer, byPreapproval, SweepRefused } from './delivery.ts'
import type { Delivery } from './delivery.ts'
import { firstUnused, nameOf } from './names.ts'

const party = z.string().refine((id) => partyProblem(id) === undefined, {
  error: ({ input }) => partyProblem(String(input)),
})

const usd = z.string().transform((text, context) => {
  const parsed = parseDecimal(text)
  if (parsed !== undefined && parsed >= 0n) return parsed
  context.addIssue('must be decimal text such as "100.0", not negative')
  return z.NEVER
})

const sweepOption = z
  .strictObject({
    receiver: party,
    /** More than this many USD in unlocked coins are swept. */
    maxBalanceUSD: usd,
    /** The balance that a sweep leaves. */
    minBalanceUSD: usd,
    /**
     * Pays at once by the receiver's preapproval; else by an offer that the receiver has to accept.
     */
    useTransferPreapproval: z.boolean().default(false),
  })
  .refine(
    ({ minBalanceUSD, maxBalanceUSD }) => minBalanceUSD <= maxBalanceUSD,
    'minBalanceUSD must not be above maxBalanceUSD',
  )

/** Sweeps the wallets that stand in `senders`. */
export default defineAutomation({
  name: 'sweeps',
  summary: 'Moves what a wallet has above its configured maximum to another party.',
  topic: 'wallets',
  options: z.strictObject({
    /** The pause before a sweep that was refused is tried again. */
    everyMs: z.int().min(10).optional(),
    /** Wallets that are swept at the same time. */
    parallel: z.int().min(1).max(1_000).default(16),
    /** Sweeps by party of the sender, whose wallet is here. */
    senders: z
      .record(party, sweepOption)
      .superRefine((senders, context) => {
        for (const [sender, { receiver }] of Object.entries(senders)) {
          if (receiver === sender)
            context.addIssue({
              code: 'custom',
              path: [sender, 'receiver'],
              message: 'must not be the sender itself',
            })
        }
      })
      .default({}),
  }),
  setup: (_host, { everyMs, parallel, senders }) => {
    const sweepers = Object.entries(senders).map(
      ([sender, { maxBalanceUSD, minBalanceUSD, ...rest }]) =>
        newSweeper({ sender, maxUsd: maxBalanceUSD, minUsd: minBalanceUSD, ...rest }),
    )
    const of = new Set(Object.keys(senders))
    const waiting = sweepers.filter(({ sweep }) => sweep.useTransferPreapproval)
    return {
      trigger:
        sweepers.length === 0
          ? {}
          : {
              pauseMs: everyMs,
              onCreated: waiting.length === 0 ? [] : [entityOf(transferPreapproval.type.id)],
              // The price changes with the round.
              onRound: true,
              wakes: [
                { templates: [entityOf(coin.type.id), entityOf(walletAppInstall.type.id)], of },
                {
                  templates: [
                    entityOf(transferOffer.type.id),
                    entityOf(acceptedTransferOffer.type.id),
                  ],
                  of,
                  isArchived: true,
                },
              ],
            },
      run: (run) => forEachOf(sweepers, parallel, run.signal, (sweeper) => sweeper.look(run)),
      // Who has just approved is paid at once.
      runFor: (created, run) => {
        const approved = new Set(created.map((one) => transferPreapproval.keysOf(one).receiver))
        const due = waiting.filter(({ sweep }) => approved.has(sweep.receiver))
        return forEachOf(due, parallel, run.signal, (sweeper) => sweeper.try(run))
      },
    }
  },
})

interface Sweeper {
  readonly sweep: Sweep
  /** Sweeps, where an earlier refusal does not ask for patience. */
  look(run: EconomyRun): Promise<void>
  /** Sweeps. A refusal is logged and keeps back this pair alone, for more looks each time. */
  try(run: EconomyRun): Promise<void>
}

function newSweeper(sweep: Sweep): Sweeper {
  const { sender, receiver } = sweep
  const sweepOnce = newSweeping(sweep)
  const tries = new Tries(Infinity)
  const attempt = async (run: EconomyRun): Promise<void> => {
    try {
      await sweepOnce(run)
      tries.done(sender)
    } catch (error) {
      if (!(error instanceof SweepRefused || error instanceof SubmissionRejected)) throw error
      tries.failed(sender)
      run.again.soon()
      run.log.warn({ sender, receiver, reason: error.message }, 'a wallet could not be swept')
    }
  }
  return {
    sweep,
    try: attempt,
    look: async (run) => {
      if (tries.isDue(sender)) await attempt(run)
      else run.again.soon()
    },
  }
}

/** Remembers how many sweeps there were, so that the next one's name is at hand. */
function newSweeping(sweep: Sweep): (run: EconomyRun) => Promise<void> {
  const delivery: Delivery = sweep.useTransferPreapproval ? byPreapproval : byOffer
  let number = 1
  let [isMissing, isCrowded] = [false, false]
  return async (run) => {
    const install = await run.treasury.installOf(sweep.sender)
    if (install === undefined && !isMissing)
      run.log.warn({ sender: sweep.sender }, 'a party without a wallet here is not swept')
    isMissing = install === undefined
    if (install === undefined) return
    const way = await delivery(sweep, install.id, run)
    const first = await coinToSweep(run.economy, sweep)
    if (first === 'too-many-offers' && !isCrowded)
      run.log.warn({ sender: sweep.sender }, 'a wallet with very many open offers is not swept')
    isCrowded = first === 'too-many-offers'
    if (isCrowded || first === 0n) return
    // The name comes before the balance is read again: who sweeps meanwhile takes the name, so that
    // this sweep is refused.
    number = await firstUnused((n) => way.isUsed(nameOf(sweep, n)), number)
    const amount = await coinToSweep(run.economy, sweep)
    if (amount === 'too-many-offers' || amount === 0n) return
    await way.send(nameOf(sweep, number), amount)
    // It may not have been the moment.
    run.again.soon()
  }
}
