// Commands that spend coins: through the wallet's handlers and treasury where those take the
// inputs, else as the user's own commands over chosen inputs.
import {
  acceptedTransferOffer,
  acceptedTransferOfferComplete,
  coinRulesBuyMemberTraffic,
  coinRulesCreateTransferPreapproval,
  externalPartyCoinRulesTransfer,
  installChoices,
  instrumentId,
  NO_METADATA,
  transferPreapprovalRenew,
} from '../../../runtime/contracts/index.ts'
import { parseDecimal } from '../../../runtime/engine/index.ts'
import { PlainError } from '../../../runtime/economy/errors.ts'
import { providedPreapproval } from '../../../runtime/economy/wallets/preapprovals.ts'
import { readFunds } from '../../../runtime/economy/treasury/funds.ts'
import { operationCommandId } from '../../../runtime/economy/treasury/operation-facts.ts'
import { mintValue } from '../../../runtime/economy/treasury/select-inputs.ts'
import { verdictFor } from '../../../runtime/economy/wallets/wallets.ts'
import type { CoinOperation } from '../../../generated/contracts.gen.ts'
import type {
  BuyTrafficAction,
  InstructAction,
  OfferAction,
  PlainAction,
  PreapproveAction,
  RenewAction,
  SelfTransferAction,
  SendAction,
  TapAction,
} from '../model/actions.ts'
import type { InputChoice } from '../model/transfer.ts'
import type { Answer } from './answers.ts'
import { DONE, engineAnswer, handlerAnswer, refuse, treasuryAnswer } from './answers.ts'
import type { Network } from './network.ts'
import { extraArgsOf, fundingOf, holdingsOf, submitAs, tokenFactory } from './submit.ts'

const HOUR = 3_600_000_000n
const NOTHING = { path: {}, query: {}, headers: {}, cookies: {} } as const

export type IdOf = (modelId: string) => string

/** Runs one operation on the coins of a party. */
export async function operate(
  { treasury, parties }: Network,
  actor: string,
  operation: CoinOperation,
): Promise<Answer> {
  return treasuryAnswer(await treasury.enqueue(parties.idOf(actor), operation))
}

export async function tap(
  { wallets, as }: Network,
  { actor, amount, commandId }: TapAction,
): Promise<Answer> {
  const body = { amount, ...(commandId === null ? {} : { command_id: commandId }) }
  return handlerAnswer(await wallets.tap({ ...NOTHING, body }, await as(actor)))
}

export async function offer(
  { wallets, as, parties }: Network,
  action: OfferAction,
): Promise<Answer> {
  const {
    actor,
    receiver,
    amount,
    expiresAt: expires_at,
    trackingId: tracking_id,
    description,
  } = action
  const body = {
    receiver_party_id: parties.idOf(receiver),
    amount,
    expires_at,
    tracking_id,
    description,
  }
  return handlerAnswer(await wallets.createTransferOffer({ ...NOTHING, body }, await as(actor)))
}

export async function send(network: Network, action: SendAction, idOf: IdOf): Promise<Answer> {
  const { actor, receiver, amount, inputs, commandId } = action
  const { economy, parties, wallets, as } = network
  const receiverId = parties.idOf(receiver)
  if (inputs === 'treasury' && commandId !== null) {
    const body = { receiver_party_id: receiverId, amount, deduplication_id: commandId }
    return handlerAnswer(
      await wallets.transferPreapprovalSend({ ...NOTHING, body }, await as(actor)),
    )
  }
  const preapproval = await economy.network.preapprovalOf(receiverId)
  if (preapproval === undefined) return refuse('not-found', 'no preapproval')
  if (inputs !== 'treasury')
    return tokenTransfer(network, { ...terms(action, network), isDirect: true, commandId }, idOf)
  const parsed = parseDecimal(amount)
  if (parsed === undefined) return refuse('invalid', amount)
  const right = await economy.network.featuredAppRightOf(preapproval.payload.provider)
  const value = {
    transferPreapprovalCid: preapproval.id,
    providerFeaturedAppRightCid: right?.id ?? null,
    amount: parsed,
    description: null,
  }
  return operate(network, actor, { tag: 'CO_TransferPreapprovalSend', value })
}

export async function instruct(
  network: Network,
  action: InstructAction,
  idOf: IdOf,
): Promise<Answer> {
  return tokenTransfer(network, { ...action, isDirect: false, commandId: null }, idOf)
}

export async function selfTransfer(
  network: Network,
  action: SelfTransferAction,
  idOf: IdOf,
): Promise<Answer> {
  const ownTerms = terms({ ...action, receiver: action.actor }, network)
  return tokenTransfer(network, { ...ownTerms, isDirect: false, commandId: null }, idOf)
}

