// The rights of a user of the ledger, in words.
import type { ledger } from './wallet.tsx'
import { t } from './language.ts'

type Right = NonNullable<ledger.Data<'listUserRights'>['rights']>[number]

/** The permission of a right, with its party if it has one. */
export function rightText({ kind }: Right): { readonly text: string; readonly party?: string } {
  if ('CanActAs' in kind) return { text: t('Act as'), party: kind.CanActAs.value.party }
  if ('CanReadAs' in kind)
    return { text: t('Read what is seen by'), party: kind.CanReadAs.value.party }
  if ('CanExecuteAs' in kind)
    return { text: t('Submit what is signed by'), party: kind.CanExecuteAs.value.party }
  if ('CanReadAsAnyParty' in kind) return { text: t('Read what any party sees') }
  if ('CanExecuteAsAnyParty' in kind) return { text: t('Submit what any party has signed') }
  if ('ParticipantAdmin' in kind) return { text: t('Administer this node') }
  if ('IdentityProviderAdmin' in kind)
    return { text: t('Administer the users of your identity provider') }
  return { text: t('An empty right') }
}
