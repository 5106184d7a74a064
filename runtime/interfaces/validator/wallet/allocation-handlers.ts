// Coin of a wallet that is kept for a settlement, and the requests for that. docs/allocations.md
import { isContractId } from '../../../../generated/contract-codec.gen.ts'
import { AllocationInstructionResultV1 } from '../../../../generated/contracts.gen.ts'
import type {
  AllocationSpecificationV1,
  CoinAllocation,
  OTCTrade,
} from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type {
  AllocateCoinRequest,
  AllocateCoinResponse,
  AllocationInstructionOutput as WireOutput,
} from '../../../../generated/validator/types.gen.ts'
import { coinAllocation, installChoices, instrumentId, oTCTrade } from '../../../contracts/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { badRequest, PlainError } from '../../../economy/errors.ts'
import { payableAmount, textProblem } from '../../../economy/parse.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import { contentOf } from '../../../economy/wallets/request-ids.ts'
import type { RequestId } from '../../../economy/wallets/request-ids.ts'
import { trackedCommandId } from '../../../economy/wallets/tracking.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'
import { contractToWire } from '../../contract-wire.ts'
import { allocationContext, allocationFactoryContext } from '../../registry/index.ts'
import type { Context } from '../../reply.ts'
import { bothWays, listed } from '../lists.ts'
import type { ListQuery } from '../lists.ts'
import { farProblem, orderOnce } from './factory-orders.ts'
import { listBody, strangerProblem, walletActs, walletLists, walletScope } from './operations.ts'
import type { Subject } from './operations.ts'

const ALLOCATION: Subject<CoinAllocation> = {
  template: coinAllocation,
  what: 'allocation',
  parties: ({ allocation: { settlement, transferLeg } }) => ({
    executor: settlement.executor,
    sender: transferLeg.sender,
  }),
}

const REQUEST: Subject<OTCTrade> = {
  template: oTCTrade,
  what: 'allocation request',
  parties: ({ venue, transferLegs }) => {
    const legs = [...transferLegs.values()]
    return {
      venue,
      'sender of a leg': legs.map(({ sender }) => sender),
      receiver: legs.map(({ receiver }) => receiver),
    }
  },
}

/** Handlers of all operations on allocations and on requests for them. */
export function allocationHandlers(economy: Economy, treasury: Treasury) {
  const inWallet = walletScope(economy)
  const { acting } = walletActs(economy)
  return {
    allocateCoin: inWallet(
      (wallet, { body }) => create({ economy, treasury }, wallet, body),
      resultToWire,
    ),
    listCoinAllocations: walletLists(economy)(
      'allocations',
      [coinAllocation.by('sender')],
      (contract) => ({ contract: contractToWire(contract) }),
    ),
    withdrawCoinAllocation: acting(
      ALLOCATION,
      {
        role: 'sender',
        choice: installChoices.WalletAppInstall_Allocation_Withdraw,
        context: (cid) => allocationContext(economy, cid, 'withdraw'),
      },
      (cid, extraArgs) => ({ cid, extraArgs }),
      ({ senderHoldingCids, meta }) => ({
        sender_holding_cids: [...senderHoldingCids],
        meta: Object.fromEntries(meta.values),
      }),
    ),
    listAllocationRequests: inWallet(
      ({ party }, { query }, { signal }) => requestsOf(economy, party, { ...query, signal }),
      (list) => listBody('allocation_requests', list),
    ),
    rejectAllocationRequest: acting(
      REQUEST,
      {
        role: 'sender of a leg',
        choice: installChoices.WalletAppInstall_AllocationRequest_Reject,
      },
      (cid, extraArgs) => ({ cid, extraArgs }),
      ({ meta }) => ({ meta: Object.fromEntries(meta.values) }),
    ),
  } satisfies Partial<Handlers<Context>>
}

function resultToWire(result: AllocationInstructionResultV1): AllocateCoinResponse {
  const { output, senderChangeCids, meta } = result
  return {
    output: outputToWire(output),
    sender_change_cids: [...senderChangeCids],
    meta: Object.fromEntries(meta.values),
  }
}

function outputToWire(output: AllocationInstructionResultV1['output']): WireOutput {
  switch (output.tag) {
    case 'AllocationInstructionResult_Pending':
      return { allocation_instruction_cid: output.value.allocationInstructionCid }
    case 'AllocationInstructionResult_Completed':
      return { allocation_cid: output.value.allocationCid }
    case 'AllocationInstructionResult_Failed':
      return {}
  }
}

