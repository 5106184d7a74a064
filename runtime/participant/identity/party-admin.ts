// Parties that this node knows: allocation for itself and for outside keys, listing, metadata.
// docs/ledger-rules.md, "Parties"
import { hash } from 'node:crypto'
import type {
  AllocateExternalPartyRequest,
  AllocatePartyRequest,
  GenerateExternalPartyTopologyRequest,
} from '../../../generated/ledger/types.gen.ts'
import type { PartyGrant, PartyRecord, Store } from '../../store/store.ts'
import type { Principal, PrincipalDirectory } from '../../access/principal.ts'
import { effectiveProvider } from '../../access/principal.ts'
import { operations, reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, invalidField, ledgerError, LedgerError } from '../../errors/errors.ts'
import { partyProblem, userIdProblem } from '../../errors/grammar.ts'
import type { NodeIdentity } from '../node.ts'
import type { Cohosting, Consented } from './cohosting.ts'
import { annotationsBytes, MAX_ANNOTATIONS_BYTES, mergeAnnotations } from './annotations.ts'
import { readFieldMask } from './field-mask.ts'
import type { MetaDraft } from './object-meta.ts'
import { expectedVersion, metaUpdateProblem, newMetaProblem } from './object-meta.ts'
import { untilWritten } from './optimistic.ts'
import { pageOf } from './page-token.ts'
import type { Listing, PageRequest } from './page-token.ts'
import { topologyText } from '../topology/party-topology.ts'
import { generateTopology } from '../topology/generate.ts'
import type { GeneratedTopology } from '../topology/generate.ts'
import { texts } from '../topology/texts.ts'
import { verifyOnboarding } from '../topology/allocate.ts'
import {
  logicalSynchronizerId,
  nameProblem,
  uniqueIdentifier,
} from '../topology/unique-identifier.ts'

/** Published in GET /v2/version. docs/ledger-rules.md, "Parties" */
export const MAX_PARTIES_PAGE_SIZE = 10_000

/** Lengths of the hint of a caller who gets a mark behind it, and of the mark. */
const [MAX_OWN_HINT, MARK_LENGTH] = [167, 16]

const METADATA = 'party_details.local_metadata'
const MASK_PATHS = [
  'party',
  'isLocal',
  'localMetadata',
  'localMetadata.annotations',
  'localMetadata.resourceVersion',
  'identityProviderId',
]

interface PartyPageRequest extends PageRequest {
  readonly provider: string
  readonly prefix: string
}

interface PartyAdminOptions {
  readonly store: Store
  readonly directory: PrincipalDirectory
  readonly node: NodeIdentity
  readonly cohosting: Cohosting
  /** Parties that a user who administers nothing may allocate for itself. */
  readonly maxSelfAllocatedParties: number
  /** Rights that a user may have. */
  readonly maxRights: number
  /** The network's parties, which nobody can allocate. */
  readonly reserved: ReadonlySet<string>
  /** A name that no one else has, for parties that come without a hint. */
  readonly newName: () => string
}

export class PartyAdmin {
  readonly #options: PartyAdminOptions

  constructor(options: PartyAdminOptions) {
    this.#options = options
  }

