// The test token: minting, pending allocations, their acceptance and withdrawal.
// docs/economy-rules.md, "Choice contexts"
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import {
  AllocationInstruction,
  Holding,
  TestTokenAllocationInstruction,
  TestTokenHolding,
} from '../../generated/contracts.gen.ts'
import {
  allTemplates,
  testTokenAllocation,
  testTokenAllocationInstruction,
  testTokenAllocationWithdraw,
  testTokenHolding,
  testTokenRules,
  testTokenRulesAllocate,
  testTokenRulesMint,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  dec,
  SECOND,
  START,
  startNetwork,
  exercising,
  creating,
  exercisingInterface,
} from './wallet-kit.ts'
import type {
  AllocationSpecification,
  TestTokenRules_Allocate,
} from '../../generated/contracts.gen.ts'
import type { Network } from './wallet-kit.ts'

const ADMIN = CAROL
const EXPIRY = START + 60n * SECOND
const NO_META = { values: new Map<string, string>() }
const EXTRA_ARGS = { context: { values: new Map() }, meta: NO_META }
const { AllocationInstruction_Accept: accept, AllocationInstruction_Withdraw: withdraw } =
  AllocationInstruction.choices

const ALLOCATION: AllocationSpecification = {
  settlement: { executors: [BOB], id: 's1', cid: null, meta: NO_META },
  admin: ADMIN,
  authorizer: { owner: ALICE, provider: null, id: '' },
  transferLegSides: [
    {
      transferLegId: 'l1',
      side: 'SenderSide',
      otherside: { owner: BOB, provider: null, id: '' },
      amount: dec('4'),
      instrumentId: 'TT',
      meta: NO_META,
    },
  ],
  settlementDeadline: EXPIRY,
  nextIterationFunding: null,
  committed: true,
  meta: NO_META,
}

