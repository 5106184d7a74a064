// Delegations that owners propose: one of each is accepted, and further ones are rejected.
// docs/economy-rules.md, "Merging"
import {
  background,
  forEachOf,
  isServedHere,
  mergeDelegation,
  mergeDelegationProposal,
  mergeDelegationProposalAccept,
  mergeDelegationProposalReject,
  submitFor,
} from '../../runtime/economy.ts'
import type { ContractRecord, Economy, EconomyRun } from '../../runtime/economy.ts'

/** Proposals that one transaction rejects. */
const BATCH = 20

/** Delegations of an owner that are looked at for one to the operator. */
const MAX_LOOKED_AT = 50

/** Settles proposals of hosted parties, be their keys here or outside; by owner. */
export function settleAll(
  { economy, signal, again }: EconomyRun,
  proposals: ReadonlyMap<string, readonly ContractRecord[]>,
  parallel: number,
): Promise<void> {
  return forEachOf(proposals, parallel, signal, async ([owner, all]) => {
    const ours = all.filter(
      (proposal) => mergeDelegationProposal.keysOf(proposal).operator === economy.parties.operator,
    )
    if (ours.length > 0 && (await isServedHere(economy, owner)))
      if (!(await settle(economy, owner, ours))) again.soon()
  })
}

/** An owner that has a delegation needs no second one. Answers whether nothing is left. */
async function settle(
  economy: Economy,
  owner: string,
  proposals: readonly ContractRecord[],
): Promise<boolean> {
  const [first, ...others] = proposals
  if (first === undefined) return true
  const hasOne = await hasDelegation(economy, owner)
  if (!hasOne && !(await accept(economy, first.contractId))) return false
  const needless = hasOne ? proposals : others
  let isDone = true
  for (let from = 0; from < needless.length; from += BATCH) {
    const ids = needless.slice(from, from + BATCH).map(({ contractId }) => contractId)
    isDone = (await background.piece(owner, () => reject(economy, ids))) && isDone
  }
  return isDone
}

async function hasDelegation(
  { reader, parties: { operator } }: Pick<Economy, 'parties' | 'reader'>,
  owner: string,
): Promise<boolean> {
  const found = await reader.active(
    mergeDelegation,
    { owner },
    { order: 'created-desc', limit: MAX_LOOKED_AT },
  )
  return found.some(({ payload }) => payload.operator === operator)
}

/** Answers whether it is accepted. */
async function accept(
  economy: Pick<Economy, 'engine' | 'network' | 'parties' | 'quotas'>,
  contractId: string,
): Promise<boolean> {
  const done = await submitFor(economy, economy.parties.operator, {
    run: (tx) => tx.exercise(mergeDelegationProposalAccept, contractId, {}),
  })
  return done !== undefined
}

async function reject(
  economy: Pick<Economy, 'engine' | 'network' | 'parties' | 'quotas'>,
  contractIds: readonly string[],
): Promise<boolean> {
  const done = await submitFor(economy, economy.parties.operator, {
    run: (tx) => {
      for (const id of contractIds) tx.exercise(mergeDelegationProposalReject, id, {})
    },
  })
  return done !== undefined
}
