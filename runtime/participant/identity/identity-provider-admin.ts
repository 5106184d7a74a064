// Identity provider configurations: their rules over the store. Answers values or errors of the
// catalogue. docs/ledger-rules.md, "Identity providers"
import type { IdentityProviderRecord, Store } from '../../store/store.ts'
import type { ProviderDirectory } from '../../access/provider.ts'
import { operations, reasonText } from '../../errors/catalogue.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { invalidArgument, invalidField, ledgerError } from '../../errors/errors.ts'
import { ledgerStringProblem } from '../../errors/grammar.ts'
import type { FieldMask } from './field-mask.ts'
import { readFieldMask } from './field-mask.ts'
import { untilWritten } from './optimistic.ts'

const MAX_IDENTITY_PROVIDERS = 16

const MASK_PATHS = ['identityProviderId', 'isDeactivated', 'issuer', 'jwksUrl', 'audience']

/** The operations on identity providers. Methods answer the errors that they name. */
export class IdentityProviderAdmin {
  readonly #store: Store
  readonly #directory: ProviderDirectory
  readonly #configured: ReadonlySet<string>

  /**
   * The directory forgets what changes; `configured` are issuers that auth plugins answer for,
   * before any provider.
   */
  constructor(store: Store, directory: ProviderDirectory, configured: readonly string[]) {
    this.#store = store
    this.#directory = directory
    this.#configured = new Set(configured)
  }

  /**
   * MISSING_FIELD, INVALID_FIELD, IDP_CONFIG_ALREADY_EXISTS, IDP_CONFIG_ISSUER_ALREADY_EXISTS,
   * TOO_MANY_IDENTITY_PROVIDER_CONFIGS
   */
  async create(provider: IdentityProviderRecord): Promise<IdentityProviderRecord | LedgerError> {
    const problem = idProblem(provider.id) ?? presenceProblem(provider) ?? valueProblem(provider)
    if (problem) return problem
    switch (await this.#create(provider)) {
      case 'exists':
        return ledgerError('IDP_CONFIG_ALREADY_EXISTS', { id: provider.id })
      case 'issuer-exists':
        return issuerTaken(operations.createIdentityProviderConfig, provider.issuer)
      case 'too-many':
        return ledgerError('TOO_MANY_IDENTITY_PROVIDER_CONFIGS', {
          operation: operations.createIdentityProviderConfig,
        })
      default:
        return provider
    }
  }

