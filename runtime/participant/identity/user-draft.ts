// What a caller sends about a user, and the checks that need no stored state. interface.md §2.3; domain/ledger.md §2.1
import { invalidField } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { ledgerStringFault, partyFault } from '../../errors/grammar.ts'
import type { MetaDraft } from './object-meta.ts'
import { metaUpdateFault, newMetaFault } from './object-meta.ts'

const METADATA = 'user.metadata'

/** A user as a request gives it; undefined is "not given". */
export interface UserDraft extends MetaDraft {
  readonly id: string
  readonly primaryParty: string | undefined
  readonly isDeactivated: boolean | undefined
  readonly primaryPartyAuthentication: boolean | undefined
  readonly identityProviderId: string
}

/** The first fault of a draft for a new user. */
export function newUserFault(draft: UserDraft): LedgerError | undefined {
  return newMetaFault(draft, METADATA) ?? draftFault(draft)
}

/** The first fault of a draft for an update. */
export function userUpdateFault(draft: UserDraft): LedgerError | undefined {
  return draftFault(draft) ?? metaUpdateFault(draft, METADATA)
}

function draftFault({ primaryParty, identityProviderId }: UserDraft): LedgerError | undefined {
  const party = primaryParty ? partyFault(primaryParty) : undefined
  if (party !== undefined) return invalidField('primary_party', party)
  const provider = identityProviderId === '' ? undefined : ledgerStringFault(identityProviderId)
  return provider === undefined ? undefined : invalidField('identity_provider_id', provider)
}
