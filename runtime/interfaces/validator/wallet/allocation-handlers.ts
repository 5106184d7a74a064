// Coin of a wallet that is kept for a settlement, and the requests for that. domain/wire.md §2.1;
// docs/allocations.md
import { AllocationInstructionResultV1 } from '../../../../generated/contracts.gen.ts'
import type {
  AllocationReleased,
  AllocationSpecificationV1,
  CoinAllocation,
  OTCTrade,
} from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type {
  AllocateCoinRequest,
  AllocateCoinResponse,
  AllocationInstructionOutput as WireOutput,
  Contract as WireContract,
} from '../../../../generated/validator/types.gen.ts'
import {
  coinAllocation,
  installChoices,
  instrumentId,
  insufficientFunds,
  NO_METADATA,
  oTCTrade,
} from '../../../contracts/index.ts'
import type { Committed, Rejected } from '../../../engine/index.ts'
import { isKnown } from '../../../economy/hosting.ts'
import type { Economy } from '../../../economy/economy.ts'
import { badRequest, PlainError, rejectionError, treasuryError } from '../../../economy/errors.ts'
import { contractIdOf, payableAmount, textProblem } from '../../../economy/parse.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import { contentOf, onceADay, rememberForADay } from '../../../economy/wallets/request-ids.ts'
import type { RequestId } from '../../../economy/wallets/request-ids.ts'
import { trackedCommandId } from '../../../economy/wallets/tracking.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'
import { contractToWire } from '../../contract-wire.ts'
import { allocationContext, allocationFactoryContext, extraArgsOf } from '../../registry/index.ts'
import type { Context } from '../../reply.ts'
import { bothWays, listed, nextPage } from '../lists.ts'
import type { ListQuery } from '../lists.ts'
import { actedOn, listOf } from './owned-contracts.ts'
import { farProblem } from './token-limits.ts'
import { walletScope } from './wallet-scope.ts'

type AllocationHandlers = Pick<
  Handlers<Context>,
  | 'allocateCoin'
  | 'listCoinAllocations'
  | 'withdrawCoinAllocation'
  | 'listAllocationRequests'
  | 'rejectAllocationRequest'
>

/** Handlers of all operations on allocations and on requests for them. */
export function allocationHandlers(economy: Economy, treasury: Treasury): AllocationHandlers {
  const inWallet = walletScope(economy)
  const allocations = new Allocations(economy, treasury)
  return {
    allocateCoin: inWallet((wallet, { body }) => allocations.create(wallet, body), resultToWire),
    listCoinAllocations: inWallet(
      ({ party }, { query }, { signal }) =>
        listOf(economy, [coinAllocation.by('sender')], party, { ...query, signal }),
      ({ contracts, ...more }) => ({ allocations: contracts.map(entry), ...nextPage(more) }),
    ),
    withdrawCoinAllocation: inWallet(
      (wallet, { path }) => withdraw(economy, wallet, contractIdOf(path.contract_id)),
      ({ senderHoldingCids, meta }) => ({
        sender_holding_cids: [...senderHoldingCids],
        meta: Object.fromEntries(meta.values),
      }),
    ),
    listAllocationRequests: inWallet(
      ({ party }, { query }, { signal }) => requestsOf(economy, party, { ...query, signal }),
      ({ contracts, ...more }) => ({
        allocation_requests: contracts.map(entry),
        ...nextPage(more),
      }),
    ),
    rejectAllocationRequest: inWallet(
      (wallet, { path }) => reject(economy, wallet, contractIdOf(path.contract_id)),
      ({ meta }) => ({ meta: Object.fromEntries(meta.values) }),
    ),
  }
}

const entry = (contract: WireContract) => ({ contract })

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

class Allocations {
  readonly #economy: Economy
  readonly #treasury: Treasury

  constructor(economy: Economy, treasury: Treasury) {
    this.#economy = economy
    this.#treasury = treasury
  }

  /** A leg that was allocated within a day answers as it did then, if the same is asked for. */
  async create(
    wallet: Wallet,
    request: AllocateCoinRequest,
  ): Promise<AllocationInstructionResultV1 | PlainError> {
    const allocation = specificationOf(this.#economy, wallet.party, request)
    if (allocation instanceof PlainError) return allocation
    const asked = requestIdOf(allocation)
    return onceADay(this.#economy, {
      asked,
      mustWait: this.#treasury.mustWait(wallet.party),
      make: () => this.#make(wallet, allocation, asked),
      answer: (result) => AllocationInstructionResultV1.decode(result),
    })
  }

