// What an update makes of a user, and what it may not: rules that need no store.
import type { RightRecord, UserChange, UserRecord } from '../../store/store.ts'
import type { Principal } from '../../access/principal.ts'
import { RightSet } from '../../access/rights.ts'
import { reasonText } from '../../errors/catalogue.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { invalidArgument, invalidField, ledgerError } from '../../errors/errors.ts'
import { ledgerStringProblem } from '../../errors/grammar.ts'
import { mergeAnnotations } from './annotations.ts'
import type { FieldMask } from './field-mask.ts'
import type { UserDraft } from './user-draft.ts'

/** The members of an update that give something, as opposed to what it takes away or leaves. */
export function givenBy(stored: UserRecord, change: UserChange) {
  return {
    party: change.primaryParty !== '' && change.primaryParty !== stored.primaryParty,
    login: change.primaryPartyAuthentication && !stored.primaryPartyAuthentication,
    activity: stored.isDeactivated && !change.isDeactivated,
  }
}

/**
 * A primary party grants nothing and counts only while the user has a right on it. A participant
 * admin, who grants any right, may name it before; for others the user has a right, or gets it in
 * the same call. docs/ledger-rules.md, "Users"
 */
export function primaryPartyProblem(
  { rights: callers }: Pick<Principal, 'rights'>,
  party: string,
  rights: readonly RightRecord[],
): LedgerError | undefined {
  const isReadable =
    party === '' || callers.isAdmin || new RightSet(rights).allows('read-as', party)
  return isReadable ? undefined : invalidArgument(reasonText('primaryPartyWithoutRight', { party }))
}

export function changeOf(stored: UserRecord, draft: UserDraft, mask: FieldMask): UserChange {
  const annotated = mask.names('metadata.annotations') || mask.covers('metadata.annotations')
  return {
    primaryParty: mask.pick('primaryParty', draft.primaryParty, stored.primaryParty, ''),
    isDeactivated: mask.pick('isDeactivated', draft.isDeactivated, stored.isDeactivated, false),
    primaryPartyAuthentication: mask.pick(
      'primaryPartyAuthentication',
      draft.primaryPartyAuthentication,
      stored.primaryPartyAuthentication,
      false,
    ),
    annotations: annotated
      ? mergeAnnotations(stored.annotations, draft.annotations ?? {})
      : stored.annotations,
  }
}

export function malformedProvider(field: string, id: string): LedgerError | undefined {
  const problem = id === '' ? undefined : ledgerStringProblem(id)
  return problem === undefined ? undefined : invalidField(field, problem)
}

export function unknownProvider(id: string): LedgerError {
  return invalidArgument(reasonText('unknownIdentityProvider', { id }))
}

export function userNotFound(operation: string, id: string): LedgerError {
  return ledgerError('USER_NOT_FOUND', { operation, id })
}
