// A trading app on the token standard: parties approve a trade, its venue asks them for allocations
// and settles all legs in one transaction, so that all holdings change hands or none.
// docs/allocations.md
import { isDeepStrictEqual } from 'node:util'
import {
  Allocation,
  AllocationRequest,
  AllocationSpecificationV1 as codec,
  OTCTrade,
  OTCTradeProposal,
} from '../../generated/contracts.gen.ts'
import type { ExtraArgs, TransferLeg } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate, valid } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { NO_METADATA } from './metadata.ts'
import { takeNow } from './now.ts'
import { byActor, requireActor, timeText } from './requirements.ts'

type Legs = ReadonlyMap<string, TransferLeg>
type Allocations = ReadonlyMap<string, readonly [contractId: string, extraArgs: ExtraArgs]>

/** No key: who approves has seen the proposal on the ledger. */
export const oTCTradeProposal = defineTemplate(OTCTradeProposal, {
  signatories: ({ approvers }) => approvers,
  observers: ({ venue, transferLegs }) => [venue, ...tradersOf(transferLegs)],
  ensure: ({ approvers, transferLegs }) => approvers.length > 0 && transferLegs.size > 0,
})

/** Rank: settleBefore. */
export const oTCTrade = defineTemplate(OTCTrade, {
  signatories: ({ venue, transferLegs }) => [venue, ...tradersOf(transferLegs)],
  rank: ({ settleBefore }) => settleBefore,
  views: {
    [AllocationRequest.id]: (trade) =>
      AllocationRequest.view.encode({
        settlement: settlementOf(trade),
        transferLegs: trade.transferLegs,
        meta: NO_METADATA,
      }),
  },
})

/** A sender or receiver who has not approved yet. */
export const oTCTradeProposalAccept = choice(
  oTCTradeProposal,
  OTCTradeProposal.choices.OTCTradeProposal_Accept,
  {
    controllers: (_proposal, { approver }) => [approver],
    run: (tx: Tx, { id, payload }, { approver }) => {
      requireActor(tx, approver, tradersOf(payload.transferLegs))
      tx.require(!payload.approvers.includes(approver), 'the approver is new', () => approver)
      return tx.create(oTCTradeProposal, {
        ...payload,
        tradeCid: payload.tradeCid ?? id,
        approvers: [...payload.approvers, approver],
      })
    },
  },
)

/** A sender or receiver: there will be no trade. */
export const oTCTradeProposalReject = choice(
  oTCTradeProposal,
  OTCTradeProposal.choices.OTCTradeProposal_Reject,
  {
    controllers: (_proposal, { trader }) => [trader],
    run: (tx: Tx, { payload }, { trader }) => {
      requireActor(tx, trader, tradersOf(payload.transferLegs))
      return {}
    },
  },
)

/** The venue, once all senders and receivers have approved. */
export const oTCTradeProposalInitiateSettlement = choice(
  oTCTradeProposal,
  OTCTradeProposal.choices.OTCTradeProposal_InitiateSettlement,
  {
    controllers: ({ venue }) => [venue],
    run: (tx: Tx, { id, payload }, { prepareUntil, settleBefore, now }) => {
      const { approvers, venue, transferLegs, tradeCid } = payload
      const missing = tradersOf(transferLegs).filter((party) => !approvers.includes(party))
      tx.require(
        missing.length === 0,
        'all senders and receivers have approved',
        () => `not ${missing.join(', ')}`,
      )
      if (now !== null) takeNow(tx, now)
      tx.before(prepareUntil)
      tx.require(
        prepareUntil < settleBefore,
        `prepareUntil is before ${timeText(settleBefore)}`,
        () => timeText(prepareUntil),
      )
      return tx.create(oTCTrade, {
        venue,
        transferLegs,
        tradeCid: tradeCid ?? id,
        createdAt: now ?? prepareUntil,
        prepareUntil,
        settleBefore,
      })
    },
  },
)

