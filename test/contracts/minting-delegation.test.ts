// Who may mint for whom, until when, and into whose coins. docs/economy-rules.md, "Minting
// delegations"
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import {
  appRewardCoupon,
  mintingDelegation,
  mintingDelegationMint,
  mintingDelegationProposal,
  mintingDelegationProposalAccept,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  dec,
  DSO,
  outline,
  SECOND,
  START,
  startNetwork,
  exercising,
  creating,
} from './wallet-kit.ts'
import type { MintingDelegation } from '../../generated/contracts.gen.ts'
import type { Network } from './wallet-kit.ts'

const EXPIRY = START + 60n * SECOND
const DELEGATION: MintingDelegation = {
  beneficiary: ALICE,
  delegate: BOB,
  dso: DSO,
  expiresAt: EXPIRY,
  coinMergeLimit: 10n,
}

describe('A minting delegation', () => {
  let network: Network

  beforeEach(async () => {
    network = await startNetwork()
  })

  async function propose(): Promise<string> {
    return network.run([ALICE], creating(mintingDelegationProposal, { delegation: DELEGATION }))
  }

  async function delegation(change: Partial<MintingDelegation> = {}): Promise<string> {
    const payload = { ...DELEGATION, ...change }
    return network.run(
      [payload.beneficiary, payload.delegate],
      creating(mintingDelegation, payload),
    )
  }

  it('has a merge limit, and replaces the one that the two have, no other', async () => {
    const limitless = { delegation: { ...DELEGATION, coinMergeLimit: 0n } }
    await network.denied('aborted', [ALICE], creating(mintingDelegationProposal, limitless))
    const [cid, existing, other] = [
      await propose(),
      await delegation(),
      await delegation({ beneficiary: CAROL }),
    ]
    const rejection = await network.refused(
      [BOB],
      exercising(mintingDelegationProposalAccept, cid, { existingDelegationCid: other }),
    )
    assert.equal(rejection.kind, 'aborted')
    await network.run(
      [BOB],
      exercising(mintingDelegationProposalAccept, cid, { existingDelegationCid: existing }),
    )
    assert.equal(await network.reader.get(mintingDelegation, existing), undefined)
  })

  it('is accepted, and mints into one coin of the beneficiary, unfeatured, before expiry', async () => {
    const [cid, proposal] = [await delegation(), await propose()]
    const featuredAppRight = await network.feature(BOB)
    const context = {
      ...network.context,
      context: { ...network.context.context, featuredAppRight },
    }
    const mint = async () => ({
      inputs: [await network.appCoupon(ALICE, '10'), await network.mint(ALICE, '1')],
      context,
    })
    const argument = await mint()
    const { result } = await network.run([BOB], exercising(mintingDelegationMint, cid, argument))
    assert.equal(result.summary.inputAppRewardAmount, dec('5'))
    assert.deepEqual(await network.coinsOf(ALICE), [dec('6')])
    assert.deepEqual(await network.reader.active(appRewardCoupon), [])
    assert.deepEqual(outline(network.transactions.at(-1)), [
      'MintingDelegation_Mint',
      '  CoinRules_Transfer',
    ])
    const late = await mint()
    network.clock.moveTo(EXPIRY)
    await network.denied('too-late', [BOB], exercising(mintingDelegationMint, cid, late))
    const accept = { existingDelegationCid: null }
    await network.denied(
      'too-late',
      [BOB],
      exercising(mintingDelegationProposalAccept, proposal, accept),
    )
  })
})
