// Merging for owners through the token standard: alone, with an extra transfer, in batches.
// docs/economy-rules.md, "Merging"
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import {
  batchMergeUtility,
  batchMergeUtilityMergeHoldings,
  contextKeys,
  instrumentId,
  mergeDelegation,
  mergeDelegationMerge,
  transferPreapproval,
} from '../../runtime/contracts/index.ts'
import {
  ALICE,
  BOB,
  CAROL,
  DAY,
  dec,
  DSO,
  SECOND,
  START,
  startNetwork,
  VALIDATOR,
  exercising,
  creating,
} from './wallet-kit.ts'
import type {
  AnyValue,
  MergeCall,
  MergeDelegation_Merge,
  TokenTransfer,
  TransferFactoryCall,
} from '../../generated/contracts.gen.ts'
import type { Network } from './wallet-kit.ts'

const NO_META = { values: new Map<string, string>() }

describe('A merge delegation', () => {
  let network: Network

  beforeEach(async () => {
    network = await startNetwork()
  })

  function delegationOf(owner: string) {
    return { operator: VALIDATOR, owner, meta: NO_META }
  }

  async function delegated(owner: string, operator = VALIDATOR): Promise<string> {
    const payload = { ...delegationOf(owner), operator }
    return network.run([owner, operator], creating(mergeDelegation, payload))
  }

  function call(transfer: Partial<TokenTransfer>, preapproval?: string): TransferFactoryCall {
    const values = new Map<string, AnyValue>([
      [contextKeys.coinRules, { tag: 'AV_ContractId', value: network.ledger.rules }],
      [contextKeys.openRound, { tag: 'AV_ContractId', value: network.openRoundCid }],
    ])
    if (preapproval !== undefined)
      values.set(contextKeys.transferPreapproval, { tag: 'AV_ContractId', value: preapproval })
    return {
      factoryCid: network.ledger.factory,
      choiceArg: {
        expectedAdmin: DSO,
        transfer: {
          sender: ALICE,
          receiver: ALICE,
          amount: dec('6'),
          instrumentId: { admin: DSO, id: instrumentId() },
          requestedAt: START,
          executeBefore: START + 60n * SECOND,
          inputHoldingCids: [],
          meta: NO_META,
          ...transfer,
        },
        extraArgs: { context: { values }, meta: NO_META },
      },
    }
  }

  async function holdings(
    owner: string,
    ...amounts: readonly string[]
  ): Promise<readonly string[]> {
    return network.ledger.coins(owner, ...amounts)
  }

  async function selfMerge(
    owner: string,
    ...amounts: readonly string[]
  ): Promise<TransferFactoryCall> {
    return call({
      sender: owner,
      receiver: owner,
      inputHoldingCids: await holdings(owner, ...amounts),
    })
  }

  function merge(changes: Partial<MergeDelegation_Merge>): MergeDelegation_Merge {
    return { optMergeTransfer: null, optExtraTransfer: null, optFeaturedAppRight: null, ...changes }
  }

  async function preapprovalOf(receiver: string): Promise<string> {
    const valid = { validFrom: START, lastRenewedAt: START, expiresAt: START + DAY }
    const payload = { dso: DSO, receiver, provider: VALIDATOR, ...valid }
    return network.run([DSO, receiver, VALIDATOR], creating(transferPreapproval, payload))
  }

  it('takes no merge that leaves as many holdings, nor transfers between others', async () => {
    const cid = await delegated(ALICE)
    const preapproval = await preapprovalOf(BOB)
    const inputHoldingCids = await holdings(ALICE, '4', '4')
    const attempts: readonly MergeDelegation_Merge[] = [
      merge({}),
      merge({ optMergeTransfer: call({ inputHoldingCids }) }),
      merge({ optMergeTransfer: call({ inputHoldingCids, receiver: BOB }, preapproval) }),
      merge({ optExtraTransfer: call({ inputHoldingCids, receiver: BOB }, preapproval) }),
      merge({
        optExtraTransfer: call({
          inputHoldingCids: await holdings(VALIDATOR, '9'),
          sender: VALIDATOR,
        }),
      }),
      merge({
        optMergeTransfer: await selfMerge(ALICE, '3', '3'),
        optFeaturedAppRight: await network.feature(ALICE),
      }),
    ]
    for (const argument of attempts) {
      const rejection = await network.refused(
        [VALIDATOR],
        exercising(mergeDelegationMerge, cid, argument),
      )
      assert.equal(rejection.kind, 'aborted')
    }
  })

  it('merges what an extra transfer of the operator brings as well', async () => {
    const cid = await delegated(ALICE)
    const [mine, yours] = [await holdings(VALIDATOR, '10'), await holdings(ALICE, '1', '5')]
    const extra = call(
      { sender: VALIDATOR, amount: dec('2'), inputHoldingCids: mine },
      await preapprovalOf(ALICE),
    )
    const argument = merge({
      optExtraTransfer: extra,
      optMergeTransfer: call({ inputHoldingCids: yours }),
    })
    await network.run([VALIDATOR], exercising(mergeDelegationMerge, cid, argument))
    assert.deepEqual(await network.coinsOf(ALICE), [dec('8')])
    assert.deepEqual(await network.coinsOf(VALIDATOR), [dec('8')])
  })

  describe('in a batch', () => {
    let utility: string

    beforeEach(async () => {
      utility = await network.run([VALIDATOR], creating(batchMergeUtility, { operator: VALIDATOR }))
    })

    async function callFor(owner: string, operator = VALIDATOR): Promise<MergeCall> {
      const choiceArg = merge({ optMergeTransfer: await selfMerge(owner, '2', '4') })
      return { delegationCid: await delegated(owner, operator), choiceArg }
    }

    it('merges for all owners, and gives the change of one extra transfer to the next', async () => {
      const [first, second] = [await callFor(ALICE), await callFor(BOB)]
      const extra = async (receiver: string, inputHoldingCids: readonly string[]) =>
        call(
          { sender: VALIDATOR, receiver, amount: dec('3'), inputHoldingCids },
          await preapprovalOf(receiver),
        )
      const mergeCalls = [
        {
          ...first,
          choiceArg: {
            ...first.choiceArg,
            optExtraTransfer: await extra(ALICE, await holdings(VALIDATOR, '10')),
          },
        },
        { ...second, choiceArg: { ...second.choiceArg, optExtraTransfer: await extra(BOB, []) } },
        await callFor(CAROL),
      ]
      const { results } = await network.run(
        [VALIDATOR],
        exercising(batchMergeUtilityMergeHoldings, utility, { mergeCalls }),
      )
      assert.equal(results.length, 3)
      assert.deepEqual(
        [...(await network.coinsOf(ALICE)), ...(await network.coinsOf(BOB))],
        [dec('9'), dec('9')],
      )
      assert.deepEqual(
        [...(await network.coinsOf(CAROL)), ...(await network.coinsOf(VALIDATOR))],
        [dec('6'), dec('4')],
      )
    })

    it("does all or nothing, for the utility's operator only", async () => {
      const good = await callFor(ALICE)
      const foreign = await callFor(BOB, CAROL)
      const attempt = (actAs: readonly string[], mergeCalls: readonly MergeCall[]) =>
        network.refused(actAs, exercising(batchMergeUtilityMergeHoldings, utility, { mergeCalls }))
      assert.equal((await attempt([CAROL], [good])).kind, 'unauthorised')
      assert.equal((await attempt([VALIDATOR, CAROL], [good, foreign])).kind, 'unauthorised')
      assert.equal((await network.coinsOf(ALICE)).length, 2)
    })
  })
})
