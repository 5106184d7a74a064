// What is to be merged of whom: the smallest holdings of each owner who has too many, as a transfer
// to itself with the registry's context. docs/economy-rules.md, "Merging"
import {
  coin,
  configOf,
  extraArgsOf,
  forEachOf,
  instrumentId,
  NO_METADATA,
  sum,
  transferContext,
} from '../../runtime/economy.ts'
import type {
  Contract,
  EconomyRun,
  MergeCall,
  MergeDelegation,
  TransferFactoryContext,
} from '../../runtime/economy.ts'

/** How long a merge that was built may be executed. */
const VALIDITY_MICROS = 600_000_000n

export interface Limits {
  /** More unlocked holdings than this are merged. */
  readonly thresholdHoldings: number
  /** Most holdings of one owner in one transfer. */
  readonly maxInputs: number
  readonly parallel: number
}

export interface Merge {
  readonly owner: string
  readonly inputs: readonly string[]
  readonly call: MergeCall
}

interface Terms {
  readonly factory: TransferFactoryContext
  readonly maxInputs: number
  /** The operator's, which earns it a coupon for each owner. */
  readonly featuredRight: string | null
}

/**
 * A call for each of these owners who has too many holdings, in their order; none while no round is
 * open, and another run then.
 */
export async function mergesOf(
  work: EconomyRun & Limits,
  delegations: readonly Contract<MergeDelegation>[],
): Promise<readonly Merge[]> {
  const {
    economy: { reader },
    again,
    signal,
    parallel,
    thresholdHoldings,
  } = work
  const terms = await termsOf(work)
  if (terms === undefined) {
    again.soon()
    return []
  }
  const merges = new Map<string, Merge | undefined>()
  await forEachOf(delegations, parallel, signal, async (delegation) => {
    const {
      payload: { owner },
    } = delegation
    const { count } = await reader.total('unlocked', owner)
    if (count > thresholdHoldings) merges.set(owner, await mergeOf(work, delegation, terms))
  })
  return delegations.flatMap(({ payload }) => merges.get(payload.owner) ?? [])
}

async function termsOf({ economy, maxInputs }: EconomyRun & Limits): Promise<Terms | undefined> {
  const {
    network,
    parties: { operator },
  } = economy
  const factory = await transferContext(economy, { sender: operator, receiver: operator })
  if (!('factory' in factory)) return undefined
  const {
    transferConfig: { maxNumInputs },
  } = configOf((await network.coinRules()).payload)
  const right = await network.featuredAppRightOf(operator)
  return {
    factory,
    maxInputs: Math.min(maxInputs, Number(maxNumInputs)),
    featuredRight: right?.id ?? null,
  }
}

/** The smallest holdings become one; undefined where nearly all are between synchronizers. */
async function mergeOf(
  {
    economy: {
      reader,
      clock,
      parties: { dso },
    },
  }: EconomyRun,
  { id: delegationCid, payload: { owner } }: Contract<MergeDelegation>,
  { factory, maxInputs, featuredRight }: Terms,
): Promise<Merge | undefined> {
  const found = await reader.active(coin, { owner }, { order: 'rank', limit: maxInputs })
  const smallest = found.filter(({ synchronizerId }) => synchronizerId !== '')
  if (smallest.length < 2) return undefined
  const inputs = smallest.map(({ id }) => id)
  const requestedAt = clock.nowMicros()
  const transfer = {
    sender: owner,
    receiver: owner,
    amount: sum(smallest.map(({ payload }) => payload.amount.initialAmount)),
    instrumentId: { admin: dso, id: instrumentId() },
    requestedAt,
    executeBefore: requestedAt + VALIDITY_MICROS,
    inputHoldingCids: inputs,
    meta: NO_METADATA,
  }
  const choiceArg = { expectedAdmin: dso, transfer, extraArgs: extraArgsOf(factory.context) }
  const optMergeTransfer = { factoryCid: factory.factory.id, choiceArg }
  const argument = { optMergeTransfer, optExtraTransfer: null, optFeaturedAppRight: featuredRight }
  return { owner, inputs, call: { delegationCid, choiceArg: argument } }
}
