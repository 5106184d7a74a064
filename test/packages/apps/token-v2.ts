// The test token of the standard's second version: its accounts say who has to approve what.
import { NO_META } from '../kit.ts'
import { releasedModule } from '../released.ts'
import { madeOf, PAST } from './stage.ts'
import type { Name, Stage } from './stage.ts'
import {
  account,
  allocationV2,
  contractValue,
  extraOf,
  instrument,
  interfacesV2,
  settlementV2,
  transferOf,
} from './values.ts'

/** Who may begin, and who has to approve. */
const party = (canInitiate: boolean, mustApprove: boolean) => ({ canInitiate, mustApprove })

/** The token, for scenes in which it changes hands. */
export class TokenV2 {
  readonly stage: Stage
  readonly #module: string

  constructor(stage: Stage, packageId: string) {
    this.stage = stage
    this.#module = `${packageId}:${releasedModule('Testing.Tokens.TestTokenV2')}`
  }

  /** A template by its name, and the last part of its module where it is in one of its own. */
  template(name: string, module?: string): string {
    return `${this.#module}${module === undefined ? '' : `.${module}`}:${name}`
  }

  rules(): Promise<string> {
    const { admin } = this.stage.parties
    return this.stage.create(['admin'], this.template('TokenRules'), { admin })
  }

  holding(amount: string, owner: object): object {
    const instrumentId = instrument(this.stage.parties.admin)
    return { holding: { account: owner, instrumentId, amount, lock: null, meta: NO_META } }
  }

  mint(amount = '5', kept?: object): Promise<string> {
    const { alice } = this.stage.parties
    return this.stage.create(
      kept === undefined ? ['alice', 'admin'] : ['alice', 'bank', 'admin'],
      this.template('Token', 'Holding'),
      this.holding(amount, kept ?? account(alice)),
    )
  }

  /** An account of alice's that the bank keeps. */
  kept(id: string) {
    const { alice, bank } = this.stage.parties
    return account(alice, bank, id)
  }

  configOf(kept: object, provider: object, owner: object = party(true, true)): object {
    const { admin } = this.stage.parties
    return { admin, account: kept, ownerConfig: owner, providerConfig: provider }
  }

  /** The configuration of an account for which the bank has to approve, too, or need not. */
  config(kept: object, isStrict: boolean): Promise<string> {
    return this.stage.create(
      ['alice', 'bank'],
      this.template('AccountConfig', 'AccountConfig'),
      this.configOf(kept, party(isStrict, isStrict)),
    )
  }

  /** Arguments for choices that look for the rules and for configurations of accounts. */
  extra(rules: string, ...configs: readonly string[]): object {
    return extraOf({
      'testTokenV2/tokenRules': contractValue(rules),
      'testTokenV2/accountConfigs': { tag: 'AV_List', value: configs.map(contractValue) },
    })
  }

  allocateArguments(
    rules: string,
    inputHoldingCids: readonly string[],
    { by = 'alice', allocation = allocationV2(this.stage.parties), ...more }: Allocating = {},
  ): object {
    return {
      settlement: settlementV2(this.stage.parties),
      allocation,
      requestedAt: PAST,
      inputHoldingCids,
      extraArgs: this.extra(rules),
      actors: [this.stage.parties[by]],
      ...more,
    }
  }

  /** An allocation that its owner made. */
  async allocated(
    rules: string,
    inputs: readonly string[],
    options: Allocating = {},
  ): Promise<string> {
    const made = await this.stage.exercise(
      [options.by ?? 'alice'],
      interfacesV2.allocationFactory,
      rules,
      'AllocationFactory_Allocate',
      this.allocateArguments(rules, inputs, options),
    )
    return madeOf(made, 'TokenAllocationV2')
  }

  transfer(inputs: readonly string[], sender?: object): object {
    const { alice, bob } = this.stage.parties
    return transferOf(this.stage.parties, inputs, {
      sender: sender ?? account(alice),
      receiver: account(bob),
    })
  }

  async offered(rules: string): Promise<string> {
    const made = await this.stage.exercise(
      ['alice'],
      interfacesV2.transferFactory,
      rules,
      'TransferFactory_Transfer',
      {
        transfer: this.transfer([await this.mint('2')]),
        actors: [this.stage.parties.alice],
        extraArgs: this.extra(rules),
      },
    )
    return madeOf(made, 'TokenTransferOffer')
  }
}

interface Allocating {
  readonly by?: Name
  readonly allocation?: object
  readonly settlement?: object
  readonly extraArgs?: object
}

