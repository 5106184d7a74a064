// The test token of the standard's first version.
import { EXTRA, interfaces, NO_META } from '../kit.ts'
import { releasedModule } from '../released.ts'
import { madeOf, PASSED, PAST } from './stage.ts'
import type { Stage } from './stage.ts'
import { instrument, legOf, settlementOf, transferOf } from './values.ts'

/** The token, for scenes in which it changes hands. */
export class TokenV1 {
  readonly stage: Stage
  readonly template: (name: string) => string

  constructor(stage: Stage, packageId: string) {
    this.stage = stage
    this.template = (name) => `${packageId}:${releasedModule(`Testing.Tokens.TestTokenV1`)}:${name}`
  }

  payload(amount: string): object {
    const { alice, admin } = this.stage.parties
    const instrumentId = instrument(admin)
    return { holding: { owner: alice, instrumentId, amount, lock: null, meta: NO_META } }
  }

  mint(amount = '5'): Promise<string> {
    return this.stage.create(['alice', 'admin'], this.template('Token'), this.payload(amount))
  }

  rules(): Promise<string> {
    const { admin } = this.stage.parties
    return this.stage.create(['admin'], this.template('TokenRules'), { admin })
  }

  async offer(more: object = {}): Promise<string> {
    const payload = { transfer: transferOf(this.stage.parties, [], more) }
    return this.stage.create(['alice', 'admin'], this.template('TokenTransferOffer'), payload)
  }

  allocationOf(more: object = {}): object {
    const { parties } = this.stage
    return {
      settlement: settlementOf(parties),
      transferLegId: 'gold',
      transferLeg: legOf(parties),
      ...more,
    }
  }

  allocated(more: object = {}): Promise<string> {
    const payload = { allocation: this.allocationOf(more) }
    return this.stage.create(['alice', 'admin'], this.template('TokenAllocation'), payload)
  }
}

export async function playTokenV1(stage: Stage, packageId: string): Promise<void> {
  const token = new TokenV1(stage, packageId)
  await playTransfers(token)
  await playAllocations(token)
}

async function playTransfers(token: TokenV1): Promise<void> {
  const { stage, template } = token
  const { admin, alice, bob } = stage.parties
  await stage.refuseCreate(['alice', 'admin'], template('Token'), token.payload('0'))
  const rules = await token.rules()
  const factory = interfaces.transferFactory
  const transfer = (inputs: readonly string[], more: object = {}): object => ({
    expectedAdmin: admin,
    transfer: transferOf(stage.parties, inputs, more),
    extraArgs: EXTRA,
  })
  const choice = 'TransferFactory_Transfer'
  await stage.exercise(['bob'], factory, rules, 'TransferFactory_PublicFetch', {
    expectedAdmin: admin,
    actor: bob,
  })
  await stage.refuse(['alice'], factory, rules, choice, transfer([]), /input amount/)
  const coin = await token.mint()
  await stage.refuse(
    ['alice'],
    factory,
    rules,
    choice,
    transfer([coin], { executeBefore: PASSED }),
    /executeBefore/,
  )
  const offered = await stage.exercise(['alice'], factory, rules, choice, transfer([coin]))
  const instruction = interfaces.transferInstruction
  const end = (by: 'alice' | 'bob', id: string, how: string) =>
    stage.exercise([by], instruction, id, `TransferInstruction_${how}`, { extraArgs: EXTRA })
  await end('bob', madeOf(offered, 'TokenTransferOffer'), 'Accept')
  await end('bob', await token.offer(), 'Reject')
  const offer = await token.offer()
  await stage.refuse(
    ['admin'],
    instruction,
    offer,
    'TransferInstruction_Update',
    { extraActors: [], extraArgs: EXTRA },
    /not supported/,
  )
  await end('alice', offer, 'Withdraw')
  const self = transfer([madeOf(offered, 'Token')], { receiver: alice })
  await stage.exercise(['alice'], factory, rules, choice, self)
  await stage.refuseCreate(['alice', 'admin'], template('TokenTransferOffer'), {
    transfer: transferOf(stage.parties, [], { amount: '0' }),
  })
}

async function playAllocations(token: TokenV1): Promise<void> {
  const { stage, template } = token
  const { admin, bob } = stage.parties
  const rules = await token.rules()
  const factory = interfaces.allocationFactory
  await stage.exercise(['bob'], factory, rules, 'AllocationFactory_PublicFetch', {
    expectedAdmin: admin,
    actor: bob,
  })
  const allocate = (inputHoldingCids: readonly string[]): object => ({
    expectedAdmin: admin,
    allocation: token.allocationOf(),
    requestedAt: PAST,
    inputHoldingCids,
    extraArgs: EXTRA,
  })
  const choice = 'AllocationFactory_Allocate'
  await stage.refuse(['alice'], factory, rules, choice, allocate([]), /At least one input/)
  const made = await stage.exercise(
    ['alice'],
    factory,
    rules,
    choice,
    allocate([await token.mint()]),
  )
  const all = ['venue', 'alice', 'bob'] as const
  const end = (by: readonly ('venue' | 'alice' | 'bob')[], id: string, how: string) =>
    stage.exercise(by, interfaces.allocation, id, `Allocation_${how}`, { extraArgs: EXTRA })
  await end(all, madeOf(made, 'TokenAllocation'), 'ExecuteTransfer')
  await end(all, await token.allocated(), 'Cancel')
  await end(['alice'], await token.allocated(), 'Withdraw')
  const over = { allocateBefore: PASSED, settleBefore: PASSED }
  const expired = await token.allocated({ settlement: settlementOf(stage.parties, over) })
  await stage.refuse(
    all,
    interfaces.allocation,
    expired,
    'Allocation_ExecuteTransfer',
    { extraArgs: EXTRA },
    /settleBefore/,
  )
  await stage.refuseCreate(['alice', 'admin'], template('TokenAllocation'), {
    allocation: token.allocationOf({ transferLeg: legOf(stage.parties, { amount: '0' }) }),
  })
}