  /** IDP_CONFIG_NOT_FOUND, INVALID_FIELD */
  async get(id: string): Promise<IdentityProviderRecord | LedgerError> {
    return (
      idProblem(id) ??
      (await this.#store.identityProviders.get(id)) ??
      notFound(operations.getIdentityProviderConfig, id)
    )
  }

  /** All of them, by id. */
  list(): Promise<readonly IdentityProviderRecord[]> {
    return this.#store.identityProviders.list()
  }

  /**
   * IDP_CONFIG_NOT_FOUND, IDP_CONFIG_ISSUER_ALREADY_EXISTS,
   * INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST, INVALID_FIELD
   */
  async update(
    requested: IdentityProviderRecord,
    maskPaths: readonly string[],
  ): Promise<IdentityProviderRecord | LedgerError> {
    const problem = idProblem(requested.id) ?? valueProblem(requested)
    if (problem) return problem
    const mask = readFieldMask(maskPaths, MASK_PATHS)
    if (typeof mask === 'string') {
      return ledgerError('INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST', {
        id: requested.id,
        reason: mask,
      })
    }
    const contention = ledgerError('REQUEST_ALREADY_IN_FLIGHT', {
      id: requested.id,
      details: operations.updateIdentityProviderConfig,
    })
    return untilWritten(() => this.#attemptUpdate(requested, mask), contention)
  }

  /** IDP_CONFIG_NOT_FOUND, INVALID_FIELD; INVALID_ARGUMENT while users belong to it. */
  async delete(id: string): Promise<undefined | LedgerError> {
    const problem = idProblem(id)
    if (problem) return problem
    const outcome = await this.#store.identityProviders.delete(id)
    this.#directory.forget()
    if (outcome === 'missing') return notFound(operations.deleteIdentityProviderConfig, id)
    return outcome === 'in-use'
      ? invalidArgument(reasonText('identityProviderInUse', { id }))
      : undefined
  }

  /** A configured issuer is refused where one that another provider has would be: after the id. */
  async #create(
    provider: IdentityProviderRecord,
  ): ReturnType<Store['identityProviders']['create']> {
    const { identityProviders } = this.#store
    if (this.#configured.has(provider.issuer))
      return (await identityProviders.get(provider.id)) ? 'exists' : 'issuer-exists'
    const outcome = await identityProviders.create(provider, MAX_IDENTITY_PROVIDERS)
    this.#directory.forget()
    return outcome
  }

  /** 'stale' when another update came between: what that one changed must not be written back. */
  async #attemptUpdate(
    requested: IdentityProviderRecord,
    mask: FieldMask,
  ): Promise<IdentityProviderRecord | LedgerError | 'stale'> {
    const stored = await this.#store.identityProviders.get(requested.id)
    if (stored === undefined) return notFound(operations.updateIdentityProviderConfig, requested.id)
    const provider = changed(stored, requested, mask)
    // One that had its issuer before the configuration keeps it, so that the rest of it can be
    // changed.
    if (provider.issuer !== stored.issuer && this.#configured.has(provider.issuer)) {
      return issuerTaken(operations.updateIdentityProviderConfig, provider.issuer)
    }
    const outcome = await this.#store.identityProviders.update(provider, stored)
    this.#directory.forget()
    if (outcome === 'stale') return outcome
    if (outcome === 'missing') return notFound(operations.updateIdentityProviderConfig, provider.id)
    return outcome === 'issuer-exists'
      ? issuerTaken(operations.updateIdentityProviderConfig, provider.issuer)
      : provider
  }
}

/**
 * An empty issuer or key address in an update leaves what is stored; an empty audience takes it
 * away.
 */
function changed(
  stored: IdentityProviderRecord,
  requested: IdentityProviderRecord,
  mask: FieldMask,
): IdentityProviderRecord {
  return {
    id: stored.id,
    isDeactivated: mask.pick('isDeactivated', requested.isDeactivated, stored.isDeactivated, false),
    issuer: mask.pick('issuer', requested.issuer || undefined, stored.issuer, stored.issuer),
    jwksUrl: mask.pick('jwksUrl', requested.jwksUrl || undefined, stored.jwksUrl, stored.jwksUrl),
    audience: mask.pick('audience', requested.audience, stored.audience, ''),
  }
}

function idProblem(id: string): LedgerError | undefined {
  const problem = ledgerStringProblem(id)
  return problem === undefined ? undefined : invalidField('identity_provider_id', problem)
}

function presenceProblem({ issuer, jwksUrl }: IdentityProviderRecord): LedgerError | undefined {
  if (jwksUrl === '') return ledgerError('MISSING_FIELD', { field_name: 'jwks_url' })
  return issuer === '' ? ledgerError('MISSING_FIELD', { field_name: 'issuer' }) : undefined
}

function valueProblem({
  issuer,
  jwksUrl,
  audience,
}: IdentityProviderRecord): LedgerError | undefined {
  const jwks =
    jwksUrl === '' ? undefined : (urlProblem(jwksUrl) ?? userProblem(jwksUrl, 'a key address has'))
  if (jwks !== undefined) return malformedUrl('jwks_url', jwks)
  const iss = issuer === '' ? undefined : (urlProblem(issuer) ?? issuerProblem(issuer))
  if (iss !== undefined) return malformedUrl('issuer', iss)
  const printable = audience.isWellFormed() && !/\p{Cc}/u.test(audience)
  return printable ? undefined : invalidField('audience', reasonText('audienceCharacter'))
}

function urlProblem(text: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return 'not an absolute URL'
  return /^https?:$/.test(new URL(text).protocol) ? undefined : 'neither http nor https'
}

/** The problem with an issuer: scheme https, host, optional port and path, no query or fragment. */
function issuerProblem(text: string): string | undefined {
  if (new URL(text).protocol !== 'https:') return 'an issuer must be https'
  if (/[?#]/.test(text)) return 'an issuer has no query and no fragment'
  return userProblem(text, 'an issuer has')
}

/** The problem with credentials in an address: everyone who reads the configuration sees them. */
function userProblem(text: string, what: string): string | undefined {
  const { username, password } = new URL(text)
  return username + password === '' ? undefined : `${what} no user and no password`
}

function malformedUrl(field: string, error: string): LedgerError {
  return invalidField(field, reasonText('malformedUrl', { error }))
}

function issuerTaken(operation: string, issuer: string): LedgerError {
  return ledgerError('IDP_CONFIG_ISSUER_ALREADY_EXISTS', { operation, issuer })
}

function notFound(operation: string, id: string): LedgerError {
  return ledgerError('IDP_CONFIG_NOT_FOUND', { operation, id })
}