interface TokenTerms {
  readonly actor: string
  readonly receiver: string
  readonly amount: string
  readonly inputs: InputChoice
  readonly requestedAt: bigint
  readonly executeBefore: bigint
  readonly isDirect: boolean
  readonly commandId: string | null
}

function terms<T>(
  action: T,
  { clock }: Network,
): T & { readonly requestedAt: bigint; readonly executeBefore: bigint } {
  return { ...action, requestedAt: clock.now, executeBefore: clock.now + HOUR }
}

/**
 * With a command id through the wallet, whose id it then shares with the treasury; else as the
 * user's own command.
 */
async function tokenTransfer(network: Network, order: TokenTerms, idOf: IdOf): Promise<Answer> {
  const { actor, receiver, requestedAt, executeBefore, isDirect, commandId } = order
  const { economy, parties } = network
  const amount = parseDecimal(order.amount)
  if (amount === undefined) return refuse('invalid', order.amount)
  const found = await tokenFactory(network, actor, receiver, isDirect)
  if (found instanceof PlainError)
    return refuse(found.status === 404 ? 'no-round' : 'requirement', found.message)
  const inputHoldingCids = await holdingsOf(network, actor, order.inputs, idOf)
  const [sender, admin] = [parties.idOf(actor), economy.parties.dso]
  const transfer = {
    sender,
    receiver: parties.idOf(receiver),
    amount,
    instrumentId: { admin, id: instrumentId() },
    requestedAt,
    executeBefore,
    inputHoldingCids,
    meta: NO_METADATA,
  }
  const transferArg = { expectedAdmin: admin, transfer, extraArgs: extraArgsOf(found.context) }
  const disclosed = found.context.disclosed.map(({ record }) => record)
  if (commandId === null) {
    return submitAs(network, [actor], {
      disclosed,
      run: (tx) => tx.exercise(externalPartyCoinRulesTransfer, found.factoryId, transferArg),
    })
  }
  const wallet = await walletOf(network, actor)
  const command = operationCommandId(sender, { tag: 'CO_TransferPreapprovalSend' }, commandId)
  return engineAnswer(
    await verdictFor(economy, sender, {
      commandId: command,
      disclosed,
      run: (tx) =>
        tx.exercise(installChoices.WalletAppInstall_TransferFactory_Transfer, wallet, {
          transferFactoryCid: found.factoryId,
          transferArg,
        }),
    }),
  )
}

async function walletOf({ economy, parties }: Network, actor: string): Promise<string> {
  const install = await economy.network.walletOfUser(actor, parties.idOf(actor))
  if (install === undefined) throw new Error(`${actor} has no wallet`)
  return install.id
}

/** Merges and mints where there is something to merge or mint, as the automation does. */
export async function collect(network: Network, actor: string): Promise<Answer> {
  const funds = await readFunds(network.economy, network.parties.idOf(actor))
  if (funds === undefined || (mintValue(funds.rewards) <= 0n && funds.coinCount <= 1)) return DONE
  return operate(network, actor, { tag: 'CO_MergeTransferInputs', value: {} })
}

/** `isExpected`: then by way of a request, which a refusal would leave behind. */
export async function buyTraffic(
  network: Network,
  action: BuyTrafficAction,
  idOf: IdOf,
  isExpected: boolean,
): Promise<Answer> {
  const { actor, inputs, member: memberId, bytes: trafficAmount } = action
  const { economy, parties, config } = network
  const isOurs = action.synchronizer === config.synchronizer
  const synchronizerId = isOurs ? economy.node.synchronizerId : action.synchronizer
  const wanted = { memberId, synchronizerId, migrationId: 0n, trafficAmount }
  if (inputs === 'treasury' && isExpected) return requestTraffic(network, actor, wanted)
  const funding = await fundingOf(network, actor, inputs, idOf)
  if (funding === undefined) return refuse('no-round', '')
  const {
    context: { coinRules, context },
    readAs,
  } = funding
  const argument = {
    ...wanted,
    inputs: funding.inputs,
    context,
    provider: parties.idOf(actor),
    expectedDso: economy.parties.dso,
  }
  return submitAs(network, [actor], {
    readAs,
    run: (tx) => tx.exercise(coinRulesBuyMemberTraffic, coinRules, argument),
  })
}

interface Wanted {
  readonly memberId: string
  readonly synchronizerId: string
  readonly migrationId: bigint
  readonly trafficAmount: bigint
}

function buyingTerms(wanted: Wanted, now: bigint) {
  return { ...wanted, expiresAt: now + HOUR, trackingId: `traffic-${now}` }
}