/** A leg that was allocated within a day answers as it did then, if the same is asked for. */
async function create(
  services: { readonly economy: Economy; readonly treasury: Treasury },
  { party, install }: Wallet,
  request: AllocateCoinRequest,
): Promise<AllocationInstructionResultV1 | PlainError> {
  const { economy } = services
  const allocation = specificationOf(economy, party, request)
  if (allocation instanceof PlainError) return allocation
  return orderOnce(services, party, {
    asked: requestIdOf(allocation),
    amount: allocation.transferLeg.amount,
    problemAt: (now) => problemOf(economy, allocation, now),
    context: () => allocationFactoryContext(economy),
    exercise: (tx, { factoryCid: allocationFactoryCid, ...means }) =>
      tx.exercise(installChoices.WalletAppInstall_AllocationFactory_Allocate, install.id, {
        allocationFactoryCid,
        allocateArg: { expectedAdmin: economy.parties.dso, allocation, ...means },
      }),
    decode: (result) => AllocationInstructionResultV1.decode(result),
  })
}

/** The leg as the ledger says it; 400 for what cannot be allocated at any time. */
function specificationOf(
  { parties: { dso } }: Pick<Economy, 'parties'>,
  sender: string,
  { settlement, transfer_leg_id: transferLegId, transfer_leg: leg }: AllocateCoinRequest,
): AllocationSpecificationV1 | PlainError {
  const { executor, settlement_ref: reference } = settlement
  const amount = payableAmount(leg.amount)
  if (amount instanceof PlainError) return amount
  const metadata = [...textsOf(settlement.meta), ...textsOf(leg.meta)]
  const cid = reference.cid ?? null
  if (cid !== null && !isContractId(cid))
    return badRequest('settlement_ref.cid is not a contract id')
  const texts = [executor, leg.receiver, reference.id, transferLegId, ...metadata]
  return (
    textProblem(...texts) ?? {
      settlement: {
        executor,
        settlementRef: { id: reference.id, cid },
        requestedAt: settlement.requested_at,
        allocateBefore: settlement.allocate_before,
        settleBefore: settlement.settle_before,
        meta: metadataOf(settlement.meta),
      },
      transferLegId,
      transferLeg: {
        sender,
        receiver: leg.receiver,
        amount,
        instrumentId: { admin: dso, id: instrumentId() },
        meta: metadataOf(leg.meta),
      },
    }
  )
}

type WireMetadata = Readonly<Record<string, string>> | undefined

const textsOf = (meta: WireMetadata = {}) => Object.entries(meta).flat()
const metadataOf = (meta: WireMetadata = {}) => ({ values: new Map(Object.entries(meta)) })

/** One for each leg of a settlement of an executor. */
function requestIdOf({
  settlement,
  transferLegId,
  transferLeg,
}: AllocationSpecificationV1): RequestId {
  const { executor, settlementRef, requestedAt, allocateBefore, settleBefore } = settlement
  const { sender, receiver, amount } = transferLeg
  const metadata = [...settlement.meta.values, null, ...transferLeg.meta.values].flat()
  const leg = JSON.stringify([executor, settlementRef.id, settlementRef.cid, transferLegId])
  return {
    commandId: trackedCommandId('allocation', sender, leg),
    content: contentOf(receiver, amount, requestedAt, allocateBefore, settleBefore, ...metadata),
  }
}

async function problemOf(
  economy: Pick<Economy, 'hostsOf' | 'network'>,
  { settlement, transferLeg: { receiver } }: AllocationSpecificationV1,
  now: bigint,
): Promise<PlainError | undefined> {
  const { executor, allocateBefore, settleBefore } = settlement
  if (allocateBefore <= now) return badRequest('allocate_before must be in the future')
  if (settleBefore < allocateBefore)
    return badRequest('settle_before must not be before allocate_before')
  return (
    (await farProblem(economy, 'settle_before', settleBefore - now)) ??
    strangerProblem(economy, executor, receiver)
  )
}

/**
 * Trades are the requests that there are: found by who has a part in them, and signed by all of
 * these, so that nobody fills another's list.
 */
async function requestsOf(economy: Economy, party: string, query: ListQuery) {
  const { updates, contracts } = economy.store
  const offset = await updates.ledgerEnd()
  const read = bothWays(async (after, limit) => {
    const templates = [oTCTrade.type.reference]
    const page = await contracts.snapshot({ offset, templates, parties: [party], after, limit })
    return page.map(({ contract: record, sequence }) => ({ record, sequence }))
  })
  return listed(
    economy,
    read,
    (contract) =>
      asksFor(economy, party, contract.record) ? { contract: contractToWire(contract) } : undefined,
    query,
  )
}

/** Whether a leg in coin is the party's. */
function asksFor(
  { parties: { dso } }: Pick<Economy, 'parties'>,
  party: string,
  record: Parameters<typeof oTCTrade.open>[0],
): boolean {
  const legs = [...oTCTrade.open(record).transferLegs.values()]
  return legs.some(
    ({ sender, receiver, instrumentId: instrument }) =>
      instrument.admin === dso && (sender === party || receiver === party),
  )
}
