// Remembers what an operation with a deduplication id came to, so that asking again answers the same. domain/behaviour.md §8, §16
import { createHash } from 'node:crypto'
import { CoinOperationOutcome, WalletAppInstall } from '../../../../generated/contracts.gen.ts'
import type { CoinOperation } from '../../../../generated/contracts.gen.ts'
import { member } from '../../../host/member.ts'
import type { Projector } from '../../../ledger/submission.ts'
import type { Store } from '../../../store/store.ts'
import type { TreasuryDone } from './outcome.ts'

const KIND = 'wallet.operation'
const COMMAND_PREFIX = 'wallet-operation-'

/** The command id of a deduplicated operation: one for party, kind of operation and id. */
export function operationCommandId(party: string, { tag }: CoinOperation, dedupId: string): string {
  return COMMAND_PREFIX + createHash('sha256').update(JSON.stringify([tag, party, dedupId])).digest('hex')
}

/** Writes the outcome of each batch that was submitted for a deduplication id; such a batch has one operation. */
export const operationProjector: Projector = (transaction) => {
  const [root] = transaction.events
  const isOurs = transaction.commandId.startsWith(COMMAND_PREFIX)
    && root?.kind === 'exercise' && root.choice === WalletAppInstall.choices.WalletAppInstall_ExecuteBatch.name
  if (!isOurs) return { logs: [], facts: [] }
  const body = JSON.stringify({ updateId: transaction.updateId, outcome: member(member(root.result, 'outcomes'), '0') })
  return { logs: [], facts: [{ kind: KIND, key: transaction.commandId, body }] }
}

/** What the operation of a command id came to; undefined where it never was done. */
export async function earlierOutcome(store: Store, commandId: string): Promise<TreasuryDone | undefined> {
  const fact = await store.contracts.fact(KIND, commandId)
  if (fact === undefined) return undefined
  const body: unknown = JSON.parse(fact.body)
  const outcome = CoinOperationOutcome.decode(member(body, 'outcome'))
  const updateId = member(body, 'updateId')
  if (outcome.tag === 'COO_Error' || typeof updateId !== 'string') return undefined
  return { ok: true, outcome, updateId, isRepeated: true }
}
