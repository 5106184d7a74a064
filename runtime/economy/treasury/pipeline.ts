// Operations of a party that each need their own command. They are sent without waiting: each is
// interpreted on the result of the one before, while that one is still in flight, so that they
// share a commit. docs/economy-rules.md, "Treasury"; docs/ledger-rules.md, "Commits"
import type { CoinOperationOutcome } from '../../../generated/contracts.gen.ts'
import { coin } from '../../contracts/index.ts'
import type { Committed, Rejected, Transaction } from '../../engine/index.ts'
import type { Economy } from '../economy.ts'
import { withTrace } from '../trace.ts'
import { batchSubmission } from './batch.ts'
import type { BatchParties, Request } from './batch.ts'
import type { Funds } from './funds.ts'

type Ended = Committed<readonly CoinOperationOutcome[]> | Rejected

/** The end of a command; rejected where that is not known. */
export type End = PromiseSettledResult<Ended>

/**
 * Sends the requests in order. Those behind one that is refused as it is interpreted, or that
 * leaves more than its change to pay with, are not sent, nor is the refused one. Resolves when all
 * that were sent have ended: behind one that failed, others may have failed for want of its change
 * only.
 */
export async function sendPipeline(
  { engine, quotas }: Pick<Economy, 'engine' | 'quotas'>,
  requests: readonly Request[],
  funds: Funds,
  parties: BatchParties,
): Promise<readonly End[]> {
  const ends: Promise<Ended>[] = []
  let left: Funds | undefined = funds
  for (const request of requests) {
    if (left === undefined) break
    const submission = batchSubmission([request], left, parties)
    const wallet = parties.install.payload.endUserParty
    // Whatever is thrown, the request meets it again when it is alone; those before it are on their
    // way.
    const staged = await withTrace(request.trace, () =>
      quotas.within({ wallet }, (claim) => engine.stage({ ...submission, claim })),
    ).catch(() => undefined)
    if (staged?.ok !== true) break
    ends.push(staged.committed)
    left = fundsAfter(left, staged.transaction, parties.install.payload.endUserParty)
  }
  return Promise.allSettled(ends)
}

/**
 * The funds of the party afterwards, where it all came from the transaction; undefined where the
 * store must be asked.
 */
function fundsAfter(
  funds: Funds,
  { events, consumed }: Transaction,
  party: string,
): Funds | undefined {
  const gone = new Set(consumed.map(({ contractId }) => contractId))
  if (funds.coinCount > funds.coins.length || funds.coins.some((id) => !gone.has(id)))
    return undefined
  const archived = new Set(
    events.flatMap((event) =>
      event.kind === 'exercise' && event.consuming ? [event.contractId] : [],
    ),
  )
  const coins = events
    .flatMap((event) => (event.kind === 'create' ? [event.contract] : []))
    .filter(
      (contract) =>
        coin.isOf(contract) &&
        coin.keysOf(contract).owner === party &&
        !archived.has(contract.contractId),
    )
    .sort((a, b) => Number(b.rank - a.rank))
    .map(({ contractId }) => contractId)
  const isThere = ({ value }: { readonly value: string }): boolean => !gone.has(value)
  return {
    ...funds,
    coins,
    coinCount: coins.length,
    rewards: funds.rewards.filter(({ input }) => isThere(input)),
    unclaimedActivity: funds.unclaimedActivity.filter(isThere),
    developmentFund: funds.developmentFund.filter(isThere),
  }
}
