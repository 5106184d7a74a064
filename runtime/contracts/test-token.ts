// A token whose allocation instructions wait until accepted, which the coin's never do.
// docs/economy-rules.md, "Choice contexts"
import {
  AllocationInstruction,
  Holding,
  TestTokenAllocation,
  TestTokenAllocationInstruction,
  TestTokenHolding,
  TestTokenRules,
} from '../../generated/contracts.gen.ts'
import type {
  AllocationInstructionAction,
  AllocationInstructionOutput,
  AllocationInstructionResult,
  AllocationSpecification,
  HoldingLock,
  TestTokenRules_Allocate,
} from '../../generated/contracts.gen.ts'
import { add, subtract, sum, formatDecimal } from '../engine/decimal.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Self, Tx } from '../engine/template.ts'
import { NO_METADATA } from './metadata.ts'
import { requireParty, requireCover } from './requirements.ts'

type HoldingCids = ReadonlyMap<string, readonly string[]>
type AllocationRecord = Pick<TestTokenAllocation, 'admin' | 'allocation'>

/** No key: who needs the rules knows them. */
export const testTokenRules = defineTemplate(TestTokenRules, {
  signatories: (rules) => [rules.admin],
})

/** Rank: amount. */
export const testTokenHolding = defineTemplate(TestTokenHolding, {
  signatories: (holding) => [holding.admin, holding.owner],
  ensure: (holding) => holding.amount > 0n,
  rank: (holding) => holding.amount,
  views: {
    [Holding.id]: ({ admin, owner, instrumentId, amount, lock }) =>
      Holding.view.encode({
        owner,
        instrumentId: { admin, id: instrumentId },
        amount,
        lock,
        meta: NO_METADATA,
      }),
  },
})

export const testTokenAllocationInstruction = defineTemplate(TestTokenAllocationInstruction, {
  signatories: (record) => signatoriesOf(record),
  observers: ({ allocation }) => allocation.settlement.executors,
  ensure: ({ allocation }) =>
    allocation.authorizer.owner !== null && allocation.settlement.executors.length > 0,
  keys: ({ allocation }) => ({ owner: allocation.authorizer.owner ?? '' }),
  views: {
    [AllocationInstruction.id]: (instruction) =>
      AllocationInstruction.view.encode({
        originalInstructionCid: null,
        allocation: instruction.allocation,
        requestedAt: instruction.requestedAt,
        inputHoldingCids: instruction.inputHoldingCids,
        expiresAt: instruction.expiresAt,
        availableActions: actionsOf(instruction.allocation),
        meta: instruction.meta,
      }),
  },
})

/** No key: who settles knows the allocation from the result of the acceptance. */
export const testTokenAllocation = defineTemplate(TestTokenAllocation, {
  signatories: (record) => signatoriesOf(record),
  observers: ({ allocation }) => allocation.settlement.executors,
})

/** Admin and owner. */
export const testTokenRulesMint = choice(
  testTokenRules,
  TestTokenRules.choices.TestTokenRules_Mint,
  {
    controllers: (rules, { owner }) => [rules.admin, owner],
    run: (tx, { payload: { admin } }, minted) => ({
      holdingCid: tx.create(testTokenHolding, { admin, ...minted, lock: null }),
    }),
  },
)

/** The authorizer's owner: what it is to send is locked, and waits for the executors. */
export const testTokenRulesAllocate = choice(
  testTokenRules,
  TestTokenRules.choices.TestTokenRules_Allocate,
  {
    controllers: (_rules, { allocation }) =>
      allocation.authorizer.owner === null ? [] : [allocation.authorizer.owner],
    run: (tx, { payload: { admin } }, argument) => {
      const owner = check(tx, admin, argument)
      const { allocation, requestedAt, expiresAt } = argument
      const lock = {
        holders: [admin],
        expiresAt,
        expiresAfter: null,
        context: `allocation ${allocation.settlement.id}`,
      }
      const split = lockFunds(tx, { admin, owner, lock }, argument)
      const allocationInstructionCid = tx.create(testTokenAllocationInstruction, {
        admin,
        allocation,
        requestedAt,
        inputHoldingCids: split.locked,
        expiresAt,
        meta: allocation.meta,
      })
      return resultOf(
        { tag: 'AllocationInstructionResult_Pending', value: { allocationInstructionCid } },
        split.change,
      )
    },
  },
)

/** Exactly the executors, before expiry: the allocation stands. */
export const testTokenAllocationInstructionAccept = choice(
  testTokenAllocationInstruction,
  AllocationInstruction.choices.AllocationInstruction_Accept,
  {
    controllers: (_instruction, { actors }) => actors,
    run: (tx: Tx, { payload }, { actors }) => {
      tx.require(
        isAvailable(payload.allocation, actors, 'AIA_Accept'),
        'accepting is available to the actors',
        () => actors.join(', '),
      )
      if (payload.expiresAt !== null) tx.before(payload.expiresAt)
      const { admin, allocation, inputHoldingCids: holdingCids } = payload
      const allocationCid = tx.create(testTokenAllocation, { admin, allocation, holdingCids })
      return resultOf(
        { tag: 'AllocationInstructionResult_Completed', value: { allocationCid } },
        new Map(),
      )
    },
  },
)

/** The authorizer's owner, at any time: what was locked is returned. */
export const testTokenAllocationInstructionWithdraw = choice(
  testTokenAllocationInstruction,
  AllocationInstruction.choices.AllocationInstruction_Withdraw,
  {
    controllers: (_instruction, { actors }) => actors,
    run: (tx: Tx, { payload }, { actors }) => {
      tx.require(
        isAvailable(payload.allocation, actors, 'AIA_Withdraw'),
        'withdrawing is available to the actors',
        () => actors.join(', '),
      )
      return resultOf(
        { tag: 'AllocationInstructionResult_Failed', value: {} },
        release(tx, payload.inputHoldingCids),
      )
    },
  },
)

