// What a caller sends about a user, and the checks that need no stored state. docs/ledger-rules.md,
// "Users"
import { invalidField } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { ledgerStringProblem, partyProblem } from '../../errors/grammar.ts'
import type { MetaDraft } from './object-meta.ts'
import { metaUpdateProblem, newMetaProblem } from './object-meta.ts'

const METADATA = 'user.metadata'

/** A user as a request gives it; undefined is "not given". */
export interface UserDraft extends MetaDraft {
  readonly id: string
  readonly primaryParty: string | undefined
  readonly isDeactivated: boolean | undefined
  readonly primaryPartyAuthentication: boolean | undefined
  readonly identityProviderId: string
}

/** The first problem with a draft for a new user. */
export function newUserProblem(draft: UserDraft): LedgerError | undefined {
  return newMetaProblem(draft, METADATA) ?? draftProblem(draft)
}

/** The first problem with a draft for an update. */
export function userUpdateProblem(draft: UserDraft): LedgerError | undefined {
  return draftProblem(draft) ?? metaUpdateProblem(draft, METADATA)
}

function draftProblem({ primaryParty, identityProviderId }: UserDraft): LedgerError | undefined {
  const party = primaryParty ? partyProblem(primaryParty) : undefined
  if (party !== undefined) return invalidField('primary_party', party)
  const provider = identityProviderId === '' ? undefined : ledgerStringProblem(identityProviderId)
  return provider === undefined ? undefined : invalidField('identity_provider_id', provider)
}
