// The install's choices: the validator's alone, carried out with the user's authority.
// docs/economy-rules.md, "Traffic" and "Onboarding"
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import * as contracts from '../../runtime/contracts/index.ts'
import type { WalletAppInstall } from '../../generated/contracts.gen.ts'
import {
  ALICE,
  BOB,
  CAROL,
  DAY,
  dec,
  DSO,
  MEMBER,
  outline,
  SECOND,
  START,
  startNetwork,
  SYNCHRONIZER,
  VALIDATOR,
  exercising,
  creating,
} from './wallet-kit.ts'
import type { Choice } from '../../runtime/engine/index.ts'
import type { Network } from './wallet-kit.ts'
import type {
  TransferFactory_Transfer,
  WalletAppInstall_CreateTransferOffer,
} from '../../generated/contracts.gen.ts'

const { installChoices: choices } = contracts
const EXPIRY = START + 60n * SECOND
const NOTHING = { context: { values: new Map() }, meta: { values: new Map() } }
const OFFER: WalletAppInstall_CreateTransferOffer = {
  receiver: BOB,
  amount: { amount: dec('4'), unit: 'CoinUnit' },
  description: '',
  expiresAt: EXPIRY,
  trackingId: 't',
}
const REQUEST = {
  memberId: MEMBER,
  synchronizerId: SYNCHRONIZER,
  migrationId: 0n,
  trafficAmount: 1n,
  expiresAt: EXPIRY,
  trackingId: 't',
}