export async function playTransfersV2(stage: Stage, packageId: string): Promise<void> {
  const token = new TokenV2(stage, packageId)
  const { admin, alice, bob } = stage.parties
  const rules = await token.rules()
  const extraArgs = token.extra(rules)
  const zero = token.holding('0', account(alice))
  await stage.refuseCreate(['alice', 'admin'], token.template('Token', 'Holding'), zero)
  const factory = interfacesV2.transferFactory
  const fetching = { actors: [bob] }
  await stage.exercise(['bob'], factory, rules, 'TransferFactory_PublicFetch', fetching)
  const foreign = { transfer: token.transfer([]), actors: [bob], extraArgs }
  await stage.refuse(['bob'], factory, rules, 'TransferFactory_Transfer', foreign, /allowed actors/)
  const instruction = interfacesV2.transferInstruction
  for (const [by, other, how] of [
    ['bob', 'alice', 'Accept'],
    ['bob', 'alice', 'Reject'],
    ['alice', 'bob', 'Withdraw'],
  ] as const) {
    const id = await token.offered(rules)
    const choice = `TransferInstruction_${how}`
    const as = (name: Name): object => ({ actors: [stage.parties[name]], extraArgs })
    await stage.refuse([other], instruction, id, choice, as(other), /allowed actors/)
    await stage.exercise([by], instruction, id, choice, as(by))
  }
  await playEventLogs(token, rules)
  const offer = token.template('TokenTransferOffer', 'Transfer')
  await stage.refuseCreate(['admin'], offer, {
    actionAuthorizers: [],
    availableActions: [],
    transfer: { ...token.transfer([]), amount: '0' },
    originalInstructionCid: null,
    mintAmount: '0',
  })
  const mint = (of: string): object => ({
    receiver: account(alice),
    amount: '1',
    instrumentId: instrument(of),
    offeredAt: PAST,
    receiverConfig: token.configOf(account(alice), party(false, false)),
  })
  const [on, choice] = [token.template('TokenRules'), 'TokenRules_OfferMint']
  await stage.refuse(['admin'], on, rules, choice, mint(bob), /instrumentId.admin/)
  await stage.exercise(['admin'], on, rules, choice, mint(admin))
}

async function playEventLogs(token: TokenV2, rules: string): Promise<void> {
  const { stage } = token
  const change = (name: 'admin' | 'bob'): object => ({
    admin: stage.parties[name],
    account: account(stage.parties.alice),
    inputHoldingCids: [],
    transferLegSides: [],
    outputHoldingCids: [],
    observers: [],
    extraArgs: extraOf(),
  })
  const choice = 'EventLog_HoldingsChange'
  for (const id of [rules, await token.offered(rules)]) {
    await stage.refuse(['bob'], interfacesV2.eventLog, id, choice, change('bob'), /admin/)
    await stage.exercise(['admin'], interfacesV2.eventLog, id, choice, change('admin'))
  }
}

/** What a configuration lets one party of an account do for the other. */
export async function playAccounts(stage: Stage, packageId: string): Promise<void> {
  const token = new TokenV2(stage, packageId)
  const { alice, bob } = stage.parties
  await playProposals(token)
  const rules = await token.rules()
  const kept = token.kept('kept')
  const config = await token.config(kept, false)
  const extraArgs = token.extra(rules, config)
  const offered = await stage.exercise(
    ['alice'],
    interfacesV2.transferFactory,
    rules,
    'TransferFactory_Transfer',
    { transfer: token.transfer([await token.mint('2', kept)], kept), actors: [alice], extraArgs },
  )
  const allocated = await token.allocated(rules, [await token.mint('2', kept)], {
    allocation: allocationV2(stage.parties, 'SenderSide', { authorizer: kept }),
    extraArgs,
  })
  const on = token.template('AccountConfig', 'AccountConfig')
  const refused = (choice: string, action: string, subject: object): Promise<void> =>
    stage.refuse(
      ['bob', 'admin'],
      on,
      config,
      choice,
      { actor: bob, authorizer: alice, action: { tag: action, value: {} }, ...subject, extraArgs },
      /authorizationTransfers|is not allowed/,
    )
  const instrCid = madeOf(offered, 'TokenTransferOffer')
  await refused('AuthorizeTransferInstructionAction', 'TIA_Withdraw', { instrCid })
  await refused('AuthorizeAllocationInstructionAction', 'AIA_Withdraw', { instrCid })
  await refused('AuthorizeAllocationAction', 'AA_Withdraw', { allocationCid: allocated })
  const withdraw = { actors: [alice], extraArgs }
  await stage.exercise(
    ['alice'],
    interfacesV2.allocation,
    allocated,
    'Allocation_Withdraw',
    withdraw,
  )
}

async function playProposals(token: TokenV2): Promise<void> {
  const { stage } = token
  const template = token.template('AccountProposal', 'AccountConfig')
  const kept = token.kept('proposed')
  const [config, invalid] = [
    token.configOf(kept, party(true, true)),
    token.configOf(kept, party(false, false), party(false, false)),
  ]
  await stage.refuseCreate(
    ['alice', 'bank'],
    token.template('AccountConfig', 'AccountConfig'),
    invalid,
  )
  const proposed = (of: object) => stage.create(['bank'], template, { config: of })
  const bad = await proposed(invalid)
  await stage.refuse(['alice'], template, bad, 'AccountProposal_Accept', {}, /precondition|hold/i)
  for (const [by, how] of [
    ['alice', 'Accept'],
    ['alice', 'Reject'],
    ['bank', 'Withdraw'],
  ] as const)
    await stage.exercise([by], template, await proposed(config), `AccountProposal_${how}`, {})
}
