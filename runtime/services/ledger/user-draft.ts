// What a caller sends about a user, with the defaults filled in, and the checks that need no stored state.
// interface.md §2.3, §2.4; domain/ledger.md §2.1, §2.2
import type { LedgerError } from '../errors.ts'
import { reasonText } from '../catalogue.ts'
import { invalidArgument, invalidField } from '../errors.ts'
import { ledgerStringFault, partyFault } from '../grammar.ts'
import type { Annotations } from './annotations.ts'
import { annotationKeyFault, annotationsBytes, MAX_ANNOTATIONS_BYTES, shorten } from './annotations.ts'

/** A user as a request gives it; undefined is "not given". */
export interface UserDraft {
  readonly id: string
  readonly primaryParty: string | undefined
  readonly isDeactivated: boolean | undefined
  readonly primaryPartyAuthentication: boolean | undefined
  readonly identityProviderId: string
  readonly annotations: Annotations | undefined
  readonly resourceVersion: string
}

/** The first fault of a draft for a new user: a version must not be given, annotations must have values. */
export function newUserFault(draft: UserDraft): LedgerError | undefined {
  if (draft.resourceVersion !== '') {
    return invalidArgument(reasonText('resourceVersionOnCreate'))
  }
  const emptyKey = Object.entries(draft.annotations ?? {}).find(([, value]) => value === '')?.[0]
  return (
    draftFault(draft) ??
    (emptyKey === undefined
      ? undefined
      : invalidArgument(reasonText('annotationValueEmpty', { key: shorten(emptyKey) })))
  )
}

/** The first fault of a draft for an update; a given version must be a 64-bit integer. */
export function userUpdateFault(draft: UserDraft): LedgerError | undefined {
  return draftFault(draft) ?? resourceVersionFault(draft.resourceVersion)
}

/** The version that an update insists on; undefined insists on none. */
export function expectedVersion(draft: UserDraft): bigint | undefined {
  return draft.resourceVersion === '' ? undefined : BigInt(draft.resourceVersion.replace('+', ''))
}

function draftFault(draft: UserDraft): LedgerError | undefined {
  const party = draft.primaryParty ? partyFault(draft.primaryParty) : undefined
  if (party !== undefined) return invalidField('primary_party', party)
  const provider = draft.identityProviderId === '' ? undefined : ledgerStringFault(draft.identityProviderId)
  if (provider !== undefined) return invalidField('identity_provider_id', provider)
  return annotationsFault(draft.annotations ?? {})
}

function annotationsFault(annotations: Annotations): LedgerError | undefined {
  const key = Object.keys(annotations).map(annotationKeyFault).find((fault) => fault !== undefined)
  if (key !== undefined) return invalidArgument(key)
  return annotationsBytes(annotations) > MAX_ANNOTATIONS_BYTES
    ? invalidArgument(reasonText('annotationsTooLarge', { field: 'user.metadata.annotations' }))
    : undefined
}

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

function resourceVersionFault(text: string): LedgerError | undefined {
  if (text === '') return undefined
  const version = /^[+-]?\d{1,20}$/.test(text) ? BigInt(text.replace('+', '')) : undefined
  return version === undefined || version < INT64_MIN || version > INT64_MAX
    ? invalidField('user.metadata.resource_version', reasonText('invalidResourceVersion'))
    : undefined
}