  /** In its turn among the wallet's payments. */
  async #make(
    { party, install }: Wallet,
    allocation: AllocationSpecificationV1,
    asked: RequestId,
  ): Promise<AllocationInstructionResultV1 | PlainError> {
    const economy = this.#economy
    const requestedAt = economy.clock.nowMicros()
    const problem = await problemOf(economy, allocation, requestedAt)
    if (problem !== undefined) return problem
    const first = await allocationFactoryContext(economy)
    if (first instanceof PlainError) return first
    const done = await this.#treasury.runAlone(
      party,
      async (
        inputHoldingCids: readonly string[],
      ): Promise<Committed<AllocationInstructionResultV1> | Rejected> => {
        const fresh = await allocationFactoryContext(economy)
        const { factory, context } = fresh instanceof PlainError ? first : fresh
        return verdictFor(economy, party, {
          commandId: asked.commandId,
          project: rememberForADay(asked, this.#economy.engine.measuredMicros()),
          disclosed: context.disclosed.map(({ record }) => record),
          run: (tx) => {
            if (inputHoldingCids.length === 0)
              tx.abort(insufficientFunds(allocation.transferLeg.amount))
            return tx.exercise(
              installChoices.WalletAppInstall_AllocationFactory_Allocate,
              install.id,
              {
                allocationFactoryCid: factory.id,
                allocateArg: {
                  expectedAdmin: economy.parties.dso,
                  allocation,
                  requestedAt,
                  inputHoldingCids,
                  extraArgs: extraArgsOf(context),
                },
              },
            )
          },
        })
      },
    )
    return done.ok ? done.result : treasuryError(done)
  }
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
  const texts = [executor, leg.receiver, reference.id, cid ?? '', transferLegId, ...metadata]
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
  const far = await farProblem(economy, 'settle_before', settleBefore - now)
  if (far !== undefined) return far
  for (const party of [executor, receiver]) {
    if (!(await isKnown(economy, party))) return badRequest(`No party ${party} is known`)
  }
  return undefined
}

async function withdraw(
  economy: Economy,
  { party, install }: Wallet,
  cid: string,
): Promise<AllocationReleased | PlainError> {
  const allocation = await actedOn<CoinAllocation>(economy, coinAllocation, cid, {
    what: 'allocation',
    party,
    role: 'sender',
    roleOf: (payload) => payload.allocation.transferLeg.sender,
    stakeholders: ({ allocation: { settlement, transferLeg } }) => [
      settlement.executor,
      transferLeg.sender,
    ],
  })
  if (allocation instanceof PlainError) return allocation
  const found = await allocationContext(economy, cid, 'withdraw')
  if (found instanceof PlainError) return found
  const done = await verdictFor(economy, party, {
    disclosed: found.context.disclosed.map(({ record }) => record),
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_Allocation_Withdraw, install.id, {
        cid,
        extraArgs: extraArgsOf(found.context),
      }),
  })
  return done.ok ? done.result : rejectionError(done, cid)
}

/** Trades are the requests that there are: found by who has a part in them. */
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
    (contract) => (asksFor(economy, party, contract.record) ? contractToWire(contract) : undefined),
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

async function reject(economy: Economy, { party, install }: Wallet, cid: string) {
  const sendersOf = ({ transferLegs }: OTCTrade) =>
    [...transferLegs.values()].map(({ sender }) => sender)
  const request = await actedOn<OTCTrade>(economy, oTCTrade, cid, {
    what: 'allocation request',
    party,
    role: 'sender of a leg',
    roleOf: (trade) => sendersOf(trade).find((sender) => sender === party) ?? '',
    stakeholders: (trade) => [
      trade.venue,
      ...[...trade.transferLegs.values()].flatMap(({ sender, receiver }) => [sender, receiver]),
    ],
  })
  if (request instanceof PlainError) return request
  const done = await verdictFor(economy, party, {
    run: (tx) =>
      tx.exercise(installChoices.WalletAppInstall_AllocationRequest_Reject, install.id, {
        cid,
        extraArgs: { context: { values: new Map() }, meta: NO_METADATA },
      }),
  })
  return done.ok ? done.result : rejectionError(done, cid)
}
