// The network's side of names: makes the entry when the first payment is there, renews it with the
// later ones, and ends what was not paid. docs/payments.md
import { z } from 'zod'
import {
  ansEntryContextTerminate,
  defineAutomation,
  entityOf,
  forEachOf,
  nextRank,
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
    /** The pause before a payment that could not be collected is tried again. */
    everyMs: z.int().min(10).optional(),
    /** Payments that are collected at the same time. */
    parallel: z.int().min(1).max(1_000).default(8),
  }),
  setup: (_host, { everyMs, parallel }) => {
    const steps = stepsOf()
    return {
      trigger: {
        pauseMs: everyMs,
        // Nothing can be collected while no round is open.
        onRound: true,
        wakes: [
          {
            templates: [
              subscriptionInitialPayment,
              subscriptionPayment,
              terminatedSubscription,
            ].map(({ type }) => entityOf(type.id)),
          },
          { templates: [entityOf(subscriptionIdleState.type.id)], at: ({ rank }) => rank },
        ],
      },
      run: async (run) => {
        await forEachOf(steps, 1, run.signal, (each) => each.look(run, parallel))
        const { reader, clock } = run.economy
        const next = await nextRank(reader, subscriptionIdleState, clock.nowMicros())
        if (next !== undefined) run.again.at(next)
      },
    }
  },
})

function stepsOf(): readonly Step[] {
  return [
    step(subscriptionInitialPayment.by('receiver'), collectFirst),
    step(subscriptionPayment.by('receiver'), collectRenewal),
    step(
      subscriptionIdleState.by('receiver'),
      async ({ economy, again }, { id, payload }) => {
        const { dso: actor } = economy.parties
        if (payload.nextPaymentDueAt <= economy.clock.nowMicros())
          return byNetwork(actor, (tx) =>
            tx.exercise(subscriptionIdleStateExpireSubscription, id, { actor }),
          )
        again.at(payload.nextPaymentDueAt)
        return undefined
      },
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

/** A step over all that the network has received of a kind, page by page. */
function step<T>(
  key: TemplateKey<T>,
  command: (run: EconomyRun, contract: Contract<T>) => Promise<Command | undefined>,
  filter: (run: EconomyRun) => TurnFilter = () => ({}),
): Step {
  const pages = new Pages(key, EACH)
  const tries = new Tries()
  return {
    look: async (run, parallel) => {
      const { economy, signal, again } = run
      const { dso } = economy.parties
      const page = (await pages.next(economy.reader, dso, filter(run))) ?? []
      if (pages.hasMore) again.soon()
      await forEachOf(page, parallel, signal, (contract) =>
        tries.attempt(
          { id: contract.id, party: dso, what: 'a name cannot be seen to' },
          run,
          async () => {
            const found = await command(run, contract)
            if (found !== undefined && (await submitForNetwork(economy, found)) === undefined)
              again.soon()
            return true
          },
        ),
      )
    },
  }
}
