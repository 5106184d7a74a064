// The network's side of names: makes the entry when the first payment is there, renews it with the
// later ones, and ends what was not paid. docs/payments.md
import { z } from 'zod'
import {
  ansEntryContextTerminate,
  defineAutomation,
  forEachOf,
  Pages,
  submitForNetwork,
  subscriptionIdleState,
  subscriptionIdleStateExpireSubscription,
  subscriptionInitialPayment,
  subscriptionPayment,
  terminatedSubscription,
  Tries,
} from '../../runtime/economy.ts'
import type {
  Contract,
  EconomyRun,
  NetworkCommand,
  TemplateKey,
  TurnFilter,
} from '../../runtime/economy.ts'
import { collectFirst, collectRenewal, contextOf } from './collecting.ts'

/** Contracts of a kind that one look goes through. */
const EACH = 200

type Command = NetworkCommand<unknown>

interface Step {
  look(run: EconomyRun, parallel: number): Promise<void>
}

/** Collects what is paid for names. */
export default defineAutomation({
  name: 'names',
  summary: 'Registers and renews names that have been paid for.',
  topic: 'network',
  scope: 'ledger',
  options: z.strictObject({
    /** How often it looks for payments. */
    everyMs: z.int().min(10).optional(),
    /** Payments that are collected at the same time. */
    parallel: z.int().min(1).max(1_000).default(8),
  }),
  setup: (_host, { everyMs, parallel }) => {
    const steps = stepsOf()
    return {
      trigger: { everyMs },
      run: (run) => forEachOf(steps, 1, run.signal, (each) => each.look(run, parallel)),
    }
  },
})

function stepsOf(): readonly Step[] {
  return [
    step(subscriptionInitialPayment.by('receiver'), collectFirst),
    step(subscriptionPayment.by('receiver'), collectRenewal),
    step(
      subscriptionIdleState.by('receiver'),
      async ({ economy }, { id, payload }) =>
        payload.nextPaymentDueAt > economy.clock.nowMicros()
          ? undefined
          : byNetwork(economy.parties.dso, (tx) =>
              tx.exercise(subscriptionIdleStateExpireSubscription, id, {
                actor: economy.parties.dso,
              }),
            ),
      ({ economy }) => ({ order: 'rank', maxRank: economy.clock.nowMicros() }),
    ),
    step(terminatedSubscription.by('receiver'), async ({ economy }, { id, payload }) => {
      const context = await contextOf(economy, payload.reference)
      const { dso } = economy.parties
      return (
        context &&
        byNetwork(dso, (tx) =>
          tx.exercise(ansEntryContextTerminate, context.id, {
            actor: dso,
            terminatedSubscriptionCid: id,
          }),
        )
      )
    }),
  ]
}

function byNetwork(dso: string, run: Command['run']): Command {
  return { actAs: [dso], run }
}

/** What the network has received of a kind, page by page. */
function step<T>(
  key: TemplateKey<T>,
  command: (run: EconomyRun, contract: Contract<T>) => Promise<Command | undefined>,
  filter: (run: EconomyRun) => TurnFilter = () => ({}),
): Step {
  const pages = new Pages(key, EACH)
  const tries = new Tries()
  return {
    look: async (run, parallel) => {
      const { economy, signal, log } = run
      const { dso } = economy.parties
      const page = (await pages.next(economy.reader, dso, filter(run))) ?? []
      await forEachOf(page, parallel, signal, (contract) =>
        tries.attempt(
          { id: contract.id, party: dso, what: 'a name cannot be seen to' },
          log,
          async () => {
            const found = await command(run, contract)
            if (found !== undefined) await submitForNetwork(economy, found)
            return true
          },
        ),
      )
    },
  }
}
