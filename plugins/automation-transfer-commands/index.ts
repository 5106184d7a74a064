// Carries out the orders to pay that external parties delegated to the operator, each nonce in its
// turn, and gives senders the counter that orders need. What cannot be paid now waits, and is tried
// again until it expires. docs/economy-rules.md, "Transfer commands"
import { z } from 'zod'
import {
  coin,
  defineAutomation,
  entityOf,
  forEachOf,
  transferCommand,
  transferCommandCounter,
  transferPreapproval,
  Tries,
  Turns,
} from '../../runtime/economy.ts'
import type { ContractRecord, EconomyRun } from '../../runtime/economy.ts'
import { serve } from './serve.ts'
import type { Serving } from './serve.ts'

/** An order is carried out as soon as it is there; looking again is for those that wait. */
export default defineAutomation({
  name: 'transfer-commands',
  summary: 'Carries out transfers that external parties have ordered.',
  topic: 'wallets',
  options: z.strictObject({
    /** The pause before orders that could not be carried out are tried again. */
    everyMs: z.int().min(10).optional(),
    /** Senders that are served at the same time. */
    parallel: z.int().min(1).max(100).default(4),
  }),
  setup: (_host, { everyMs, parallel }) => {
    const underWay: UnderWay = new Map()
    const turns = new Turns(transferCommand.by('sender'))
    const tries = new Tries()
    const waiting = new Set<string>()
    const serveSender = (
      run: EconomyRun,
      { orders, ...of }: Omit<Serving, keyof EconomyRun | 'tries' | 'waiting'>,
    ) =>
      inTurn(underWay, of.sender, run.signal, (isFirst) =>
        serve({
          ...run,
          tries,
          waiting,
          ...of,
          ...(isFirst && orders !== undefined ? { orders } : {}),
        }),
      )
    return {
      trigger: {
        pauseMs: everyMs,
        onCreated: [entityOf(transferCommand.type.id)],
        onRound: true,
        wakes: [
          {
            templates: [entityOf(coin.type.id), entityOf(transferCommandCounter.type.id)],
            of: waiting,
          },
          { templates: [entityOf(transferPreapproval.type.id)] },
        ],
      },
      run: (run) => {
        waiting.clear()
        return forEachOf(turns.look(run), parallel, run.signal, ({ party, contracts, fruitless }) =>
          serveSender(run, {
            sender: party,
            orders: contracts.map(({ record }) => record),
            fruitless,
          }),
        )
      },
      runFor: (created, run) =>
        forEachOf(bySender(created), parallel, run.signal, ([sender, orders]) => {
          turns.wake(sender)
          return serveSender(run, { sender, orders, fruitless: () => undefined })
        }),
    }
  },
})

function bySender(
  orders: readonly ContractRecord[],
): ReadonlyMap<string, readonly ContractRecord[]> {
  return Map.groupBy(orders, (order) => transferCommand.keysOf(order).sender)
}

/** Senders that are being served on this server. */
type UnderWay = Map<string, { hasMore: boolean }>

/**
 * Orders of one sender that come all at once would only lose races against each other: who is
 * served already is served again after it.
 */
async function inTurn(
  underWay: UnderWay,
  sender: string,
  signal: AbortSignal,
  work: (isFirst: boolean) => Promise<void>,
): Promise<void> {
  const other = underWay.get(sender)
  if (other !== undefined) return void (other.hasMore = true)
  const turn = { hasMore: false }
  underWay.set(sender, turn)
  try {
    await work(true)
    while (turn.hasMore && !signal.aborted) {
      turn.hasMore = false
      await work(false)
    }
  } finally {
    underWay.delete(sender)
  }
}
