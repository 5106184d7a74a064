// Users and their rights: every rule of docs/ledger-rules.md, "Users" over the store. Answers
// values or errors of the catalogue; knows neither HTTP nor SQL.
import type { RightRecord, Store, UserChange, UserRecord } from '../../store/store.ts'
import type { Principal, PrincipalDirectory } from '../../access/principal.ts'
import { effectiveProvider } from '../../access/principal.ts'
import { operations, reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, ledgerError, LedgerError } from '../../errors/errors.ts'
import { userIdProblem } from '../../errors/grammar.ts'
import { annotationsBytes, MAX_ANNOTATIONS_BYTES } from './annotations.ts'
import type { FieldMask } from './field-mask.ts'
import { readFieldMask } from './field-mask.ts'
import { pageOf } from './page-token.ts'
import type { Listing, PageRequest } from './page-token.ts'
import { expectedVersion } from './object-meta.ts'
import { untilWritten } from './optimistic.ts'
import type { UserDraft } from './user-draft.ts'
import { newUserProblem, userUpdateProblem } from './user-draft.ts'
import {
  givenBy,
  primaryPartyProblem,
  changeOf,
  malformedProvider,
  unknownProvider,
  userNotFound,
} from './user-rules.ts'

/** Published in GET /v2/version. docs/ledger-rules.md, "Pages" */
export const MAX_USERS_PAGE_SIZE = 1_000

const MASK_PATHS = [
  'id',
  'primaryParty',
  'isDeactivated',
  'metadata',
  'metadata.annotations',
  'metadata.resourceVersion',
  'identityProviderId',
  'primaryPartyAuthentication',
]

/** Rights that no admin of an identity provider may grant. */
const BEYOND_PROVIDER: ReadonlySet<string> = new Set([
  'ParticipantAdmin',
  'CanReadAsAnyParty',
  'CanExecuteAsAnyParty',
])

/** A change that lists only what it changed. */
type RightsOutcome = Promise<readonly RightRecord[] | LedgerError>

interface UserAdminOptions {
  readonly store: Store
  /** Forgets whom a call changes. */
  readonly directory: PrincipalDirectory
  /** Rights that a user may have. */
  readonly maxRights: number
  /**
   * Stays as long as the configuration names it: whoever had its id would be the operator at the
   * next start.
   */
  readonly operatorUser: string
}

export class UserAdmin {
  readonly #store: Store
  readonly #directory: PrincipalDirectory
  readonly #maxRights: number
  readonly #operatorUser: string

  constructor({ store, directory, maxRights, operatorUser }: UserAdminOptions) {
    this.#store = store
    this.#directory = directory
    this.#maxRights = maxRights
    this.#operatorUser = operatorUser
  }

