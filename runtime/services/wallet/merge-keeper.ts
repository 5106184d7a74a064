// Merges the holdings of those who let the operator do it: the smallest of who has too many, many owners in one transaction, knowing
// no more than the token standard. domain/behaviour.md §11; interface.md §1 item 10, §8
import type { MergeCall, MergeDelegation } from '../../../generated/contracts.gen.ts'
import {
  batchMergeUtility, batchMergeUtilityMergeHoldings, coin, configOf, instrumentId, mergeDelegation, mergeDelegationProposal,
  mergeDelegationProposalAccept, NO_METADATA, validatorRight,
} from '../../contracts/index.ts'
import { sum } from '../../ledger/index.ts'
import type { Contract, Refusal } from '../../ledger/index.ts'
import type { Economy } from '../economy.ts'
import type { ServiceTask } from '../network/task.ts'
import { extraArgsOf, transferContext } from '../registry/index.ts'
import type { TransferFactoryContext } from '../registry/index.ts'
import { PlainError } from './errors.ts'
import { submitFor } from './wallets.ts'

/** Who has more holdings is merged. */
const MAX_HOLDINGS = 10
const MAX_CALLS = 100
/** What one transaction consumes at most, beside the number of calls. */
const MAX_INPUTS = 2_000
/** How long a merge that was built may be executed. */
const VALIDITY_MICROS = 600_000_000n

/** The task of the operator; idle where the deployment does not merge. */
export function mergeKeeper(economy: Economy): ServiceTask {
  return {
    name: 'wallet-merging',
    everyMs: economy.settings.validator.pollMs,
    run: async (signal) => {
      if (!economy.settings.validator.proposeMergeDelegation) return
      await acceptProposals(economy, signal)
      for (const batch of batches(await mergesOf(economy))) {
        if (signal.aborted) return
        await merge(economy, batch, signal)
      }
    },
  }
}

/** Those of hosted parties, be their keys here or outside. */
async function acceptProposals(economy: Economy, signal: AbortSignal): Promise<void> {
  const { reader, parties: { operator } } = economy
  for (const { id, payload: { delegation: { owner } } } of await reader.all(mergeDelegationProposal, [2, operator])) {
    if (signal.aborted) return
    const rights = await reader.active(validatorRight, { key: [1, owner] })
    if (!rights.some(({ payload }) => payload.validator === operator)) continue
    await submitFor(economy, operator, { run: (tx) => tx.exercise(mergeDelegationProposalAccept, id, {}) })
  }
}

interface Merge {
  readonly owner: string
  readonly inputs: number
  readonly call: MergeCall
}

/** What is to be merged now: a call for each owner with too many holdings. */
async function mergesOf(economy: Economy): Promise<readonly Merge[]> {
  const { reader, network, parties: { operator } } = economy
  const delegations = await reader.all(mergeDelegation, [2, operator])
  const owners = [...new Map(delegations.map((delegation) => [delegation.payload.owner, delegation])).values()]
  const factory = await transferContext(economy, { sender: operator, receiver: operator })
  if (factory instanceof PlainError || owners.length === 0) return []
  const limit = Number(configOf((await network.coinRules()).payload).transferConfig.maxNumInputs)
  const right = (await network.featuredAppRightOf(operator))?.id ?? null
  const merges: Merge[] = []
  for (const delegation of owners) {
    const { count } = await reader.total('unlocked', delegation.payload.owner)
    if (count > MAX_HOLDINGS) merges.push(await mergeOf(economy, delegation, { factory, limit, right }))
  }
  return merges
}

interface MergeTerms {
  readonly factory: TransferFactoryContext
  readonly limit: number
  readonly right: string | null
}

/** The smallest holdings become one. */
async function mergeOf(
  economy: Economy, { id: delegationCid, payload: { owner } }: Contract<MergeDelegation>, { factory, limit, right }: MergeTerms,
): Promise<Merge> {
  const { reader, clock, parties: { dso } } = economy
  const found = await reader.active(coin, { key: [1, owner], order: 'rank', limit })
  const smallest = found.filter(({ synchronizerId }) => synchronizerId !== '')
  const requestedAt = clock.nowMicros()
  const transfer = {
    sender: owner, receiver: owner, amount: sum(smallest.map(({ payload }) => payload.amount.initialAmount)),
    instrumentId: { admin: dso, id: instrumentId() }, requestedAt, executeBefore: requestedAt + VALIDITY_MICROS,
    inputHoldingCids: smallest.map(({ id }) => id), meta: NO_METADATA,
  }
  const choiceArg = { expectedAdmin: dso, transfer, extraArgs: extraArgsOf(factory.context) }
  const optMergeTransfer = { factoryCid: factory.factory.id, choiceArg }
  const call = { delegationCid, choiceArg: { optMergeTransfer, optExtraTransfer: null, optFeaturedAppRight: right } }
  return { owner, inputs: smallest.length, call }
}

function batches(merges: readonly Merge[]): readonly (readonly Merge[])[] {
  const all: Merge[][] = []
  let inputs = 0
  for (const merge of merges) {
    const last = all.at(-1)
    if (last !== undefined && last.length < MAX_CALLS && inputs + merge.inputs <= MAX_INPUTS) last.push(merge)
    else all.push([merge])
    inputs = (all.at(-1) === last ? inputs : 0) + merge.inputs
  }
  return all
}

/**
 * All or nothing; a batch that is refused is halved until whoever spoils it is alone. Where traffic is short, what the first half
 * leaves waits for the next poll.
 */
async function merge(economy: Economy, batch: readonly Merge[], signal: AbortSignal): Promise<void> {
  const refusal = await submitBatch(economy, batch)
  if (refusal === undefined || batch.length === 1 || signal.aborted) return
  const middle = Math.ceil(batch.length / 2)
  await merge(economy, batch.slice(0, middle), signal)
  if (refusal.kind !== 'no-traffic') await merge(economy, batch.slice(middle), signal)
}

async function submitBatch(economy: Economy, batch: readonly Merge[]): Promise<Refusal | undefined> {
  const { engine, reader, network, parties: { operator } } = economy
  const [utility] = await reader.active(batchMergeUtility, { key: [1, operator], limit: 1 })
  const done = await engine.submit({
    actAs: [operator],
    readAs: batch.map(({ owner }) => owner),
    userId: '',
    disclosedContracts: [...await network.disclosures()],
    contractIds: batch.flatMap(({ call }) => call.choiceArg.optMergeTransfer?.choiceArg.transfer.inputHoldingCids ?? []),
    run: (tx) => {
      const cid = utility?.id ?? tx.create(batchMergeUtility, { operator })
      tx.exercise(batchMergeUtilityMergeHoldings, cid, { mergeCalls: batch.map(({ call }) => call) })
    },
  })
  return done.ok ? undefined : done
}
