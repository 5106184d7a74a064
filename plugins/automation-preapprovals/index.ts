// Keeps preapprovals going: the operator accepts what parties of this node proposed, and renews its
// preapprovals before they end. What it cannot pay now is tried again; one that has lapsed stays
// so. docs/economy-rules.md, "Preapprovals"
import { z } from 'zod'
import {
  background,
  coin,
  defineAutomation,
  entityOf,
  forEachOf,
  transferPreapproval,
  transferPreapprovalProposal,
  Tries,
  Turns,
} from '../../runtime/economy.ts'
import { endingWithin, renew, settle } from './keeping.ts'
import type { Keeping } from './keeping.ts'

const SECOND_MICROS = 1_000_000n

/**
 * Both out of the operator's wallet, in its turn. How long they last stands in
 * `validator.transferPreapproval`.
 */
export default defineAutomation({
  name: 'preapprovals',
  summary: 'Accepts preapproval proposals and renews the preapprovals of this validator.',
  topic: 'wallets',
  options: z.strictObject({
    /** The pause before what could not be given or renewed is tried again. */
    everyMs: z.int().min(10).optional(),
    /** How many wait for the operator's wallet at the same time. */
    parallel: z.int().min(1).max(1_000).default(16),
    /** How long before its end a preapproval is renewed. */
    renewalSeconds: z.int().min(1).max(3_153_600_000).default(2_592_000),
  }),
  setup: (_host, { everyMs, parallel, renewalSeconds }) => {
    const turns = new Turns(transferPreapprovalProposal.by('receiver'))
    const tries = new Tries(Infinity)
    const unpaid = new Set<string>()
    const payer = new Set<string>()
    let round: string | undefined
    const early = BigInt(renewalSeconds) * SECOND_MICROS
    return {
      trigger: {
        pauseMs: everyMs,
        onRound: true,
        wakes: [
          { templates: [entityOf(transferPreapprovalProposal.type.id)] },
          { templates: [entityOf(transferPreapproval.type.id)], at: ({ rank }) => rank - early },
          { templates: [entityOf(coin.type.id)], of: payer },
        ],
      },
      run: async (run) => {
        const {
          economy: {
            reader,
            network,
            parties: { operator },
          },
          signal,
        } = run
        const { amount: means } = await reader.total('unlocked', operator)
        const keeping: Keeping = { ...run, tries, unpaid, payer, means }
        const current = (await network.usableRound())?.id
        if (current !== round) {
          // With it, prices: what could not be paid is tried again, and what is gone wakes nobody.
          for (const id of unpaid) tries.done(id)
          payer.clear()
        }
        round = current
        const jobs = [
          async () =>
            forEachOf(turns.look(run), parallel, signal, ({ party, contracts }) =>
              background.piece(party, () => settle(keeping, contracts)),
            ),
          async () =>
            forEachOf(await endingWithin(run, early), parallel, signal, (preapproval) =>
              renew(keeping, preapproval),
            ),
        ]
        // A proposal that is refused must not keep others' preapprovals from being renewed.
        await forEachOf(jobs, 1, signal, (job) => job())
        if (unpaid.size === 0) payer.clear()
      },
    }
  },
})
