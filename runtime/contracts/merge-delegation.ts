// Who merges an owner's holdings of any token, knowing only the token standard; many owners in one
// transaction. docs/economy-rules.md, "Merging"
import {
  BatchMergeUtility,
  MergeDelegation,
  MergeDelegationProposal,
  TransferFactory,
} from '../../generated/contracts.gen.ts'
import type {
  MergeCall,
  MergeDelegation_Merge,
  MergeDelegation_MergeResult,
  TokenTransfer,
  TransferFactoryCall,
  TransferInstructionResult,
} from '../../generated/contracts.gen.ts'
import { add } from '../engine/decimal.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { requiredContract } from './choice-context.ts'
import { featuredAppRight, featuredAppRightRewardActivity } from './featured-app.ts'
import { requireParty } from './requirements.ts'

/** A transfer that completed: what the receiver got and what the sender got back. */
interface Completed {
  readonly result: TransferInstructionResult
  readonly received: readonly string[]
}

export const mergeDelegationProposal = defineTemplate(MergeDelegationProposal, {
  signatories: ({ delegation }) => [delegation.owner],
  observers: ({ delegation }) => [delegation.operator],
  keys: ({ delegation }) => delegation,
})

export const mergeDelegation = defineTemplate(MergeDelegation, {
  signatories: (delegation) => [delegation.owner, delegation.operator],
})

export const batchMergeUtility = defineTemplate(BatchMergeUtility, {
  signatories: (utility) => [utility.operator],
})

/** The operator. */
export const mergeDelegationProposalAccept = choice(
  mergeDelegationProposal,
  MergeDelegationProposal.choices.MergeDelegationProposal_Accept,
  {
    controllers: ({ delegation }) => [delegation.operator],
    run: (tx, { payload }) => ({
      mergeDelegationCid: tx.create(mergeDelegation, payload.delegation),
    }),
  },
)

/** The operator. */
export const mergeDelegationProposalReject = choice(
  mergeDelegationProposal,
  MergeDelegationProposal.choices.MergeDelegationProposal_Reject,
  { controllers: ({ delegation }) => [delegation.operator] },
)

/** The owner. */
export const mergeDelegationProposalWithdraw = choice(
  mergeDelegationProposal,
  MergeDelegationProposal.choices.MergeDelegationProposal_Withdraw,
  {
    controllers: ({ delegation }) => [delegation.owner],
  },
)

/**
 * The operator: an extra transfer to the owner, a merge of the owner's holdings, or both, the
 * extra's holdings then merged as well. A merge must leave fewer holdings than it took, and earns
 * the featured operator its reward.
 */
export const mergeDelegationMerge = choice(
  mergeDelegation,
  MergeDelegation.choices.MergeDelegation_Merge,
  {
    controllers: (delegation) => [delegation.operator],
    run: (tx: Tx, { payload }, argument) => {
      const { optExtraTransfer, optMergeTransfer } = argument
      tx.require(
        optExtraTransfer !== null || optMergeTransfer !== null,
        'there is a transfer to make',
        () => 'none',
      )
      const extra = optExtraTransfer === null ? undefined : sendExtra(tx, payload, optExtraTransfer)
      const merged =
        optMergeTransfer === null ? undefined : merge(tx, payload, withExtra(tx, argument, extra))
      return {
        optMergeTransferResult: merged?.result ?? null,
        optExtraTransferResult: extra?.result ?? null,
        optAppRewardCouponCid: merged === undefined ? null : reward(tx, payload, argument),
      }
    },
  },
)

/** The operator. */
export const mergeDelegationReject = choice(
  mergeDelegation,
  MergeDelegation.choices.MergeDelegation_Reject,
  {
    controllers: (delegation) => [delegation.operator],
  },
)

/** The owner. */
export const mergeDelegationWithdraw = choice(
  mergeDelegation,
  MergeDelegation.choices.MergeDelegation_Withdraw,
  {
    controllers: (delegation) => [delegation.owner],
  },
)

/**
 * The operator: all calls in order, all or nothing. An extra transfer takes, besides its own
 * inputs, the change that the extra transfers of the same instrument before it left.
 */
function mergeAll(
  tx: Tx,
  { operator }: BatchMergeUtility,
  mergeCalls: readonly MergeCall[],
): { readonly results: readonly MergeDelegation_MergeResult[] } {
  const change = new Map<string, readonly string[]>()
  return { results: mergeCalls.map((call) => mergeOne(tx, operator, call, change)) }
}

/** Merges under the name of the interface. */
export const batchMergeUtilityMergeHoldings = choice(
  batchMergeUtility,
  BatchMergeUtility.choices.BatchMergeUtility_MergeHoldings,
  {
    controllers: (utility) => [utility.operator],

    run: (tx, { payload }, { mergeCalls }) => mergeAll(tx, payload, mergeCalls),
  },
)

/** Merges under the name of the public model. */
export const batchMergeUtilityBatchMerge = choice(
  batchMergeUtility,
  BatchMergeUtility.choices.BatchMergeUtility_BatchMerge,
  {
    controllers: (utility) => [utility.operator],

    run: (tx, { payload }, { mergeCalls }) => mergeAll(tx, payload, mergeCalls),
  },
)