describe('The test token', () => {
  let network: Network
  let rules: string

  beforeEach(async () => {
    network = await startNetwork()
    rules = await network.run([ADMIN], creating(testTokenRules, { admin: ADMIN }))
  })

  async function minted(amount: string, instrumentId = 'TT'): Promise<string> {
    const argument = { owner: ALICE, instrumentId, amount: dec(amount) }
    return (await network.run([ADMIN, ALICE], exercising(testTokenRulesMint, rules, argument)))
      .holdingCid
  }

  async function request(
    changes: Partial<TestTokenRules_Allocate> = {},
  ): Promise<TestTokenRules_Allocate> {
    const inputHoldingCids = changes.inputHoldingCids ?? [await minted('3'), await minted('2')]
    return {
      allocation: ALLOCATION,
      requestedAt: START,
      inputHoldingCids,
      expiresAt: EXPIRY,
      ...changes,
    }
  }

  async function pending(changes: Partial<TestTokenRules_Allocate> = {}): Promise<string> {
    const argument = await request(changes)
    const { output } = await network.run(
      [ALICE],
      exercising(testTokenRulesAllocate, rules, argument),
    )
    assert.ok(output.tag === 'AllocationInstructionResult_Pending')
    return output.value.allocationInstructionCid
  }

  async function held(): Promise<readonly (readonly [amount: bigint, isLocked: boolean])[]> {
    const holdings = await network.reader.active(
      testTokenHolding,
      { owner: ALICE },
      { order: 'rank-desc' },
    )
    return holdings.map(({ payload }) => [payload.amount, payload.lock !== null] as const)
  }

  it('is minted by admin and owner, above zero, and shows as a holding', async () => {
    const argument = { owner: ALICE, instrumentId: 'TT', amount: dec('3') }
    for (const party of [ADMIN, ALICE]) {
      await network.denied('unauthorised', [party], exercising(testTokenRulesMint, rules, argument))
    }
    const none = { ...argument, amount: 0n }
    await network.denied('aborted', [ADMIN, ALICE], exercising(testTokenRulesMint, rules, none))
    const holding = await network.reader.get(testTokenHolding, await minted('3'))
    assert.ok(holding !== undefined)
    const view = allTemplates
      .find(({ id }) => id === TestTokenHolding.id)
      ?.viewOf(holding.record, Holding.id)
    assert.deepEqual(view, {
      owner: ALICE,
      instrumentId: { admin: ADMIN, id: 'TT' },
      amount: '3.0000000000',
      lock: null,
      meta: { values: {} },
    })
  })

  it('is allocated by its owner: what is to be sent is locked, the rest is change', async () => {
    const argument = await request()
    await network.denied('unauthorised', [BOB], exercising(testTokenRulesAllocate, rules, argument))
    const result = await network.run([ALICE], exercising(testTokenRulesAllocate, rules, argument))
    assert.equal(result.authorizerChangeCids.get('TT')?.length, 1)
    assert.deepEqual(await held(), [
      [dec('4'), true],
      [dec('1'), false],
    ])
    const [instruction] = await network.reader.active(testTokenAllocationInstruction, {
      owner: ALICE,
    })
    assert.ok(instruction !== undefined)
    const bound = allTemplates.find(({ id }) => id === TestTokenAllocationInstruction.id)
    const view = AllocationInstruction.view.decode(
      bound?.viewOf(instruction.record, AllocationInstruction.id),
    )
    assert.deepEqual(view.availableActions, [
      [[BOB], [{ tag: 'AIA_Accept', value: {} }]],
      [[ALICE], [{ tag: 'AIA_Withdraw', value: {} }]],
    ])
    assert.deepEqual(view.inputHoldingCids, instruction.payload.inputHoldingCids)
  })

  it('is not allocated out of too little, locked or foreign holdings, nor in vain', async () => {
    await pending()
    const [locked] = await network.reader.active(
      testTokenHolding,
      { owner: ALICE },
      { order: 'rank-desc' },
    )
    const [leg] = ALLOCATION.transferLegSides
    assert.ok(leg !== undefined)
    const attempts = [
      await request({ inputHoldingCids: [await minted('3')] }),
      await request({ inputHoldingCids: [await minted('9', 'other')] }),
      await request({ inputHoldingCids: [locked?.id ?? ''] }),
      await request({ allocation: { ...ALLOCATION, admin: BOB } }),
      await request({ allocation: { ...ALLOCATION, transferLegSides: [{ ...leg, amount: 0n }] } }),
      await request({
        allocation: { ...ALLOCATION, settlement: { ...ALLOCATION.settlement, executors: [] } },
      }),
    ]
    for (const argument of attempts) {
      await network.denied('aborted', [ALICE], exercising(testTokenRulesAllocate, rules, argument))
    }
    const ownerless = await request({
      allocation: { ...ALLOCATION, authorizer: { owner: null, provider: null, id: '' } },
    })
    await network.denied(
      'unauthorised',
      [ALICE],
      exercising(testTokenRulesAllocate, rules, ownerless),
    )
  })

  it('stands allocated once its executors accept, before expiry', async () => {
    const cid = await pending()
    const argument = (...actors: readonly string[]) => ({ actors, extraArgs: EXTRA_ARGS })
    const refused = [
      await network.refused([ALICE], exercisingInterface(accept, cid, argument(BOB))),
      await network.refused([ALICE], exercisingInterface(accept, cid, argument(ALICE))),
      await network.refused([ALICE, BOB], exercisingInterface(accept, cid, argument(ALICE, BOB))),
      await network.refused([BOB], exercisingInterface(accept, cid, argument())),
    ]
    assert.deepEqual(
      refused.map(({ kind }) => kind),
      ['unauthorised', 'aborted', 'aborted', 'unauthorised'],
    )
    const { output } = await network.run([BOB], exercisingInterface(accept, cid, argument(BOB)))
    assert.ok(output.tag === 'AllocationInstructionResult_Completed')
    const allocation = await network.reader.get(testTokenAllocation, output.value.allocationCid)
    assert.deepEqual(allocation?.payload.allocation, ALLOCATION)
    const late = await pending()
    network.clock.moveTo(EXPIRY)
    await network.denied('too-late', [BOB], exercisingInterface(accept, late, argument(BOB)))
  })

  it('returns to its owner, who withdraws, also after expiry', async () => {
    const cid = await pending()
    const argument = (actor: string) => ({ actors: [actor], extraArgs: EXTRA_ARGS })
    await network.denied('aborted', [BOB], exercisingInterface(withdraw, cid, argument(BOB)))
    network.clock.moveTo(EXPIRY)
    const result = await network.run([ALICE], exercisingInterface(withdraw, cid, argument(ALICE)))
    assert.equal(result.output.tag, 'AllocationInstructionResult_Failed')
    assert.equal(result.authorizerChangeCids.get('TT')?.length, 1)
    assert.deepEqual(await held(), [
      [dec('4'), false],
      [dec('1'), false],
    ])
  })

  it("returns out of an allocation, a committed one from the settlement's deadline on", async () => {
    const allocated = async (allocation: AllocationSpecification) => {
      const cid = await pending({ allocation })
      const { output } = await network.run(
        [BOB],
        exercisingInterface(accept, cid, { actors: [BOB], extraArgs: EXTRA_ARGS }),
      )
      return output.tag === 'AllocationInstructionResult_Completed'
        ? output.value.allocationCid
        : assert.fail(output.tag)
    }
    const release = (cid: string) =>
      network.run([ALICE], exercising(testTokenAllocationWithdraw, cid, {}))
    const refuse = (party: string, cid: string) =>
      network.refused([party], exercising(testTokenAllocationWithdraw, cid, {}))
    const free = await allocated({ ...ALLOCATION, committed: false })
    assert.equal((await refuse(BOB, free)).kind, 'unauthorised')
    assert.equal((await release(free)).authorizerHoldingCids.get('TT')?.length, 1)
    const [bound, endless] = [
      await allocated(ALLOCATION),
      await allocated({ ...ALLOCATION, settlementDeadline: null }),
    ]
    network.clock.moveTo(EXPIRY - 1n)
    assert.equal((await refuse(ALICE, bound)).kind, 'too-early')
    network.clock.moveTo(EXPIRY)
    await release(bound)
    assert.equal((await refuse(ALICE, endless)).kind, 'aborted')
  })
})
