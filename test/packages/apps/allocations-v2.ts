// Allocations of the test token of the standard's second version.
import { FUTURE, PAST } from './stage.ts'
import type { Name, Stage } from './stage.ts'
import { TokenV2 } from './token-v2.ts'
import {
  account,
  allocationV2,
  finalized,
  GOLD,
  interfacesV2,
  legV2,
  settlementV2,
} from './values.ts'

export async function playAllocationsV2(stage: Stage, packageId: string): Promise<void> {
  const token = new TokenV2(stage, packageId)
  const { parties } = stage
  const rules = await token.rules()
  const factory = interfacesV2.allocationFactory
  const fetching = { actors: [parties.bob] }
  await stage.exercise(['bob'], factory, rules, 'AllocationFactory_PublicFetch', fetching)
  const poor = token.allocateArguments(rules, [])
  await stage.refuse(['alice'], factory, rules, 'AllocationFactory_Allocate', poor, /Not enough/)
  await playSettlement(token, rules)
  for (const [by, how] of [
    ['venue', 'Cancel'],
    ['alice', 'Withdraw'],
  ] as const) {
    const id = await token.allocated(rules, [await token.mint()])
    await ended(token, { rules, id, by, how })
  }
  const empty = allocationV2(parties, 'SenderSide', { transferLegSides: [] })
  const template = token.template('TokenAllocationV2', 'Allocation')
  await stage.refuseCreate(['alice', 'admin'], template, unlocked(token, empty))
  await playInstructions(token, rules)
}

interface Ending {
  readonly rules: string
  readonly id: string
  readonly by: Name
  readonly how: string
}

/** Ends an allocation as who may, after bob tried. */
export async function ended(token: TokenV2, { rules, id, by, how }: Ending): Promise<void> {
  const { stage } = token
  const choice = `Allocation_${how}`
  const as = (name: Name): object => ({
    actors: [stage.parties[name]],
    extraArgs: token.extra(rules),
  })
  await stage.refuse(['bob'], interfacesV2.allocation, id, choice, as('bob'), /allowed actors/)
  await stage.exercise([by], interfacesV2.allocation, id, choice, as(by))
}

/** The payload of an allocation to which nothing is locked. */
function unlocked({ stage }: TokenV2, allocation: object): object {
  return {
    originalAllocationCid: null,
    actionAuthorizers: [],
    availableActions: [],
    lockedTokens: {},
    settlement: settlementV2(stage.parties),
    allocation,
    requestedAt: PAST,
    allocateBefore: null,
    numIterations: '0',
  }
}

/** Lets the executor settle an allocation alone, which needs the admin, too. */
export async function unsettled(token: TokenV2, rules: string, id: string): Promise<void> {
  await token.stage.refuse(
    ['venue'],
    interfacesV2.allocation,
    id,
    'Allocation_Settle',
    {
      actors: [token.stage.parties.venue],
      extraTransferLegSides: [],
      nextIterationFunding: null,
      extraArgs: token.extra(rules),
    },
    /allowed actors/,
  )
}

async function playSettlement(token: TokenV2, rules: string): Promise<void> {
  const { stage } = token
  const { parties } = stage
  const [factory, settle] = [interfacesV2.settlementFactory, 'SettlementFactory_SettleBatch']
  const fetching = { actors: [parties.bob] }
  await stage.exercise(['bob'], factory, rules, 'SettlementFactory_PublicFetch', fetching)
  const sent = await token.allocated(rules, [await token.mint()])
  await unsettled(token, rules, sent)
  const received = await token.allocated(rules, [], {
    by: 'bob',
    allocation: allocationV2(parties, 'ReceiverSide'),
  })
  const batch = (...allocations: readonly string[]): object => ({
    settlement: settlementV2(parties),
    transferLegs: [legV2(parties)],
    allocations: allocations.map(finalized),
    actors: [parties.venue],
    extraArgs: token.extra(rules),
  })
  await stage.refuse(['venue'], factory, rules, settle, batch(sent), /missing authorizations/)
  await stage.exercise(['venue'], factory, rules, settle, batch(sent, received))
}

const ACCEPT = { tag: 'AIA_Accept', value: {} }

/** An instruction that alice has approved where the account needs two, or nobody. */
export function instructionOf(
  { stage }: TokenV2,
  allocation: object,
  inputs: readonly string[],
  isApproved: boolean,
): object {
  const { admin, alice } = stage.parties
  return {
    originalInstructionCid: null,
    actionAuthorizers: isApproved ? [[ACCEPT, [alice]]] : [],
    availableActions: [],
    inputHoldingCids: { [GOLD]: inputs },
    settlement: settlementV2(stage.parties),
    allocation,
    admin,
    requestedAt: PAST,
    allocateBefore: FUTURE,
  }
}

async function playInstructions(token: TokenV2, rules: string): Promise<void> {
  const template = token.template('TokenAllocationInstructionV2', 'Allocation')
  const empty = allocationV2(token.stage.parties, 'SenderSide', { transferLegSides: [] })
  await token.stage.refuseCreate(['admin'], template, instructionOf(token, empty, [], false))
  await playInstructionsOf(token, rules, template, (instruction) => instruction)
}

/** Accepts and withdraws instructions of a template, made of those of the second version. */
export async function playInstructionsOf(
  token: TokenV2,
  rules: string,
  template: string,
  payloadOf: (instruction: object) => object,
): Promise<void> {
  const { stage } = token
  const { alice, bob } = stage.parties
  const on = interfacesV2.allocationInstruction
  const kept = token.kept(template)
  const config = await token.config(kept, true)
  const own = allocationV2(stage.parties, 'SenderSide', { authorizer: account(alice) })
  const shared = allocationV2(stage.parties, 'SenderSide', { authorizer: kept })
  for (const [how, allocation, isApproved, extraArgs] of [
    ['Accept', own, false, token.extra(rules)],
    ['Withdraw', shared, true, token.extra(rules, config)],
  ] as const) {
    const payload = payloadOf(instructionOf(token, allocation, [await token.mint()], isApproved))
    const id = await stage.create(isApproved ? ['alice', 'admin'] : ['admin'], template, payload)
    const choice = `AllocationInstruction_${how}`
    const as = (actor: string): object => ({ actors: [actor], extraArgs })
    await stage.refuse(['bob'], on, id, choice, as(bob), /allowed actors/)
    await stage.exercise(['alice'], on, id, choice, as(alice))
  }
}
