// What the person may do besides using a wallet: the pages for administrators are for these alone.
import { ledger } from './wallet.tsx'

/** Asked once: the ledger tells every user of its own rights. */
export function useRights(): { readonly isOperator: boolean } {
  const me = ledger.useGetAuthenticatedUser({}, { refetchInterval: 30_000 })
  const id = me.data?.user.id ?? ''
  const rights = ledger.useListUserRights({ path: { 'user-id': id } }, { enabled: id !== '', refetchInterval: 30_000 })
  return { isOperator: (rights.data?.rights ?? []).some(({ kind }) => 'ParticipantAdmin' in kind) }
}
