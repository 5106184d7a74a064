// Utilities of wallets: merges of holdings by somebody else, and batches of the standard's choices.
import { EXTRA, NO_META } from '../kit.ts'
import { releasedModule } from '../released.ts'
import { madeOf } from './stage.ts'
import type { Stage } from './stage.ts'
import type { TokenV1 } from './token-v1.ts'
import { account, GOLD, transferOf } from './values.ts'

export async function playMerges(stage: Stage, packageId: string, token: TokenV1): Promise<void> {
  const merges = new Merges(stage, packageId, token)
  await merges.playProposals()
  await merges.playMerge()
  await merges.playEnds()
}

class Merges {
  readonly stage: Stage
  readonly token: TokenV1
  readonly template: (name: string) => string

  constructor(stage: Stage, packageId: string, token: TokenV1) {
    const module = `${packageId}:${releasedModule('Util.Token.Wallet.MergeDelegation')}`
    this.stage = stage
    this.token = token
    this.template = (name) => `${module}:${name}`
  }

  #delegation(): object {
    const { bank: operator, alice: owner } = this.stage.parties
    return { operator, owner, meta: NO_META }
  }

  delegated(): Promise<string> {
    return this.stage.create(
      ['alice', 'bank'],
      this.template('MergeDelegation'),
      this.#delegation(),
    )
  }

  /** A merge of the owner's holdings; `receiver` is the owner in a good one. */
  merge(rules: string, inputs: readonly string[], receiver: string): object {
    const { parties } = this.stage
    const choiceArg = {
      expectedAdmin: parties.admin,
      transfer: transferOf(parties, inputs, { receiver, amount: '2' }),
      extraArgs: EXTRA,
    }
    return {
      optMergeTransfer: { factoryCid: rules, choiceArg },
      optExtraTransfer: null,
      optFeaturedAppRight: null,
    }
  }

  async playProposals(): Promise<void> {
    const { stage } = this
    const template = this.template('MergeDelegationProposal')
    for (const [by, how] of [
      ['bank', 'Accept'],
      ['bank', 'Reject'],
      ['alice', 'Withdraw'],
    ] as const) {
      const id = await stage.create(['alice'], template, { delegation: this.#delegation() })
      await stage.exercise([by], template, id, `MergeDelegationProposal_${how}`, {})
    }
  }

  async playMerge(): Promise<void> {
    const { stage, token } = this
    const { alice, bob, bank: operator } = stage.parties
    const delegation = this.template('MergeDelegation')
    const [id, rules] = [await this.delegated(), await token.rules()]
    const choice = 'MergeDelegation_Merge'
    const refused = (argument: object, cause: RegExp) =>
      stage.refuse(['bank'], delegation, id, choice, argument, cause)
    const nothing = { optMergeTransfer: null, optExtraTransfer: null, optFeaturedAppRight: null }
    await refused(nothing, /At least one/)
    await refused(this.merge(rules, [await token.mint('2')], bob), /self-transfer receiver/)
    await refused(this.merge(rules, [await token.mint('2')], alice), /Number of sender input/)
    const two = async () => [await token.mint('1'), await token.mint('1')]
    const merged = await stage.exercise(
      ['bank'],
      delegation,
      id,
      choice,
      this.merge(rules, await two(), alice),
    )
    madeOf(merged, 'Token')
    const template = this.template('BatchMergeUtility')
    const utility = await stage.create(['bank'], template, { operator })
    const batch = async (inputs: readonly string[]): Promise<object> => ({
      mergeCalls: [{ delegationCid: id, choiceArg: this.merge(rules, inputs, alice) }],
    })
    const all = 'BatchMergeUtility_BatchMerge'
    await stage.refuse(['bank'], template, utility, all, await batch([]), /input amount/)
    await stage.exercise(['bank'], template, utility, all, await batch(await two()))
  }

  async playEnds(): Promise<void> {
    const template = this.template('MergeDelegation')
    await this.stage.exercise(
      ['bank'],
      template,
      await this.delegated(),
      'MergeDelegation_Reject',
      {},
    )
    await this.stage.exercise(
      ['alice'],
      template,
      await this.delegated(),
      'MergeDelegation_Withdraw',
      {},
    )
  }
}

export async function playBatches(stage: Stage, packageId: string, token: TokenV1): Promise<void> {
  const { parties } = stage
  const { alice, admin } = parties
  const module = releasedModule('Util.Token.Wallet.BatchingUtilityV2')
  const template = `${packageId}:${module}:BatchingUtility`
  const id = await stage.create(['alice'], template, { user: alice })
  const rules = await token.rules()
  const transfer = (amount: string): object => ({
    tag: 'TSA_TransferFactory_TransferV1',
    value: {
      cid: rules,
      arg: {
        expectedAdmin: admin,
        transfer: transferOf(parties, [], { amount }),
        extraArgs: EXTRA,
      },
    },
  })
  const batch = (holdings: readonly string[], ...actions: readonly object[]): object => ({
    inputHoldingMap: {
      byAdminAndAccount: [[{ admin, account: account(alice) }, { [GOLD]: holdings }]],
    },
    actions,
    archiveAfterExecution: false,
  })
  const choice = 'BatchingUtility_ExecuteBatch'
  const coin = await token.mint('5')
  const much = batch([coin], transfer('2'), transfer('4'))
  await stage.refuse(['alice'], template, id, choice, much, /input amount/)
  const offer = await token.offer()
  const withdrawal = {
    tag: 'TSA_TransferInstruction_WithdrawV1',
    value: { cid: offer, arg: { extraArgs: EXTRA } },
  }
  // The change of the first is the second's, and what the withdrawal gives back is the third's.
  const actions = [transfer('2'), transfer('3'), withdrawal, transfer('2')]
  await stage.exercise(['alice'], template, id, choice, batch([coin], ...actions))
}
