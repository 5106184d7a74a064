// An external party's order to send coin, which its delegate carries out at most once: the counter
// allows each nonce one try. docs/economy-rules.md, "Transfer commands"
import {
  ExternalPartyCoinRules,
  TransferCommand,
  TransferCommandCounter,
} from '../../generated/contracts.gen.ts'
import type {
  TransferCommand_Send,
  TransferCommand_SendResult,
  TransferCommandResult,
} from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { externalPartyCoinRules } from './external-party-coin-rules.ts'
import { transferPreapproval, transferPreapprovalSend } from './preapproval.ts'
import { requireParty, byActor, requireActor } from './requirements.ts'
import { ofNetwork } from './of-network.ts'

/** Rank: expiry. */
export const transferCommand = defineTemplate(TransferCommand, {
  ...ofNetwork,
  signatories: ({ sender, dso }) => [sender, dso],
  observers: ({ delegate }) => [delegate],
  ensure: ({ amount, nonce }) => amount > 0n && nonce >= 0n,
  rank: ({ expiresAt }) => (expiresAt > 0n ? expiresAt : 0n),
})

export const transferCommandCounter = defineTemplate(TransferCommandCounter, {
  ...ofNetwork,
  observers: ({ sender }) => [sender],
  ensure: ({ nextNonce }) => nextNonce >= 0n,
})

/** The sender orders a payment under its next nonce. */
export const externalPartyCoinRulesCreateTransferCommand = choice(
  externalPartyCoinRules,
  ExternalPartyCoinRules.choices.ExternalPartyCoinRules_CreateTransferCommand,
  {
    controllers: (_rules, { sender }) => [sender],
    run: (tx: Tx, { payload: { dso } }, { expectedDso, ...command }) => {
      requireParty(tx, 'the expected network party', expectedDso, dso)
      tx.before(command.expiresAt)
      return { transferCommandCid: tx.create(transferCommand, { dso, ...command }) }
    },
  },
)

/**
 * A nonce that was used is recorded as a failure, one ahead of the counter aborts. Without a
 * preapproval the counter moves and the failure is recorded; what aborts, such as missing funds,
 * leaves command and counter as they were.
 */
export const transferCommandSend = choice(
  transferCommand,
  TransferCommand.choices.TransferCommand_Send,
  {
    controllers: ({ delegate }) => [delegate],
    run: (tx: Tx, { payload: command }, argument) => {
      tx.before(command.expiresAt)
      const counter = tx.fetch(transferCommandCounter, argument.transferCounterCid)
      requireParty(tx, 'the network party of the counter', counter.dso, command.dso)
      requireParty(tx, 'the sender of the counter', counter.sender, command.sender)
      if (counter.nextNonce > command.nonce) {
        const text = `The nonce ${command.nonce} is smaller than the current counter ${counter.nextNonce}`
        return sent(command, failure(text), argument.transferCounterCid)
      }
      tx.require(
        counter.nextNonce === command.nonce,
        `the nonce is ${counter.nextNonce}, as the counter has it`,
        () => `${command.nonce}`,
      )
      tx.archive(transferCommandCounter, argument.transferCounterCid)
      const advanced = tx.create(transferCommandCounter, {
        ...counter,
        nextNonce: counter.nextNonce + 1n,
      })
      return sent(command, pay(tx, command, argument), advanced)
    },
  },
)

/** The sender takes the order back. */
export const transferCommandWithdraw = choice(
  transferCommand,
  TransferCommand.choices.TransferCommand_Withdraw,
  {
    controllers: ({ sender }) => [sender],
    run: (_tx, { payload: { sender, nonce } }) => ({ sender, nonce }),
  },
)

/** A stakeholder removes an order that is over. */
export const transferCommandExpire = choice(
  transferCommand,
  TransferCommand.choices.TransferCommand_Expire,
  {
    controllers: byActor,
    run: (tx: Tx, { payload: { dso, sender, delegate, nonce, expiresAt } }, { actor }) => {
      requireActor(tx, actor, [dso, sender, delegate])
      tx.notBefore(expiresAt)
      return { sender, nonce }
    },
  },
)

function sent(
  { sender, nonce }: TransferCommand,
  result: TransferCommandResult,
  transferCounterCid: string,
): TransferCommand_SendResult {
  return { result, sender, nonce, transferCounterCid }
}

function failure(description: string): TransferCommandResult {
  return {
    tag: 'TransferCommandResultFailure',
    value: { reason: { tag: 'ITR_Other', value: { description } } },
  }
}

function pay(
  tx: Tx,
  command: TransferCommand,
  argument: TransferCommand_Send,
): TransferCommandResult {
  const { dso, sender, receiver, amount, description } = command
  const { context, inputs, transferPreapprovalCid } = argument
  if (transferPreapprovalCid === null)
    return failure(`No TransferPreapproval for receiver '${receiver}'`)
  const preapproval = tx.fetch(transferPreapproval, transferPreapprovalCid)
  requireParty(tx, 'the network party of the preapproval', preapproval.dso, dso)
  requireParty(tx, 'the receiver of the preapproval', preapproval.receiver, receiver)
  const order = { context, inputs, amount, sender, description, meta: null }
  const { result } = tx.exercise(transferPreapprovalSend, transferPreapprovalCid, order)
  return { tag: 'TransferCommandResultSuccess', value: { result } }
}