/** The venue: every leg by its allocation, all of them or none. */
export const oTCTradeSettle = choice(oTCTrade, OTCTrade.choices.OTCTrade_Settle, {
  controllers: ({ venue }) => [venue],
  run: (tx: Tx, { payload }, { allocationsWithContext }) => {
    const { settleBefore, transferLegs } = payload
    tx.before(settleBefore)
    const missing = [...transferLegs.keys()].filter((id) => !allocationsWithContext.has(id))
    tx.require(
      missing.length === 0,
      'every leg has an allocation',
      () => `none of ${missing.join(', ')}`,
    )
    return {
      results: eachLeg(tx, payload, allocationsWithContext, (contractId, extraArgs) =>
        tx.exerciseInterface(Allocation.choices.Allocation_ExecuteTransfer, contractId, {
          extraArgs,
        }),
      ),
    }
  },
})

/** The venue: what is allocated returns to its senders. */
export const oTCTradeCancel = choice(oTCTrade, OTCTrade.choices.OTCTrade_Cancel, {
  controllers: ({ venue }) => [venue],
  run: (tx, { payload }, { allocationsWithContext }) => ({
    results: eachLeg(tx, payload, allocationsWithContext, (contractId, extraArgs) =>
      tx.exerciseInterface(Allocation.choices.Allocation_Cancel, contractId, { extraArgs }),
    ),
  }),
})

/** A sender of a leg. */
export const oTCTradeReject = choice(oTCTrade, AllocationRequest.choices.AllocationRequest_Reject, {
  controllers: byActor,
  run: (tx: Tx, { payload }, { actor }) => {
    requireActor(
      tx,
      actor,
      [...payload.transferLegs.values()].map(({ sender }) => sender),
    )
    return { meta: NO_METADATA }
  },
})

/** The venue. */
export const oTCTradeWithdraw = choice(
  oTCTrade,
  AllocationRequest.choices.AllocationRequest_Withdraw,
  {
    controllers: ({ venue }) => [venue],
    run: () => ({ meta: NO_METADATA }),
  },
)

function tradersOf(legs: Legs): readonly string[] {
  return [...new Set([...legs.values()].flatMap(({ sender, receiver }) => [sender, receiver]))]
}

function settlementOf({ venue, tradeCid, createdAt, prepareUntil, settleBefore }: OTCTrade) {
  return {
    executor: venue,
    settlementRef: { id: 'OTCTradeProposal', cid: tradeCid },
    requestedAt: createdAt,
    allocateBefore: prepareUntil,
    settleBefore,
    meta: NO_METADATA,
  }
}

function eachLeg<R>(
  tx: Tx,
  trade: OTCTrade,
  allocations: Allocations,
  act: (contractId: string, extraArgs: ExtraArgs) => R,
): ReadonlyMap<string, R> {
  return new Map(
    [...allocations].map(([legId, [contractId, extraArgs]]) => {
      requireAllocationFor(tx, trade, legId, contractId)
      return [legId, act(contractId, extraArgs)]
    }),
  )
}

/** Else a venue could settle what the parties allocated to another trade of theirs. */
function requireAllocationFor(tx: Tx, trade: OTCTrade, legId: string, contractId: string): void {
  const transferLeg = trade.transferLegs.get(legId)
  tx.require(transferLeg !== undefined, 'the trade has the leg', () => legId)
  const asked = { settlement: settlementOf(trade), transferLegId: legId, transferLeg }
  const view = tx.templateOf(contractId).viewOf(tx.read(contractId), Allocation.id)
  tx.require(view !== undefined, 'the contract is an allocation', () => contractId)
  const { allocation } = valid(() => Allocation.view.decode(view))
  tx.require(
    isDeepStrictEqual(codec.encode(allocation), codec.encode(asked)),
    `the allocation is for leg ${legId} of the trade`,
    () => contractId,
  )
}
