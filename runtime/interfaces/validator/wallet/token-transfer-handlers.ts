// Transfers of the token standard out of and into a wallet: direct to oneself or a preapproved
// receiver, else in two steps.
import { TransferInstructionResult } from '../../../../generated/contracts.gen.ts'
import type { CoinTransferInstruction } from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type {
  CreateTransferOfferRequest,
  TransferInstructionOutput as WireOutput,
  TransferInstructionResult as WireResult,
} from '../../../../generated/validator/types.gen.ts'
import {
  coinTransferInstruction,
  installChoices,
  instrumentId,
  reasonMetadata,
} from '../../../contracts/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { transferContext, transferInstructionContext } from '../../registry/index.ts'
import type { InstructionChoice } from '../../registry/index.ts'
import type { Context } from '../../reply.ts'
import { PlainError } from '../../../economy/errors.ts'
import { contractToWire } from '../../contract-wire.ts'
import { strangerProblem, walletActs, walletLists, walletScope } from './operations.ts'
import type { Subject } from './operations.ts'
import { futureTime, payableAmount, textProblem } from '../../../economy/parse.ts'
import { contentOf } from '../../../economy/wallets/request-ids.ts'
import { trackedCommandId } from '../../../economy/wallets/tracking.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import { farProblem, orderOnce } from './factory-orders.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

const INSTRUCTION: Subject<CoinTransferInstruction> = {
  template: coinTransferInstruction,
  what: 'transfer',
  parties: ({ transfer: { sender, receiver } }) => ({ sender, receiver }),
}

/** Handlers of all operations on transfers of the token standard. */
export function tokenTransferHandlers(economy: Economy, treasury: Treasury) {
  const { acting } = walletActs(economy)
  const ending = (
    name: InstructionChoice,
    choice: (typeof installChoices)[
      | 'WalletAppInstall_TransferInstruction_Accept'
      | 'WalletAppInstall_TransferInstruction_Reject'
      | 'WalletAppInstall_TransferInstruction_Withdraw'],
  ) =>
    acting(
      INSTRUCTION,
      {
        role: name === 'withdraw' ? 'sender' : 'receiver',
        choice,
        context: (cid) => transferInstructionContext(economy, cid, name),
      },
      (cid, extraArgs) => ({ cid, extraArgs }),
      resultToWire,
    )
  return {
    createTokenStandardTransfer: walletScope(economy)(
      (wallet, { body }) => create({ economy, treasury }, wallet, body),
      resultToWire,
    ),
    listTokenStandardTransfers: walletLists(economy)(
      'transfers',
      [coinTransferInstruction.by('sender'), coinTransferInstruction.by('receiver')],
      contractToWire,
    ),
    acceptTokenStandardTransfer: ending(
      'accept',
      installChoices.WalletAppInstall_TransferInstruction_Accept,
    ),
    rejectTokenStandardTransfer: ending(
      'reject',
      installChoices.WalletAppInstall_TransferInstruction_Reject,
    ),
    withdrawTokenStandardTransfer: ending(
      'withdraw',
      installChoices.WalletAppInstall_TransferInstruction_Withdraw,
    ),
  } satisfies Partial<Handlers<Context>>
}

function resultToWire({ output, senderChangeCids, meta }: TransferInstructionResult): WireResult {
  return {
    output: outputToWire(output),
    sender_change_cids: [...senderChangeCids],
    meta: Object.fromEntries(meta.values),
  }
}

function outputToWire(output: TransferInstructionResult['output']): WireOutput {
  switch (output.tag) {
    case 'TransferInstructionResult_Pending':
      return { transfer_instruction_cid: output.value.transferInstructionCid }
    case 'TransferInstructionResult_Completed':
      return { receiver_holding_cids: [...output.value.receiverHoldingCids] }
    case 'TransferInstructionResult_Failed':
      return {}
  }
}

/** A tracking id that was used within a day answers as it did then, if the same is asked for. */
async function create(
  services: { readonly economy: Economy; readonly treasury: Treasury },
  { party: sender, install }: Wallet,
  request: CreateTransferOfferRequest,
): Promise<TransferInstructionResult | PlainError> {
  const { economy } = services
  const terms = termsOf(request)
  if (terms instanceof PlainError) return terms
  const { receiver, amount, executeBefore, description } = terms
  const { dso: admin } = economy.parties
  return orderOnce(services, sender, {
    asked: {
      commandId: trackedCommandId('token-transfer', sender, request.tracking_id),
      content: contentOf(receiver, amount, description, executeBefore),
    },
    amount,
    problemAt: async (now) => {
      const time = futureTime(executeBefore, now)
      if (time instanceof PlainError) return time
      return (
        (await farProblem(economy, 'expires_at', executeBefore - now)) ??
        strangerProblem(economy, receiver)
      )
    },
    context: () => transferContext(economy, { sender, receiver }),
    exercise: (tx, { factoryCid: transferFactoryCid, extraArgs, ...means }) => {
      const transfer = {
        sender,
        receiver,
        amount,
        executeBefore,
        instrumentId: { admin, id: instrumentId() },
        meta: reasonMetadata(description),
        ...means,
      }
      return tx.exercise(installChoices.WalletAppInstall_TransferFactory_Transfer, install.id, {
        transferFactoryCid,
        transferArg: { expectedAdmin: admin, transfer, extraArgs },
      })
    },
    decode: (result) => TransferInstructionResult.decode(result),
  })
}

interface Terms {
  readonly receiver: string
  readonly amount: bigint
  readonly executeBefore: bigint
  readonly description: string
}

/** 400 for what cannot be transferred at any time. */
function termsOf(request: CreateTransferOfferRequest): Terms | PlainError {
  const {
    receiver_party_id: receiver,
    description,
    expires_at: executeBefore,
    tracking_id,
  } = request
  const amount = payableAmount(request.amount)
  if (amount instanceof PlainError) return amount
  return (
    textProblem(receiver, description, tracking_id) ?? {
      receiver,
      amount,
      executeBefore,
      description,
    }
  )
}
