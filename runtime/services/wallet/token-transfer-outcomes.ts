// Remembers what a transfer of the token standard came to, so that asking again with its tracking id answers the same.
// domain/behaviour.md §5
import { TransferInstructionResult, WalletAppInstall } from '../../../generated/contracts.gen.ts'
import { member } from '../../host/member.ts'
import type { Projector } from '../../ledger/submission.ts'
import type { Store } from '../../store/store.ts'
import { trackedCommandId } from './tracking.ts'

const KIND = 'wallet.token-transfer'
const OPERATION = 'token-transfer'
const COMMAND_PREFIX = `wallet-${OPERATION}-`

/** The command id of a transfer: one for sender and tracking id. */
export function tokenTransferCommandId(sender: string, trackingId: string): string {
  return trackedCommandId(OPERATION, sender, trackingId)
}

/** Writes the result of each transfer that a wallet made for a tracking id. */
export const tokenTransferProjector: Projector = ({ commandId, effectiveAt, events: [root] }) => {
  const isOurs = commandId.startsWith(COMMAND_PREFIX)
    && root?.kind === 'exercise' && root.choice === WalletAppInstall.choices.WalletAppInstall_TransferFactory_Transfer.name
  if (!isOurs) return { logs: [], facts: [] }
  return { logs: [], facts: [{ kind: KIND, key: commandId, body: JSON.stringify({ at: String(effectiveAt), result: root.result }) }] }
}

export interface EarlierTransfer {
  /** Microseconds. */
  readonly at: bigint
  readonly result: TransferInstructionResult
}

/** What the transfer of a command id came to; undefined where there was none. */
export async function earlierTokenTransfer(store: Store, commandId: string): Promise<EarlierTransfer | undefined> {
  const fact = await store.contracts.fact(KIND, commandId)
  if (fact === undefined) return undefined
  const body: unknown = JSON.parse(fact.body)
  return { at: BigInt(String(member(body, 'at'))), result: TransferInstructionResult.decode(member(body, 'result')) }
}