async function requestTraffic(network: Network, actor: string, wanted: Wanted): Promise<Answer> {
  const { economy, clock, parties } = network
  const install = await walletOf(network, actor)
  const request = buyingTerms(wanted, clock.now)
  const made = await verdictFor(economy, parties.idOf(actor), {
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_CreateBuyTrafficRequest, install, request)
        .buyTrafficRequestCid,
  })
  if (!made.ok) return engineAnswer(made)
  return untilFree(() =>
    operate(network, actor, {
      tag: 'CO_CompleteBuyTrafficRequest',
      value: { trafficRequestCid: made.result },
    }),
  )
}

/** Second steps are taken until others leave room: the first cannot be taken back. */
async function untilFree(act: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await quietly(act)
    if (answer.ok || answer.reason !== 'busy' || attempt === 100) return answer
  }
}

/** A store that is out of reach is as good as one that is busy. */
export async function quietly(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'STORE_UNAVAILABLE')
      return refuse('busy', error.message)
    throw error
  }
}

/** The operator's treasury by way of a proposal, where nothing stands against it. */
export async function preapprove(
  network: Network,
  action: PreapproveAction,
  idOf: IdOf,
  isExpected: boolean,
): Promise<Answer> {
  const { actor, receiver, inputs, expiresAt } = action
  const {
    economy,
    parties,
    config,
    clock: { now },
  } = network
  const receiverId = parties.idOf(receiver)
  if ((await providedPreapproval(economy, receiverId)) !== undefined)
    return refuse('duplicate', 'there is one')
  if (inputs === 'treasury' && isExpected) return propose(network, action)
  const funding = await fundingOf(network, actor, inputs, idOf)
  if (funding === undefined) return refuse('no-round', '')
  const {
    context: { coinRules, context },
    readAs,
  } = funding
  const argument = {
    receiver: receiverId,
    provider: economy.parties.operator,
    context,
    inputs: funding.inputs,
    createdAt: now,
    expiresAt,
    expectedDso: economy.parties.dso,
  }
  const actors = actor === config.operator ? [actor, receiver] : [actor]
  return submitAs(network, actors, {
    readAs,
    run: (tx) => tx.exercise(coinRulesCreateTransferPreapproval, coinRules, argument),
  })
}

async function propose(
  network: Network,
  { actor, receiver, expiresAt }: PreapproveAction,
): Promise<Answer> {
  const {
    economy,
    parties,
    clock: { now },
  } = network
  const install = await walletOf(network, receiver)
  const made = await verdictFor(economy, parties.idOf(receiver), {
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_TransferPreapprovalProposal_Create, install, {})
        .transferPreapprovalProposalCid,
  })
  if (!made.ok) return engineAnswer(made)
  const value = { preapprovalProposalCid: made.result, expiresAt, now }
  return untilFree(() =>
    operate(network, actor, { tag: 'CO_AcceptTransferPreapprovalProposal', value }),
  )
}

export async function renew(
  network: Network,
  { actor, id, inputs, expiresAt: newExpiresAt }: RenewAction,
  idOf: IdOf,
): Promise<Answer> {
  const previousApprovalCid = idOf(id)
  if (inputs === 'treasury' && actor === network.config.operator) {
    return operate(network, actor, {
      tag: 'CO_RenewTransferPreapproval',
      value: { previousApprovalCid, newExpiresAt },
    })
  }
  const funding = await fundingOf(network, actor, inputs, idOf)
  if (funding === undefined) return refuse('no-round', '')
  const { context, readAs } = funding
  return submitAs(network, [actor], {
    readAs,
    run: (tx) =>
      tx.exercise(transferPreapprovalRenew, previousApprovalCid, {
        context,
        inputs: funding.inputs,
        newExpiresAt,
      }),
  })
}

/** The sender's treasury; whoever else tries does so alone. */
export async function complete(
  network: Network,
  { actor, id }: PlainAction,
  idOf: IdOf,
): Promise<Answer> {
  const { economy, parties } = network
  const [acceptedTransferOfferCid, party] = [idOf(id), parties.idOf(actor)]
  const found = await economy.reader.get(acceptedTransferOffer, acceptedTransferOfferCid)
  if (found === undefined || found.payload.sender === party) {
    return operate(network, actor, {
      tag: 'CO_CompleteAcceptedTransfer',
      value: { acceptedTransferOfferCid },
    })
  }
  const funding = await fundingOf(network, actor, [], idOf)
  if (funding === undefined) return refuse('no-round', '')
  const argument = { inputs: [], context: funding.context, walletProvider: party }
  return submitAs(network, [actor], {
    run: (tx) => tx.exercise(acceptedTransferOfferComplete, acceptedTransferOfferCid, argument),
  })
}
