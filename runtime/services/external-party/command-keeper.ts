// Carries out the orders that external parties delegated to the operator, each nonce in its turn. What cannot be paid now waits, and is
// tried again until it expires. domain/behaviour.md §12.4
import type { TransferCommand, TransferCommand_Send, TransferInput } from '../../../generated/contracts.gen.ts'
import { transferCommand, transferCommandCounter, transferCommandSend } from '../../contracts/index.ts'
import type { Contract } from '../../ledger/index.ts'
import type { Economy } from '../economy.ts'
import type { ServiceTask } from '../network/task.ts'
import { readFunds } from '../wallet/treasury/funds.ts'
import type { Funds } from '../wallet/treasury/funds.ts'

/** The task of the operator. */
export function commandKeeper(economy: Economy): ServiceTask {
  return {
    name: 'transfer-commands',
    everyMs: economy.settings.validator.pollMs,
    run: async (signal) => {
      for (const command of await dueCommands(economy)) {
        if (signal.aborted) return
        await carryOut(economy, command)
      }
    },
  }
}

/** By nonce, so that a sender's orders that wait for each other are done in one go; expired ones are left to their end. */
async function dueCommands({ reader, clock, parties: { operator } }: Economy): Promise<readonly Contract<TransferCommand>[]> {
  const now = clock.nowMicros()
  const all = await reader.all(transferCommand, [2, operator])
  return all.filter(({ payload }) => payload.expiresAt > now).toSorted(byNonce)
}

function byNonce({ payload: a }: Contract<TransferCommand>, { payload: b }: Contract<TransferCommand>): number {
  if (a.nonce === b.nonce) return 0
  return a.nonce < b.nonce ? -1 : 1
}

/** Without a counter, or ahead of it, the order waits. */
async function carryOut(economy: Economy, { id, payload: { sender, receiver, nonce } }: Contract<TransferCommand>): Promise<void> {
  const { reader, network, engine, parties: { operator } } = economy
  const [[counter], funds, preapproval] = await Promise.all([
    reader.active(transferCommandCounter, { key: [1, sender], limit: 1 }), readFunds(economy, sender), network.preapprovalOf(receiver),
  ])
  if (counter === undefined || funds === undefined || counter.payload.nextNonce < nonce) return
  const right = preapproval && await network.featuredAppRightOf(preapproval.payload.provider)
  const argument = argumentOf(funds, { counterCid: counter.id, preapprovalCid: preapproval?.id ?? null, rightCid: right?.id ?? null })
  // Refusals say that others were faster, or that the order cannot be paid yet.
  await engine.submit({
    actAs: [operator], readAs: [sender], userId: '',
    disclosedContracts: [...await network.disclosures(), ...[preapproval, right].flatMap((one) => one?.record ?? [])],
    run: (tx) => void tx.exercise(transferCommandSend, id, argument),
  })
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