  /**
   * INVALID_ARGUMENT, INVALID_FIELD, USER_NOT_FOUND, TOO_MANY_USER_RIGHTS, PERMISSION_DENIED (more
   * than a user may allocate itself)
   */
  async allocate(
    caller: Principal,
    request: AllocatePartyRequest,
  ): Promise<PartyRecord | LedgerError> {
    const { node, newName } = this.#options
    const { partyIdHint = '', synchronizerId = '', userId = '', localMetadata = {} } = request
    const meta = {
      annotations: localMetadata.annotations,
      resourceVersion: localMetadata.resourceVersion ?? '',
    }
    const hint = partyIdHint === '' ? newName() : hintFor(caller, partyIdHint)
    const hintProblem = partyIdHint === '' ? undefined : nameProblem(partyIdHint)
    const problem =
      newMetaProblem(meta, METADATA) ??
      (hintProblem === undefined
        ? undefined
        : invalidArgument(reasonText('partyHint', { reason: hintProblem }))) ??
      (synchronizerId === '' ? undefined : this.#synchronizerError(synchronizerId))
    if (problem) return problem
    return this.#store(caller, userId, {
      party: uniqueIdentifier(hint, node.namespace),
      isLocal: true,
      annotations: meta.annotations ?? {},
      topology: '',
      identityProviderId: effectiveProvider(caller, request.identityProviderId ?? ''),
    })
  }

  /**
   * As `allocate`, and MISSING_FIELD; the party's keys are in what was signed. Where others are to
   * host it too it is there once all have agreed; a party that is there is hosted again where the
   * topology is the next one.
   */
  async allocateExternal(
    caller: Principal,
    request: AllocateExternalPartyRequest,
  ): Promise<PartyRecord | LedgerError> {
    const { node, cohosting } = this.#options
    const verified = verifyOnboarding(request, {
      participantUid: node.participantUid,
      connectedSynchronizers: [node.synchronizerId],
    })
    if (verified instanceof LedgerError) return verified
    const { otherParticipants: others, dated } = verified
    // Whom nobody can ask for its consent here: a party that it would host too never comes about.
    const strangers = await cohosting.strangers(others)
    if (verified.proposal || strangers.length > 0)
      return invalidArgument(reasonText('otherHosts', { uids: strangers.join(', ') }))
    const party = {
      party: verified.partyId,
      isLocal: true,
      annotations: {},
      topology: topologyText(verified),
      identityProviderId: effectiveProvider(caller, request.identityProviderId ?? ''),
    }
    const hosts = [node.participantUid, ...others]
    const maxProposed = administers(caller)
      ? undefined
      : this.#options.maxSelfAllocatedParties - caller.rights.count('CanActAs')
    return this.#store(caller, request.userId ?? '', party, (grantTo) =>
      cohosting.consent({ party, grantTo, dated, hosts, maxProposed }),
    )
  }

  /** The topology of `generateTopology`; the next one if a host that it names has the party. */
  async generateExternal(
    request: GenerateExternalPartyTopologyRequest,
  ): Promise<GeneratedTopology | LedgerError> {
    const { node, cohosting } = this.#options
    const { participantUid, synchronizerId } = node
    const own = { participantUid, connectedSynchronizers: [synchronizerId] }
    const first = generateTopology(request, own)
    if (first instanceof LedgerError) return first
    const { otherConfirmingParticipantUids = [], observingParticipantUids = [] } = request
    const hosts = [participantUid, ...otherConfirmingParticipantUids, ...observingParticipantUids]
    const serial = await cohosting.nextSerial(first.partyId, hosts)
    if (serial === undefined) return invalidArgument(texts.noNextHosting)
    return serial === 1 ? first : generateTopology(request, own, serial)
  }

  /** INVALID_ARGUMENT for a token that is not ours. */
  list(
    caller: Principal,
    { provider, prefix, ...page }: PartyPageRequest,
  ): Promise<Listing<PartyRecord> | LedgerError> {
    const identityProviderId = effectiveProvider(caller, provider)
    // What no party id holds begins none, and need not be fit for a store.
    const isOfNone = prefix !== '' && partyProblem(prefix) !== undefined
    return pageOf(page, {
      maxPageSize: MAX_PARTIES_PAGE_SIZE,
      idProblem: partyProblem,
      idOf: ({ party }) => party,
      read: async (places) =>
        isOfNone ? [] : this.#options.store.parties.list({ identityProviderId, prefix, ...places }),
    })
  }

  /**
   * Those that are known to the caller's provider, in byte order. INVALID_ARGUMENT for what is no
   * party id.
   */
  async get(
    caller: Principal,
    parties: readonly string[],
    requestedProvider: string,
  ): Promise<readonly PartyRecord[] | LedgerError> {
    const problem = parties.map(partyProblem).find((found) => found !== undefined)
    if (problem !== undefined) return invalidArgument(problem)
    const provider = effectiveProvider(caller, requestedProvider)
    const found = await this.#options.store.parties.get(parties)
    return found.filter(({ identityProviderId }) => identityProviderId === provider)
  }

  /**
   * PARTY_NOT_FOUND, PERMISSION_DENIED, INVALID_PARTY_DETAILS_UPDATE_REQUEST,
   * CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED, MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED,
   * INVALID_FIELD, INVALID_ARGUMENT
   */
  async update(
    caller: Principal,
    party: string,
    update: PartyUpdate,
  ): Promise<PartyRecord | LedgerError> {
    const malformed = partyProblem(party)
    const problem =
      malformed === undefined
        ? metaUpdateProblem(update.meta, METADATA)
        : invalidArgument(malformed)
    if (problem) return problem
    const mask = readFieldMask(update.maskPaths, MASK_PATHS)
    if (typeof mask === 'string')
      return ledgerError('INVALID_PARTY_DETAILS_UPDATE_REQUEST', { party, reason: mask })
    const annotated =
      mask.names('localMetadata.annotations') || mask.covers('localMetadata.annotations')
    const annotations = annotated ? (update.meta.annotations ?? {}) : {}
    const provider = effectiveProvider(caller, update.provider)
    const contention = ledgerError('CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED', { party })
    const scope = { provider, isAdmin: caller.rights.isAdmin }
    return untilWritten(
      () => this.#attemptUpdate(party, scope, { ...update.meta, annotations }),
      contention,
    )
  }

  async #attemptUpdate(
    party: string,
    { provider, isAdmin }: { readonly provider: string; readonly isAdmin: boolean },
    meta: MetaDraft,
  ): Promise<PartyRecord | LedgerError | 'stale'> {
    const { parties } = this.#options.store
    const [stored] = await parties.get([party])
    const unknown = ledgerError('PARTY_NOT_FOUND', { party, operation: operations.updateParty })
    if (stored === undefined) return unknown
    if (stored.identityProviderId !== provider)
      return isAdmin ? ledgerError('PERMISSION_DENIED', {}) : unknown
    const insisted = expectedVersion(meta)
    const contention = ledgerError('CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED', { party })
    if (insisted !== undefined && insisted !== stored.resourceVersion) return contention
    const annotations = mergeAnnotations(stored.annotations, meta.annotations ?? {})
    if (annotationsBytes(annotations) > MAX_ANNOTATIONS_BYTES) {
      return ledgerError('MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED', { party })
    }
    const outcome = await parties.update(party, stored.resourceVersion, annotations)
    if (outcome === 'missing') return unknown
    return outcome === 'stale' && insisted !== undefined ? contention : outcome
  }

  #synchronizerError(id: string): LedgerError | undefined {
    const { synchronizerId } = this.#options.node
    return logicalSynchronizerId(id) === synchronizerId
      ? undefined
      : invalidArgument(reasonText('unknownSynchronizer', { id }))
  }

  async #store(
    caller: Principal,
    userId: string,
    party: Omit<PartyRecord, 'resourceVersion'>,
    allocate: Allocation = (grantTo) => this.#options.store.parties.allocate(party, grantTo),
  ): Promise<PartyRecord | LedgerError> {
    if (!this.#mayAllocate(caller)) return ledgerError('PERMISSION_DENIED', {})
    const malformed = userId === '' ? undefined : userIdProblem(userId)
    if (malformed !== undefined) return invalidField('user_id', malformed)
    const { directory } = this.#options
    const grantTo =
      userId === ''
        ? undefined
        : { userId, inProvider: party.identityProviderId, maxRights: this.#options.maxRights }
    const isTaken = this.#options.reserved.has(party.party)
    const outcome = isTaken ? 'exists' : await allocate(grantTo)
    if (userId !== '') directory.forget(userId)
    if (typeof outcome === 'object') return invalidArgument(outcome.refused)
    const operation = operations.grantUserRights
    switch (outcome) {
      case 'exists':
        return invalidArgument(reasonText('partyExists', { party: party.party }))
      case 'too-many-proposed':
        return ledgerError('PERMISSION_DENIED', {})
      case 'unknown-provider':
        return invalidArgument(
          reasonText('unknownIdentityProvider', { id: party.identityProviderId }),
        )
      case 'unknown-user':
        return this.#unknownUser(caller, userId)
      case 'too-many':
        return ledgerError('TOO_MANY_USER_RIGHTS', { operation, id: userId })
      default:
        return { ...party, resourceVersion: 0n }
    }
  }

  /**
   * A participant admin sees the users of all providers, and is told that this one is in another.
   */
  async #unknownUser({ rights }: Principal, id: string): Promise<LedgerError> {
    const isElsewhere = rights.isAdmin && (await this.#options.store.users.get(id)) !== undefined
    return isElsewhere
      ? ledgerError('PERMISSION_DENIED', {})
      : ledgerError('USER_NOT_FOUND', { operation: operations.grantUserRights, id })
  }

  /** The guard has let through administrators, and users who name themselves. */
  #mayAllocate(caller: Principal): boolean {
    const { rights } = caller
    return administers(caller) || rights.count('CanActAs') < this.#options.maxSelfAllocatedParties
  }
}

/**
 * The hint as it is for a participant admin alone: that of others bears their mark, which no hint
 * of a wallet has, so that nobody takes the id that another user's wallet would get.
 */
function hintFor({ rights, user }: Principal, hint: string): string {
  if (rights.isAdmin) return hint
  return `${hint.slice(0, MAX_OWN_HINT)}__${hash('sha256', user.id).slice(0, MARK_LENGTH)}`
}

function administers({ rights, user }: Principal): boolean {
  return rights.isAdmin || (user.identityProviderId !== '' && rights.has('IdentityProviderAdmin'))
}

type Allocation = (grantTo: PartyGrant | undefined) => Promise<Consented>

interface PartyUpdate {
  readonly meta: MetaDraft
  readonly provider: string
  readonly maskPaths: readonly string[]
}
