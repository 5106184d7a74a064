// The test token of the standard's second version through the interfaces of the first.
import { EXTRA, interfaces } from '../kit.ts'
import { ended, instructionOf, playInstructionsOf, unsettled } from './allocations-v2.ts'
import { madeOf, PAST } from './stage.ts'
import type { Stage } from './stage.ts'
import { TokenV2 } from './token-v2.ts'
import { allocationV2, legOf, settlementOf, transferOf } from './values.ts'

export async function playAsV1(stage: Stage, packageId: string): Promise<void> {
  const token = new TokenV2(stage, packageId)
  const rules = await token.rules()
  await playTransfers(token, rules)
  await playAllocations(token, rules)
  await playInstructions(token, rules)
}

const MISSING = /not found/

async function playTransfers(token: TokenV2, rules: string): Promise<void> {
  const { stage } = token
  const { admin, bob } = stage.parties
  const extraArgs = token.extra(rules)
  const [factory, instruction] = [interfaces.transferFactory, interfaces.transferInstruction]
  const fetching = { expectedAdmin: admin, actor: bob }
  await stage.exercise(['bob'], factory, rules, 'TransferFactory_PublicFetch', fetching)
  const transfer = transferOf(stage.parties, [await token.mint()])
  const [choice, argument] = ['TransferFactory_Transfer', { expectedAdmin: admin, transfer }]
  await stage.refuse(['alice'], factory, rules, choice, { ...argument, extraArgs: EXTRA }, MISSING)
  await stage.exercise(['alice'], factory, rules, choice, { ...argument, extraArgs })
  for (const [by, how] of [
    ['bob', 'Accept'],
    ['bob', 'Reject'],
    ['alice', 'Withdraw'],
  ] as const) {
    const id = await token.offered(rules)
    const name = `TransferInstruction_${how}`
    await stage.refuse([by], instruction, id, name, { extraArgs: EXTRA }, MISSING)
    await stage.exercise([by], instruction, id, name, { extraArgs })
  }
  await stage.refuse(
    ['admin'],
    instruction,
    await token.offered(rules),
    'TransferInstruction_Update',
    { extraActors: [], extraArgs },
    /not used|not supported|update/i,
  )
}

async function playAllocations(token: TokenV2, rules: string): Promise<void> {
  const { stage } = token
  const { parties } = stage
  const factory = interfaces.allocationFactory
  const fetching = { expectedAdmin: parties.admin, actor: parties.bob }
  await stage.exercise(['bob'], factory, rules, 'AllocationFactory_PublicFetch', fetching)
  const extraArgs = token.extra(rules)
  const choice = 'AllocationFactory_Allocate'
  const allocate = async (expectedAdmin: string): Promise<object> => ({
    expectedAdmin,
    allocation: {
      settlement: settlementOf(parties),
      transferLegId: 'gold',
      transferLeg: legOf(parties),
    },
    requestedAt: PAST,
    inputHoldingCids: [await token.mint()],
    extraArgs,
  })
  const foreign = await allocate(parties.bob)
  await stage.refuse(['alice'], factory, rules, choice, foreign, /expectedAdmin/)
  const allocated = async (): Promise<string> =>
    madeOf(
      await stage.exercise(['alice'], factory, rules, choice, await allocate(parties.admin)),
      'TokenAllocationV1',
    )
  const all = ['venue', 'alice', 'bob'] as const
  for (const [by, how] of [
    [all, 'ExecuteTransfer'],
    [all, 'Cancel'],
    [['alice'], 'Withdraw'],
  ] as const) {
    const [id, on] = [await allocated(), interfaces.allocation]
    await stage.refuse(by, on, id, `Allocation_${how}`, { extraArgs: EXTRA }, MISSING)
    await stage.exercise(by, on, id, `Allocation_${how}`, { extraArgs })
  }
  const id = await allocated()
  await unsettled(token, rules, id)
  await ended(token, { rules, id, by: 'venue', how: 'Cancel' })
  await ended(token, { rules, id: await allocated(), by: 'alice', how: 'Withdraw' })
}

async function playInstructions(token: TokenV2, rules: string): Promise<void> {
  const { stage } = token
  const template = token.template('TokenAllocationInstructionV1', 'Allocation')
  const wrapped = (instrV2: object): object => ({ instrV2 })
  await playInstructionsOf(token, rules, template, wrapped)
  const committed = allocationV2(stage.parties, 'SenderSide', { committed: true })
  const unfit = wrapped(instructionOf(token, committed, [], false))
  await stage.refuseCreate(['admin'], template, unfit)
  const kept = token.kept('first')
  const config = await token.config(kept, true)
  const extraArgs = token.extra(rules, config)
  const allocation = allocationV2(stage.parties, 'SenderSide', { authorizer: kept })
  const made = (isApproved: boolean): Promise<string> =>
    stage.create(
      isApproved ? ['alice', 'admin'] : ['admin'],
      template,
      wrapped(instructionOf(token, allocation, [], isApproved)),
    )
  const on = interfaces.allocationInstruction
  const [fresh, approved] = [await made(false), await made(true)]
  const withdraw = 'AllocationInstruction_Withdraw'
  await stage.refuse(['alice'], on, fresh, withdraw, { extraArgs }, /unavailable action/)
  await stage.refuse(
    ['admin'],
    on,
    fresh,
    'AllocationInstruction_Update',
    { extraActors: [], extraArgs },
    /not used/,
  )
  await stage.exercise(['alice'], on, approved, withdraw, { extraArgs })
  const unviewable = {
    originalAllocationCid: null,
    actionAuthorizers: [],
    availableActions: [],
    lockedTokens: {},
    settlement: { executors: [stage.parties.venue], id: 'trade', cid: null, meta: { values: {} } },
    allocation: committed,
    requestedAt: PAST,
    allocateBefore: null,
    numIterations: '0',
  }
  await stage.refuseCreate(['alice', 'admin'], token.template('TokenAllocationV1', 'Allocation'), {
    allocationV2: unviewable,
  })
}