/**
 * The authorizer's owner: what is allocated is returned; where it committed to it, from the
 * deadline on.
 */
export const testTokenAllocationWithdraw = choice(
  testTokenAllocation,
  TestTokenAllocation.choices.TestTokenAllocation_Withdraw,
  {
    controllers: ({ allocation }) =>
      allocation.authorizer.owner === null ? [] : [allocation.authorizer.owner],
    run: (tx, { payload }: Self<TestTokenAllocation>) => {
      requireReleasable(tx, payload.allocation)
      return { authorizerHoldingCids: release(tx, payload.holdingCids), meta: NO_METADATA }
    },
  },
)

function signatoriesOf({ admin, allocation: { authorizer } }: AllocationRecord): readonly string[] {
  return authorizer.owner === null ? [admin] : [admin, authorizer.owner]
}

function actionsOf({ settlement, authorizer }: AllocationSpecification) {
  const accept: readonly AllocationInstructionAction[] = [{ tag: 'AIA_Accept', value: {} }]
  const withdraw: readonly AllocationInstructionAction[] = [{ tag: 'AIA_Withdraw', value: {} }]
  const owners = authorizer.owner === null ? [] : [authorizer.owner]
  return [[settlement.executors, accept] as const, [owners, withdraw] as const]
}

function isAvailable(
  allocation: AllocationSpecification,
  actors: readonly string[],
  tag: string,
): boolean {
  const acting = new Set(actors)
  const offered = actionsOf(allocation).filter(([, actions]) =>
    actions.some((action) => action.tag === tag),
  )
  return (
    acting.size > 0 &&
    offered.some(([parties]) => acting.symmetricDifference(new Set(parties)).size === 0)
  )
}

function resultOf(
  output: AllocationInstructionOutput,
  authorizerChangeCids: HoldingCids,
): AllocationInstructionResult {
  return { output, authorizerChangeCids, meta: NO_METADATA }
}

function check(
  tx: Tx,
  admin: string,
  { allocation, requestedAt, expiresAt }: TestTokenRules_Allocate,
): string {
  const { owner } = allocation.authorizer
  tx.require(owner !== null, 'the authorizer has an owner', () => 'none')
  requireParty(tx, 'the admin of the allocation', allocation.admin, admin)
  tx.require(
    allocation.transferLegSides.every((side) => side.amount > 0n),
    'every amount is above 0',
    () => allocation.transferLegSides.map(({ amount }) => formatDecimal(amount)).join(', '),
  )
  tx.notBefore(requestedAt)
  if (expiresAt !== null) tx.before(expiresAt)
  return owner
}

interface Lock {
  readonly admin: string
  readonly owner: string
  readonly lock: HoldingLock
}

function lockFunds(
  tx: Tx,
  { admin, owner, lock }: Lock,
  { allocation, inputHoldingCids }: TestTokenRules_Allocate,
) {
  const held = takeFunds(tx, admin, owner, inputHoldingCids)
  const locked: string[] = []
  const change = new Map<string, readonly string[]>()
  for (const [instrumentId, needed] of amountsToSend(allocation)) {
    const left = subtract(held.get(instrumentId) ?? 0n, needed)
    requireCover(tx, `the inputs of ${instrumentId}`, left, needed)
    locked.push(tx.create(testTokenHolding, { admin, owner, instrumentId, amount: needed, lock }))
    held.set(instrumentId, left)
  }
  for (const [instrumentId, amount] of held) {
    if (amount === 0n) continue
    change.set(instrumentId, [
      tx.create(testTokenHolding, { admin, owner, instrumentId, amount, lock: null }),
    ])
  }
  return { locked, change }
}

function takeFunds(
  tx: Tx,
  admin: string,
  owner: string,
  cids: readonly string[],
): Map<string, bigint> {
  const held = new Map<string, bigint>()
  for (const cid of cids) {
    const holding = tx.fetch(testTokenHolding, cid)
    requireParty(tx, 'the admin of the input', holding.admin, admin)
    requireParty(tx, 'the owner of the input', holding.owner, owner)
    tx.require(holding.lock === null, 'the inputs are not locked', () => cid)
    tx.archive(testTokenHolding, cid)
    held.set(holding.instrumentId, add(held.get(holding.instrumentId) ?? 0n, holding.amount))
  }
  return held
}

function amountsToSend({ transferLegSides }: AllocationSpecification): ReadonlyMap<string, bigint> {
  const sent = Map.groupBy(
    transferLegSides.filter(({ side }) => side === 'SenderSide'),
    (side) => side.instrumentId,
  )
  return new Map([...sent].map(([id, sides]) => [id, sum(sides.map((side) => side.amount))]))
}

function release(tx: Tx, cids: readonly string[]): HoldingCids {
  const released = cids.map((cid) => {
    const holding = tx.fetch(testTokenHolding, cid)
    tx.archive(testTokenHolding, cid)
    return {
      id: holding.instrumentId,
      cid: tx.create(testTokenHolding, { ...holding, lock: null }),
    }
  })
  const byInstrument = Map.groupBy(released, ({ id }) => id)
  return new Map([...byInstrument].map(([id, holdings]) => [id, holdings.map(({ cid }) => cid)]))
}

function requireReleasable(
  tx: Tx,
  { committed, settlementDeadline }: AllocationSpecification,
): void {
  if (!committed) return
  tx.require(settlementDeadline !== null, 'the allocation ends at a deadline', () => 'none')
  tx.notBefore(settlementDeadline)
}