function mergeOne(
  tx: Tx,
  operator: string,
  { delegationCid, choiceArg }: MergeCall,
  change: Map<string, readonly string[]>,
): MergeDelegation_MergeResult {
  const delegation = tx.fetch(mergeDelegation, delegationCid)
  requireParty(tx, 'the operator of the delegation', delegation.operator, operator)
  const extra = choiceArg.optExtraTransfer
  if (extra === null) return tx.exercise(mergeDelegationMerge, delegationCid, choiceArg)
  const { admin, id } = extra.choiceArg.transfer.instrumentId
  const instrument = JSON.stringify([admin, id])
  const optExtraTransfer = withInputs(extra, change.get(instrument) ?? [], 0n)
  const result = tx.exercise(mergeDelegationMerge, delegationCid, {
    ...choiceArg,
    optExtraTransfer,
  })
  change.set(instrument, result.optExtraTransferResult?.senderChangeCids ?? [])
  return result
}

function sendExtra(
  tx: Tx,
  { operator, owner }: MergeDelegation,
  call: TransferFactoryCall,
): Completed {
  const { transfer } = call.choiceArg
  const isExtra = transfer.sender === operator && transfer.receiver === owner
  tx.require(
    isExtra,
    `the extra transfer is from ${operator} to ${owner}`,
    () => `from ${transfer.sender} to ${transfer.receiver}`,
  )
  return complete(tx, call)
}

function merge(tx: Tx, { owner }: MergeDelegation, call: TransferFactoryCall): Completed {
  const { transfer } = call.choiceArg
  tx.require(
    transfer.sender === owner && transfer.receiver === owner,
    `the merge is from ${owner} to the same`,
    () => `from ${transfer.sender} to ${transfer.receiver}`,
  )
  const completed = complete(tx, call)
  const outputs = completed.received.length + completed.result.senderChangeCids.length
  tx.require(
    transfer.inputHoldingCids.length > outputs,
    `a merge takes more than the ${outputs} holdings that it leaves`,
    () => `${transfer.inputHoldingCids.length}`,
  )
  return completed
}

function complete(tx: Tx, { factoryCid, choiceArg }: TransferFactoryCall): Completed {
  const { expectedAdmin, transfer } = choiceArg
  requireParty(tx, 'the expected admin', expectedAdmin, transfer.instrumentId.admin)
  const result = tx.exerciseInterface(
    TransferFactory.choices.TransferFactory_Transfer,
    factoryCid,
    choiceArg,
  )
  const { output } = result
  tx.require(
    output.tag === 'TransferInstructionResult_Completed',
    'the transfer completes at once',
    () => output.tag,
  )
  return { result, received: output.value.receiverHoldingCids }
}

function withExtra(
  tx: Tx,
  argument: MergeDelegation_Merge,
  extra: Completed | undefined,
): TransferFactoryCall {
  const { optMergeTransfer, optExtraTransfer } = argument
  tx.require(optMergeTransfer !== null, 'there is a merge to make', () => 'none')
  if (extra === undefined || optExtraTransfer === null) return optMergeTransfer
  const [merged, sent] = [optMergeTransfer.choiceArg.transfer, optExtraTransfer.choiceArg.transfer]
  tx.require(
    isSameInstrument(merged, sent),
    `the extra transfer is of ${merged.instrumentId.id} of ${merged.instrumentId.admin}, as the merge`,
    () => `${sent.instrumentId.id} of ${sent.instrumentId.admin}`,
  )
  return withInputs(optMergeTransfer, extra.received, sent.amount)
}

function isSameInstrument(a: TokenTransfer, b: TokenTransfer): boolean {
  return a.instrumentId.admin === b.instrumentId.admin && a.instrumentId.id === b.instrumentId.id
}

function withInputs(
  call: TransferFactoryCall,
  cids: readonly string[],
  amount: bigint,
): TransferFactoryCall {
  const { transfer } = call.choiceArg
  const inputHoldingCids = [...transfer.inputHoldingCids, ...cids]
  const grown = { ...transfer, inputHoldingCids, amount: add(transfer.amount, amount) }
  return { ...call, choiceArg: { ...call.choiceArg, transfer: grown } }
}

function reward(
  tx: Tx,
  { operator }: MergeDelegation,
  argument: MergeDelegation_Merge,
): string | null {
  const { optFeaturedAppRight, optMergeTransfer } = argument
  if (optFeaturedAppRight === null || optMergeTransfer === null) return null
  const right = tx.fetch(featuredAppRight, optFeaturedAppRight)
  requireParty(tx, 'the provider of the featured right', right.provider, operator)
  const openRoundCid = requiredContract(tx, optMergeTransfer.choiceArg.extraArgs, 'openRound')
  const activity = { openRoundCid, beneficiaries: null }
  const { appRewardCouponCids } = tx.exercise(
    featuredAppRightRewardActivity,
    optFeaturedAppRight,
    activity,
  )
  return appRewardCouponCids[0] ?? null
}
