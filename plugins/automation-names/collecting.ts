// What the network does with a payment for a name: takes it and makes or renews the entry, or gives
// the coin back. docs/payments.md
import {
  ansEntry,
  ansEntryContext,
  ansEntryContextCollectEntryRenewalPayment,
  ansEntryContextCollectInitialEntryPayment,
  ansEntryContextRejectEntryInitialPayment,
  entryNamed,
  entryProblem,
  nameCommand,
  subscriptionIdleStateExpireSubscription,
  subscriptionInitialPaymentReject,
  subscriptionPaymentReject,
} from '../../runtime/economy.ts'
import type {
  AnsEntryContext,
  Contract,
  Economy,
  EconomyRun,
  NetworkCommand,
  SubscriptionInitialPayment,
  SubscriptionPayment,
} from '../../runtime/economy.ts'

type Command = NetworkCommand<unknown>

/** The name that a subscription pays for; undefined if it is for something else. */
export async function contextOf(
  { reader }: Pick<Economy, 'reader'>,
  reference: string,
): Promise<Contract<AnsEntryContext> | undefined> {
  return (await reader.active(ansEntryContext, { reference }, { limit: 1 }))[0]
}

/** The entry, or the coin back where nobody can have the name or somebody has it. */
export async function collectFirst(
  { economy }: EconomyRun,
  { id: paymentCid, payload }: Contract<SubscriptionInitialPayment>,
): Promise<Command | undefined> {
  const paid = await paymentContext(economy)
  if (paid === undefined) return undefined
  const { transferContext, ansRulesCid } = paid
  const context = await contextOf(economy, payload.reference)
  const actAs = [economy.parties.dso]
  if (context === undefined) {
    const run: Command['run'] = (tx) =>
      tx.exercise(subscriptionInitialPaymentReject, paymentCid, { transferContext })
    return { actAs, run }
  }
  const { name } = context.payload
  // Before it is looked whether the name is free: who gives it away meanwhile has the same id.
  const once = await nameCommand(economy, name)
  const isTaken = (await entryNamed(economy, name)) !== undefined
  if (isTaken || entryProblem(economy, context.payload) !== undefined) {
    const run: Command['run'] = (tx) =>
      tx.exercise(ansEntryContextRejectEntryInitialPayment, context.id, {
        paymentCid,
        transferContext,
        ansRulesCid,
      })
    return { actAs, run }
  }
  const now = economy.clock.nowMicros()
  return {
    actAs,
    ...once,
    run: (tx) =>
      tx.exercise(ansEntryContextCollectInitialEntryPayment, context.id, {
        paymentCid,
        transferContext,
        ansRulesCid,
        now,
      }),
  }
}

/** The entry lasts longer; where it has expired before, the coin goes back and all ends. */
export async function collectRenewal(
  { economy }: EconomyRun,
  { id: paymentCid, payload }: Contract<SubscriptionPayment>,
): Promise<Command | undefined> {
  const paid = await paymentContext(economy)
  if (paid === undefined) return undefined
  const { transferContext, ansRulesCid } = paid
  const { dso } = economy.parties
  const context = await contextOf(economy, payload.reference)
  const entry = context && (await entryOf(economy, context.payload, payload.thisPaymentDueAt))
  if (context === undefined || entry === undefined) {
    return {
      actAs: [dso],
      run: (tx) => {
        const left = tx.exercise(subscriptionPaymentReject, paymentCid, { transferContext })
        tx.exercise(subscriptionIdleStateExpireSubscription, left.subscriptionState, { actor: dso })
      },
    }
  }
  return {
    actAs: [dso],
    run: (tx) =>
      tx.exercise(ansEntryContextCollectEntryRenewalPayment, context.id, {
        paymentCid,
        entryCid: entry.id,
        transferContext,
        ansRulesCid,
      }),
  }
}

/** The entry that a payment renews, unless it has expired. */
async function entryOf(
  { reader, clock }: Pick<Economy, 'reader' | 'clock'>,
  { user, name }: AnsEntryContext,
  expiresAt: bigint,
) {
  if (expiresAt <= clock.nowMicros()) return undefined
  const found = await reader.active(ansEntry, { name }, { limit: 10 })
  return found.find(({ payload }) => payload.user === user && payload.expiresAt === expiresAt)
}

/** Undefined while no round is open: then nothing can be collected. */
async function paymentContext({ network }: Pick<Economy, 'network'>) {
  const [rules, ansRules, round] = await Promise.all([
    network.coinRules(),
    network.ansRules(),
    network.usableRound(),
  ])
  return (
    round && {
      ansRulesCid: ansRules.id,
      transferContext: {
        coinRules: rules.id,
        openMiningRound: round.id,
        featuredAppRight: null,
      },
    }
  )
}