  /**
   * USER_ALREADY_EXISTS, TOO_MANY_USER_RIGHTS, INVALID_ARGUMENT, INVALID_FIELD, UNKNOWN_RESOURCE,
   * PERMISSION_DENIED
   */
  async create(
    caller: Principal,
    draft: UserDraft,
    rights: readonly RightRecord[],
  ): Promise<UserRecord | LedgerError> {
    const provider = effectiveProvider(caller, draft.identityProviderId)
    const problem =
      newUserProblem(draft) ??
      (await this.#providerError(provider)) ??
      (await this.#grantableError(caller, rights, provider)) ??
      primaryPartyProblem(caller, draft.primaryParty ?? '', rights)
    if (problem) return problem
    if (new Set(rights.map((right) => `${right.kind} ${right.party}`)).size > this.#maxRights) {
      return ledgerError('TOO_MANY_USER_RIGHTS', { operation: operations.createUser, id: draft.id })
    }
    return this.#insert(
      {
        id: draft.id,
        primaryParty: draft.primaryParty ?? '',
        isDeactivated: draft.isDeactivated ?? false,
        primaryPartyAuthentication: draft.primaryPartyAuthentication ?? false,
        identityProviderId: provider,
        annotations: draft.annotations ?? {},
      },
      rights,
    )
  }

  /**
   * USER_NOT_FOUND, INVALID_ARGUMENT, PERMISSION_DENIED (the user belongs to another provider).
   * `id` '' is the caller.
   */
  async get(
    caller: Principal,
    id: string,
    requestedProvider: string,
  ): Promise<UserRecord | LedgerError> {
    const problem = await this.#providerError(requestedProvider)
    return (
      problem ??
      this.#find(caller, id === '' ? caller.user.id : id, requestedProvider, operations.getUser)
    )
  }

  /**
   * INVALID_ARGUMENT for a token that is not ours. A page size of 0 is the maximum; larger ones are
   * clipped.
   */
  list(caller: Principal, page: PageRequest): Promise<Listing<UserRecord> | LedgerError> {
    const identityProviderId = effectiveProvider(caller, '')
    return pageOf(page, {
      maxPageSize: MAX_USERS_PAGE_SIZE,
      idProblem: userIdProblem,
      idOf: ({ id }) => id,
      read: (places) => this.#store.users.list({ identityProviderId, ...places }),
    })
  }

  /**
   * USER_NOT_FOUND, INVALID_USER_UPDATE_REQUEST, CONCURRENT_USER_UPDATE_DETECTED,
   * USER_DELETED_WHILE_UPDATING, MAX_USER_ANNOTATIONS_SIZE_EXCEEDED, INVALID_FIELD,
   * INVALID_ARGUMENT, PERMISSION_DENIED
   */
  async update(
    caller: Principal,
    draft: UserDraft,
    maskPaths: readonly string[],
  ): Promise<UserRecord | LedgerError> {
    const problem = userUpdateProblem(draft)
    if (problem) return problem
    const mask = readFieldMask(maskPaths, MASK_PATHS)
    if (typeof mask === 'string')
      return ledgerError('INVALID_USER_UPDATE_REQUEST', { id: draft.id, reason: mask })
    if (
      draft.id === caller.user.id &&
      mask.pick('isDeactivated', draft.isDeactivated, false, false)
    ) {
      return invalidArgument(reasonText('deactivatesItself'))
    }
    const provider = await this.#providerError(effectiveProvider(caller, draft.identityProviderId))
    const contention = ledgerError('CONCURRENT_USER_UPDATE_DETECTED', { id: draft.id })
    return provider ?? untilWritten(() => this.#attemptUpdate(caller, draft, mask), contention)
  }

  /** USER_NOT_FOUND, INVALID_ARGUMENT (oneself), PERMISSION_DENIED */
  async delete(caller: Principal, id: string): Promise<undefined | LedgerError> {
    if (id === caller.user.id) return invalidArgument(reasonText('deletesItself'))
    const user = await this.#find(caller, id, '', operations.deleteUser)
    if (user instanceof LedgerError) return user
    if (id === this.#operatorUser) return invalidArgument(reasonText('operatorStays', { id }))
    const outcome = await this.#store.users.delete(id, user.identityProviderId)
    this.#directory.forget(id)
    return outcome === 'missing' ? userNotFound(operations.deleteUser, id) : undefined
  }

  /** USER_NOT_FOUND, PERMISSION_DENIED */
  async rights(caller: Principal, id: string): RightsOutcome {
    const user = await this.#find(caller, id, '', operations.listUserRights)
    if (user instanceof LedgerError) return user
    return (await this.#store.users.rights(id)) ?? userNotFound(operations.listUserRights, id)
  }

  /**
   * USER_NOT_FOUND, TOO_MANY_USER_RIGHTS, UNKNOWN_RESOURCE, PERMISSION_DENIED. Answers the newly
   * granted ones.
   */
  async grant(
    caller: Principal,
    id: string,
    rights: readonly RightRecord[],
    requestedProvider: string,
  ): RightsOutcome {
    const operation = operations.grantUserRights
    const provider = effectiveProvider(caller, requestedProvider)
    const problem =
      (await this.#providerError(provider)) ??
      (await this.#grantableError(caller, rights, provider))
    if (problem) return problem
    const user = await this.#find(caller, id, requestedProvider, operation)
    if (user instanceof LedgerError) return user
    const granted = await this.#store.users.grant(
      id,
      rights,
      this.#maxRights,
      user.identityProviderId,
    )
    this.#directory.forget(id)
    if (granted === 'missing') return userNotFound(operation, id)
    return granted === 'too-many' ? ledgerError('TOO_MANY_USER_RIGHTS', { operation, id }) : granted
  }

  /**
   * USER_NOT_FOUND, INVALID_ARGUMENT (one's own ParticipantAdmin), PERMISSION_DENIED. Answers the
   * newly revoked ones.
   */
  async revoke(
    caller: Principal,
    id: string,
    rights: readonly RightRecord[],
    requestedProvider: string,
  ): RightsOutcome {
    const operation = operations.revokeUserRights
    const provider = await this.#providerError(effectiveProvider(caller, requestedProvider))
    if (provider) return provider
    if (id === caller.user.id && rights.some((right) => right.kind === 'ParticipantAdmin')) {
      return invalidArgument(reasonText('removesOwnAdmin'))
    }
    const user = await this.#find(caller, id, requestedProvider, operation)
    if (user instanceof LedgerError) return user
    const revoked = await this.#store.users.revoke(id, rights, user.identityProviderId)
    this.#directory.forget(id)
    return revoked === 'missing' ? userNotFound(operation, id) : revoked
  }

  /**
   * USER_NOT_FOUND, INVALID_FIELD, INVALID_ARGUMENT (an unknown provider), PERMISSION_DENIED (the
   * user is not in `source`)
   */
  async move(id: string, source: string, target: string): Promise<undefined | LedgerError> {
    const malformed =
      malformedProvider('source_identity_provider_id', source) ??
      malformedProvider('target_identity_provider_id', target)
    if (malformed) return malformed
    const problem = (await this.#providerError(source)) ?? (await this.#providerError(target))
    if (problem) return problem
    if (id === this.#operatorUser) return invalidArgument(reasonText('operatorStays', { id }))
    const outcome = await this.#store.users.move(id, source, target)
    this.#directory.forget(id)
    if (outcome === 'missing') return userNotFound(operations.updateUserIdentityProviderId, id)
    if (outcome === 'unknown-provider') return unknownProvider(target)
    return outcome === 'elsewhere' ? ledgerError('PERMISSION_DENIED', {}) : undefined
  }

  async #insert(
    user: Omit<UserRecord, 'resourceVersion'>,
    rights: readonly RightRecord[],
  ): Promise<UserRecord | LedgerError> {
    const outcome = await this.#store.users.create(user, rights)
    this.#directory.forget(user.id)
    if (outcome === 'created') return { ...user, resourceVersion: 0n }
    if (outcome === 'unknown-provider') return unknownProvider(user.identityProviderId)
    const existing = await this.#store.users.get(user.id)
    return existing && existing.identityProviderId !== user.identityProviderId
      ? ledgerError('PERMISSION_DENIED', {})
      : ledgerError('USER_ALREADY_EXISTS', { id: user.id })
  }

  /**
   * One read and one conditional write; 'stale' when another writer came between and the caller
   * insists on no version.
   */
  async #attemptUpdate(
    caller: Principal,
    draft: UserDraft,
    mask: FieldMask,
  ): Promise<UserRecord | LedgerError | 'stale'> {
    const stored = await this.#find(
      caller,
      draft.id,
      draft.identityProviderId,
      operations.updateUser,
    )
    if (stored instanceof LedgerError) return stored
    const insisted = expectedVersion(draft)
    if (insisted !== undefined && insisted !== stored.resourceVersion) {
      return ledgerError('CONCURRENT_USER_UPDATE_DETECTED', { id: draft.id })
    }
    const change = changeOf(stored, draft, mask)
    if (annotationsBytes(change.annotations) > MAX_ANNOTATIONS_BYTES) {
      return ledgerError('MAX_USER_ANNOTATIONS_SIZE_EXCEEDED', { id: draft.id })
    }
    const seen = await this.#givingRights(caller, stored, change)
    if (seen instanceof LedgerError) return seen
    const guard = {
      inProvider: stored.identityProviderId,
      ...(seen === undefined ? {} : { rights: seen }),
    }
    const outcome = await this.#store.users.update(draft.id, stored.resourceVersion, change, guard)
    this.#directory.forget(draft.id)
    if (outcome === 'missing') return ledgerError('USER_DELETED_WHILE_UPDATING', { id: draft.id })
    const lost = outcome === 'stale' && insisted !== undefined
    return lost ? ledgerError('CONCURRENT_USER_UPDATE_DETECTED', { id: draft.id }) : outcome
  }

  async #find(
    caller: Principal,
    id: string,
    requestedProvider: string,
    operation: string,
  ): Promise<UserRecord | LedgerError> {
    const user = await this.#store.users.get(id)
    if (user === undefined) return userNotFound(operation, id)
    if (user.identityProviderId === effectiveProvider(caller, requestedProvider)) return user
    // Who may not see a user does not learn that it is there.
    return caller.rights.isAdmin
      ? ledgerError('PERMISSION_DENIED', {})
      : userNotFound(operation, id)
  }

  /**
   * For a change that decides who can become the user, or what it reaches: the rights with which it
   * was judged, and which must still be the user's when it is written. PERMISSION_DENIED,
   * INVALID_ARGUMENT. docs/authority.md, "Changes that give"
   */
  async #givingRights(
    caller: Principal,
    stored: UserRecord,
    change: UserChange,
  ): Promise<readonly RightRecord[] | LedgerError | undefined> {
    const gives = givenBy(stored, change)
    if (!gives.party && !gives.login && !gives.activity) return undefined
    const [rights = [], wallet] = await Promise.all([
      this.#store.users.rights(stored.id),
      this.#store.wallets.party(stored.id),
    ])
    const problem = gives.party
      ? primaryPartyProblem(caller, change.primaryParty, rights)
      : undefined
    if (problem || caller.rights.isAdmin) return problem ?? rights
    const isOwnWallet = ({ kind, party }: RightRecord) => kind === 'CanActAs' && party === wallet
    const concerned =
      gives.party || gives.login ? rights : rights.filter((right) => !isOwnWallet(right))
    const mayGiveAll =
      concerned.every(({ kind }) => !BEYOND_PROVIDER.has(kind)) &&
      (await this.#foreignParties(concerned, stored.identityProviderId)).length === 0
    return mayGiveAll ? rights : ledgerError('PERMISSION_DENIED', {})
  }

  async #providerError(provider: string): Promise<LedgerError | undefined> {
    if (provider === '' || (await this.#store.identityProviders.get(provider))) return undefined
    return unknownProvider(provider)
  }

  /**
   * An identity provider's admin may only grant on parties that this provider has.
   * docs/ledger-rules.md, "Rights"
   */
  async #grantableError(
    caller: Principal,
    rights: readonly RightRecord[],
    provider: string,
  ): Promise<LedgerError | undefined> {
    const missing = caller.rights.isAdmin ? [] : await this.#foreignParties(rights, provider)
    if (missing.length === 0) return undefined
    const reason = reasonText('unknownParties', { id: provider, parties: missing.join(',') })
    return ledgerError('UNKNOWN_RESOURCE', { type: 'PARTIES', reason }, { items: missing })
  }

  /** Parties of the rights that the provider does not have, in order. */
  async #foreignParties(
    rights: readonly RightRecord[],
    provider: string,
  ): Promise<readonly string[]> {
    const asked = rights.map(({ party }) => party).filter((party) => party !== '')
    const known = (await this.#store.parties.get(asked)).filter(
      ({ identityProviderId }) => identityProviderId === provider,
    )
    return [...new Set(asked).difference(new Set(known.map(({ party }) => party)))].sort()
  }
}
