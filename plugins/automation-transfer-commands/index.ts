// Carries out the orders to pay that external parties delegated to the operator, each nonce in its turn, and gives senders the counter
// that orders need. What cannot be paid now waits, and is tried again until it expires. domain/behaviour.md §12.4
import { z } from 'zod'
import {
  defineAutomation, dsoRulesCreateTransferCommandCounter, entityOf, forEachOf, isLostRace, readFunds, submitForNetwork,
  transferCommand, transferCommandCounter, transferCommandSend,
} from '../../runtime/economy.ts'
import type {
  Contract, Economy, EconomyRun, Funds, TransferCommand, TransferCommand_Send, TransferInput,
} from '../../runtime/economy.ts'

/** How often a sender's orders are looked at anew after somebody else was faster. */
const MAX_LOST_RACES = 5


/** An order is carried out as soon as it is there; looking again is for those that wait. */
export default defineAutomation({
  name: 'transfer-commands',
  options: z.strictObject({
    /** How often it looks for orders that wait for funds or for the order before them. */
    everyMs: z.int().min(10).optional(),
    /** How many senders are served at the same time. */
    parallel: z.int().min(1).max(100).default(4),
  }),
  setup: (_host, { everyMs, parallel }) => {
    const underWay: UnderWay = new Map()
    const serveAll = (senders: readonly string[], { economy, signal }: EconomyRun) =>
      forEachOf(new Set(senders), parallel, signal, (sender) => inTurn(underWay, sender, signal, () => serve(economy, sender, signal)))
    return {
      trigger: { everyMs, onCreated: [entityOf(transferCommand.type.id)] },
      run: async (run) => serveAll((await run.economy.reader.all(transferCommand)).map(({ payload }) => payload.sender), run),
      runFor: (created, run) => serveAll(created.map((record) => transferCommand.open(record).sender), run),
    }
  },
})

/** Senders that are being served on this server. */
type UnderWay = Map<string, { hasMore: boolean }>

/** Orders of one sender that come all at once would only lose races against each other: who is served already is served again after it. */
async function inTurn(underWay: UnderWay, sender: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const other = underWay.get(sender)
  if (other !== undefined) return void (other.hasMore = true)
  const turn = { hasMore: true }
  underWay.set(sender, turn)
  try {
    while (turn.hasMore && !signal.aborted) {
      turn.hasMore = false
      await work()
    }
  } finally {
    underWay.delete(sender)
  }
}

/** All that is due. Looks again after each success: an order that came meanwhile may have found the counter behind it. */
async function serve(economy: Economy, sender: string, signal: AbortSignal): Promise<void> {
  await ensureCounter(economy, sender)
  let lostRaces = 0
  while (!signal.aborted && lostRaces <= MAX_LOST_RACES) {
    const steps = await carryOutAll(economy, await dueOrders(economy, sender), signal)
    if (!steps.has('done') && !steps.has('lost')) return
    lostRaces = steps.has('done') ? 0 : lostRaces + 1
  }
}

/** One a sender, for good, whoever carries out its orders. */
async function ensureCounter(economy: Economy, sender: string): Promise<void> {
  const { reader, network, parties: { dso } } = economy
  if ((await reader.active(transferCommandCounter, { key: [1, sender], limit: 1 })).length > 0) return
  const rules = await network.dsoRules()
  await submitForNetwork(economy, {
    actAs: [dso], commandId: `counter/${sender}`,
    run: (tx) => tx.exercise(dsoRulesCreateTransferCommandCounter, rules.id, { sender }),
  })
}

/** By nonce, so that orders that wait for each other are done in one go; expired ones are left to their end. */
async function dueOrders(
  { reader, clock, parties: { operator } }: Economy, sender: string,
): Promise<readonly Contract<TransferCommand>[]> {
  const now = clock.nowMicros()
  const all = await reader.all(transferCommand, [1, sender])
  return all.filter(({ payload }) => payload.delegate === operator && payload.expiresAt > now).toSorted(byNonce)
}

function byNonce({ payload: a }: Contract<TransferCommand>, { payload: b }: Contract<TransferCommand>): number {
  if (a.nonce === b.nonce) return 0
  return a.nonce < b.nonce ? -1 : 1
}

/** What came of an order: it is over; others were faster; it cannot be paid now; it is not its turn. */
type Step = 'done' | 'lost' | 'refused' | 'waits'

/** An order that cannot be paid does not keep another one with its nonce from being tried. */
async function carryOutAll(
  economy: Economy, orders: readonly Contract<TransferCommand>[], signal: AbortSignal,
): Promise<ReadonlySet<Step>> {
  const steps = new Set<Step>()
  for (const order of orders) {
    if (signal.aborted || steps.has('waits')) break
    steps.add(await carryOut(economy, order))
  }
  return steps
}

/** Without a counter, or ahead of it, the order waits. */
async function carryOut(economy: Economy, { id, payload: { sender, receiver, nonce } }: Contract<TransferCommand>): Promise<Step> {
  const { reader, network, engine, parties: { operator } } = economy
  const [[counter], funds, payable] = await Promise.all([
    reader.active(transferCommandCounter, { key: [1, sender], limit: 1 }), readFunds(economy, sender), network.payableTo(receiver),
  ])
  if (counter === undefined || funds === undefined || counter.payload.nextNonce < nonce) return 'waits'
  const { preapproval, right } = payable ?? {}
  const argument = argumentOf(funds, { counterCid: counter.id, preapprovalCid: preapproval?.id ?? null, rightCid: right?.id ?? null })
  const outcome = await engine.submit({
    actAs: [operator], readAs: [sender], userId: '', lowPriority: true,
    disclosedContracts: [...await network.disclosures(), ...[preapproval, right].flatMap((one) => one?.record ?? [])],
    run: (tx) => void tx.exercise(transferCommandSend, id, argument),
  })
  if (outcome.ok) return 'done'
  return isLostRace(outcome) ? 'lost' : 'refused'
}

interface Terms {
  readonly counterCid: string
  readonly preapprovalCid: string | null
  readonly rightCid: string | null
}

function argumentOf(funds: Funds, { counterCid, preapprovalCid, rightCid }: Terms): TransferCommand_Send {
  const { coinRules, context } = funds.context
  return {
    context: { coinRules, context: { ...context, featuredAppRight: rightCid } },
    inputs: inputsOf(funds),
    transferPreapprovalCid: preapprovalCid,
    transferCounterCid: counterCid,
  }
}

/** Coins, the largest first, and the coupons that the sender earned as an application. */
function inputsOf({ coins, rewards, maxNumInputs }: Funds): readonly TransferInput[] {
  const coupons = rewards.map(({ input }) => input).filter(({ tag }) => tag === 'InputAppRewardCoupon')
  return [...coins.map((value): TransferInput => ({ tag: 'InputCoin', value })), ...coupons].slice(0, maxNumInputs)
}