describe("A wallet's install", () => {
  let network: Network
  let alice: string
  let bob: string

  beforeEach(async () => {
    network = await startNetwork({ isDevNet: true })
    alice = await network.install(ALICE)
    bob = await network.install(BOB)
  })

  /** Exercises a choice as the validator; asserts that the user and others cannot. */
  async function act<A, R>(
    choice: Choice<WalletAppInstall, A, R>,
    install: string,
    argument: A,
  ): Promise<R> {
    for (const actAs of [[ALICE], [BOB]]) {
      const rejection = await network.refused(actAs, exercising(choice, install, argument))
      assert.equal(rejection.kind, 'unauthorised')
    }
    return network.run([VALIDATOR], exercising(choice, install, argument))
  }

  function lastOutline() {
    return outline(network.transactions.at(-1)).map((line) => line.trim())
  }

  it('is signed by user and validator, and found by either and by name', async () => {
    for (const key of [
      { endUserParty: ALICE },
      { endUserName: 'user' },
      { validatorParty: VALIDATOR },
    ]) {
      const found = await network.reader.active(contracts.walletAppInstall, key)
      assert.ok(found.some(({ id }) => id === alice))
    }
    const install = {
      dsoParty: DSO,
      validatorParty: VALIDATOR,
      endUserName: 'x',
      endUserParty: ALICE,
    }
    const rejection = await network.refused(
      [VALIDATOR],
      creating(contracts.walletAppInstall, install),
    )
    assert.equal(rejection.kind, 'unauthorised')
  })

  it('makes, accepts, rejects, withdraws and expires offers', async () => {
    const create = choices.WalletAppInstall_CreateTransferOffer
    const offer = async () => (await act(create, alice, OFFER)).transferOfferCid
    const accept = async () =>
      (await act(choices.WalletAppInstall_TransferOffer_Accept, bob, { cid: await offer() }))
        .acceptedTransferOffer
    const { trackingInfo } = await act(choices.WalletAppInstall_TransferOffer_Reject, bob, {
      cid: await offer(),
    })
    assert.deepEqual(trackingInfo, { trackingId: 't', sender: ALICE, receiver: BOB })
    await act(choices.WalletAppInstall_TransferOffer_Withdraw, alice, {
      cid: await offer(),
      reason: 'r',
    })
    assert.deepEqual(lastOutline(), [
      'WalletAppInstall_TransferOffer_Withdraw',
      'TransferOffer_Withdraw',
    ])
    const aborted = await act(choices.WalletAppInstall_AcceptedTransferOffer_Abort, alice, {
      cid: await accept(),
      reason: 'poor',
    })
    assert.equal(aborted.reason, 'poor')
    await act(choices.WalletAppInstall_AcceptedTransferOffer_Withdraw, bob, {
      cid: await accept(),
      reason: '',
    })
    const [old, older] = [await offer(), await accept()]
    network.clock.moveTo(EXPIRY)
    await act(choices.WalletAppInstall_TransferOffer_Expire, bob, { cid: old })
    await act(choices.WalletAppInstall_AcceptedTransferOffer_Expire, alice, { cid: older })
  })

  it("does not withdraw another's offer", async () => {
    const { transferOfferCid: cid } = await act(
      choices.WalletAppInstall_CreateTransferOffer,
      alice,
      OFFER,
    )
    const rejection = await network.refused(
      [VALIDATOR],
      exercising(choices.WalletAppInstall_TransferOffer_Withdraw, bob, { cid, reason: '' }),
    )
    assert.equal(rejection.kind, 'unauthorised')
  })

  it('makes, cancels and expires requests for traffic, cancelling before expiry only', async () => {
    const create = async () =>
      (await act(choices.WalletAppInstall_CreateBuyTrafficRequest, alice, REQUEST))
        .buyTrafficRequestCid
    const [first, second] = [await create(), await create()]
    const cancelled = await act(choices.WalletAppInstall_BuyTrafficRequest_Cancel, alice, {
      cid: first,
      reason: 'poor',
    })
    assert.deepEqual(cancelled, {
      trackingInfo: { trackingId: 't', endUserParty: ALICE },
      reason: 'poor',
    })
    network.clock.moveTo(EXPIRY - 1n)
    const expire = choices.WalletAppInstall_BuyTrafficRequest_Expire
    await network.denied('too-early', [VALIDATOR], exercising(expire, alice, { cid: second }))
    network.clock.moveTo(EXPIRY)
    const cancel = choices.WalletAppInstall_BuyTrafficRequest_Cancel
    await network.denied(
      'too-late',
      [VALIDATOR],
      exercising(cancel, alice, { cid: second, reason: '' }),
    )
    await act(expire, alice, { cid: second })
    const none = { ...REQUEST, trafficAmount: 0n }
    const rejection = await network.refused(
      [VALIDATOR],
      exercising(choices.WalletAppInstall_CreateBuyTrafficRequest, alice, none),
    )
    assert.equal(rejection.kind, 'aborted')
  })

  async function tokenTransfer(): Promise<string> {
    const { value } = await network.mint(ALICE, '5')
    const transferArg: TransferFactory_Transfer = {
      expectedAdmin: DSO,
      transfer: {
        sender: ALICE,
        receiver: BOB,
        amount: dec('2'),
        instrumentId: { admin: DSO, id: contracts.instrumentId() },
        requestedAt: START,
        executeBefore: EXPIRY,
        inputHoldingCids: [value],
        meta: { values: new Map() },
      },
      extraArgs: {
        ...NOTHING,
        context: {
          values: new Map([
            [
              contracts.contextKeys.coinRules,
              { tag: 'AV_ContractId', value: network.ledger.rules },
            ],
            [
              contracts.contextKeys.openRound,
              { tag: 'AV_ContractId', value: network.openRoundCid },
            ],
          ]),
        },
      },
    }
    const { factory: transferFactoryCid } = network.ledger
    const { output } = await act(choices.WalletAppInstall_TransferFactory_Transfer, alice, {
      transferFactoryCid,
      transferArg,
    })
    assert.deepEqual(lastOutline().slice(0, 2), [
      'WalletAppInstall_TransferFactory_Transfer',
      'TransferFactory_Transfer',
    ])
    assert.ok(output.tag === 'TransferInstructionResult_Pending')
    return output.value.transferInstructionCid
  }

  it('makes, accepts, rejects and withdraws token transfers', async () => {
    const extraArgs = {
      ...NOTHING,
      context: {
        values: new Map([
          [contracts.contextKeys.expireLock, { tag: 'AV_Bool', value: true } as const],
          [
            contracts.contextKeys.coinRules,
            { tag: 'AV_ContractId', value: network.ledger.rules } as const,
          ],
          [
            contracts.contextKeys.openRound,
            { tag: 'AV_ContractId', value: network.openRoundCid } as const,
          ],
        ]),
      },
    }
    const [first, second, third] = [
      await tokenTransfer(),
      await tokenTransfer(),
      await tokenTransfer(),
    ]
    await act(choices.WalletAppInstall_TransferInstruction_Accept, bob, { cid: first, extraArgs })
    assert.deepEqual(lastOutline().slice(0, 2), [
      'WalletAppInstall_TransferInstruction_Accept',
      'TransferInstruction_Accept',
    ])
    await act(choices.WalletAppInstall_TransferInstruction_Reject, bob, { cid: second, extraArgs })
    await act(choices.WalletAppInstall_TransferInstruction_Withdraw, alice, {
      cid: third,
      extraArgs,
    })
    assert.deepEqual(await network.coinsOf(BOB), [dec('2')])
    assert.deepEqual(await network.coinsOf(ALICE), ['3', '3', '3', '2', '2'].map(dec))
  })

  it('proposes a preapproval, which provider or receiver may end, and cancels one', async () => {
    const create = choices.WalletAppInstall_TransferPreapprovalProposal_Create
    const { transferPreapprovalProposal: template } = contracts
    const { transferPreapprovalProposalCid: first } = await act(create, alice, {})
    const [proposal] = await network.reader.active(template, { provider: VALIDATOR })
    assert.deepEqual(proposal?.payload, { receiver: ALICE, provider: VALIDATOR, expectedDso: DSO })
    const {
      transferPreapprovalProposalReject: reject,
      transferPreapprovalProposalWithdraw: withdraw,
    } = contracts
    await network.denied('unauthorised', [ALICE], exercising(reject, first, {}))
    await network.denied('unauthorised', [VALIDATOR], exercising(withdraw, first, {}))
    await network.run([VALIDATOR], exercising(reject, first, {}))
    const { transferPreapprovalProposalCid: second } = await act(create, alice, {})
    await network.run([ALICE], exercising(withdraw, second, {}))
    const unnamed = { receiver: ALICE, provider: VALIDATOR, expectedDso: null }
    await network.denied('aborted', [ALICE], creating(template, unnamed))
    const valid = { validFrom: START, lastRenewedAt: START, expiresAt: START + DAY }
    const approval = { dso: DSO, receiver: ALICE, provider: VALIDATOR, ...valid }
    const cid = await network.run(
      [DSO, ALICE, VALIDATOR],
      creating(contracts.transferPreapproval, approval),
    )
    await act(choices.WalletAppInstall_TransferPreapproval_Cancel, alice, { cid })
  })

  it('features the user on a development network, and gives that up', async () => {
    const grant = choices.WalletAppInstall_FeaturedAppRights_SelfGrant
    const { featuredAppRightCid } = await act(grant, alice, { coinRulesCid: network.ledger.rules })
    await act(choices.WalletAppInstall_FeaturedAppRights_Cancel, alice, {
      cids: [featuredAppRightCid],
    })
    assert.deepEqual(await network.reader.active(contracts.featuredAppRight), [])
  })

  it('handles minting delegations on both sides', async () => {
    const terms = { delegate: BOB, expiresAt: EXPIRY, coinMergeLimit: 10n }
    const propose = async () =>
      (await act(choices.WalletAppInstall_MintingDelegationProposal_Create, alice, terms))
        .proposalCid
    const accept = async (existingDelegationCid: string | null) => {
      const argument = { cid: await propose(), existingDelegationCid }
      return (await act(choices.WalletAppInstall_MintingDelegationProposal_Accept, bob, argument))
        .mintingDelegationCid
    }
    const second = await accept(await accept(null))
    assert.equal((await network.reader.active(contracts.mintingDelegation)).length, 1)
    await act(choices.WalletAppInstall_MintingDelegation_Reject, bob, { cid: second })
    await act(choices.WalletAppInstall_MintingDelegation_Withdraw, alice, {
      cid: await accept(null),
    })
    await act(choices.WalletAppInstall_MintingDelegationProposal_Reject, bob, {
      cid: await propose(),
    })
    await act(choices.WalletAppInstall_MintingDelegationProposal_Withdraw, alice, {
      cid: await propose(),
    })
  })

  it('handles merge delegations of the user', async () => {
    const terms = { operator: VALIDATOR, meta: { values: new Map() } }
    const propose = async () =>
      (await act(choices.WalletAppInstall_MergeDelegationProposal_Create, alice, terms)).proposalCid
    await act(choices.WalletAppInstall_MergeDelegationProposal_Withdraw, alice, {
      cid: await propose(),
    })
    const cid = await propose()
    const { mergeDelegationCid } = await network.run(
      [VALIDATOR],
      exercising(contracts.mergeDelegationProposalAccept, cid, {}),
    )
    await act(choices.WalletAppInstall_MergeDelegation_Withdraw, alice, { cid: mergeDelegationCid })
  })

  it('allocates, takes back and rejects coupons of the development fund', async () => {
    const carol = await network.install(CAROL)
    const allocate = async () => {
      const fund = await network.run(
        [DSO],
        creating(contracts.unclaimedDevelopmentFundCoupon, { dso: DSO, amount: dec('9') }),
      )
      const { developmentFundCouponCid } = await act(
        choices.WalletAppInstall_DevelopmentFundCoupon_Allocate,
        carol,
        {
          coinRulesCid: network.ledger.rules,
          unclaimedDevelopmentFundCouponCids: [fund],
          beneficiary: ALICE,
          amount: dec('9'),
          expiresAt: START + DAY,
          reason: 'grant',
          mintAfter: null,
          now: START,
        },
      )
      return developmentFundCouponCid
    }
    const withdrawal = { cid: await allocate(), reason: 'late' }
    const withdrawn = await act(
      choices.WalletAppInstall_DevelopmentFundCoupon_Withdraw,
      carol,
      withdrawal,
    )
    assert.equal(withdrawn.reason, 'late')
    await act(choices.WalletAppInstall_DevelopmentFundCoupon_Reject, alice, {
      cid: await allocate(),
      reason: 'no',
    })
  })
})
