// The access guard of our interfaces: the auth chain identifies the caller; stored rights and
// `x-access` decide what it may do. Callers never learn why they were rejected; `reason` is for the
// log. docs/authority.md
import type { Credentials } from '../host/credentials.ts'
import type { AccessGuard, Decision, Identity } from '../http/guard.ts'
import type { AuthAnswer, AuthenticatedUser, AuthService } from '../host/plugin.ts'
import type { WireInput, WireOperation } from '../http/wire.ts'
import { reasonText, redacted } from '../errors/catalogue.ts'
import type { LedgerError } from '../errors/errors.ts'
import { ledgerError } from '../errors/errors.ts'
import { ledgerStringProblem, partyProblem, userIdProblem } from '../errors/grammar.ts'
import type { Access, AccessRule, ReadFilters } from './access-rule.ts'
import { readAccess } from './access-rule.ts'
import type { Principal, PrincipalDirectory } from './principal.ts'
import { effectiveProvider } from './principal.ts'
import type { RightSet } from './rights.ts'

/** Names of schemes may be written in any case. RFC 9110 §11.1 */
const BEARER = /^bearer +(?=[^ ])/i
const USUAL = 'Bearer '
const UNRECOGNISED = 'no auth plugin recognises the token'

interface GuardOptions {
  readonly auth: readonly AuthService[]
  readonly directory: PrincipalDirectory
  /** `jwt.token.` by default: the element of Sec-WebSocket-Protocol that carries a token. */
  readonly webSocketTokenPrefix: string
  /**
   * Only a user whose primary party this is can be the validator's operator. docs/authority.md
   */
  readonly operatorParty: string
  /**
   * What this deployment has closed of the open operations, by the names of `closable` in the
   * documents.
   */
  readonly closed?: ReadonlySet<string>
  /** Operations that need no token do not look at one either, so that none can be refused. */
  readonly ignoresNeedlessTokens?: boolean
}

/** The `detail` that a presenter finds when a caller is refused with more than "forbidden". */
export class TokenRejection {
  readonly error: LedgerError

  constructor(error: LedgerError) {
    this.error = error
  }
}

interface Asked {
  readonly token: string
  readonly credentials: Credentials
  /** Whether the operation admits a subject whose id no user has. */
  readonly admitsNewcomers: boolean
}

export class LedgerGuard implements AccessGuard<Principal> {
  readonly #options: GuardOptions
  readonly #rules = new WeakMap<WireOperation, Access>()

  constructor(options: GuardOptions) {
    this.#options = options
  }

  needsPrincipal(operation: WireOperation): boolean {
    return this.#access(operation).tokenRequired
  }

  authenticate(
    credentials: Credentials,
    operation: WireOperation,
  ): Promise<Identity<Principal>> | Identity<Principal> {
    const access = this.#access(operation)
    if (this.#options.ignoresNeedlessTokens === true && !access.tokenRequired)
      return { kind: 'anonymous', reason: 'no token is needed' }
    const token = this.#token(credentials)
    if (token === undefined) return { kind: 'anonymous', reason: 'no token' }
    const { admitsNewcomers } = access
    return this.#ask({ token, credentials, admitsNewcomers }, 0, UNRECOGNISED)
  }

  /** Users of one name in two providers are two. */
  nameOf({ user: { id, identityProviderId } }: Principal): string {
    return `${identityProviderId}/${id}`
  }

  authorize(
    operation: WireOperation,
    identity: Identity<Principal>,
    input: WireInput,
  ): Promise<Decision> | Decision {
    const access = this.#access(operation)
    if (!access.tokenRequired) return ALLOWED
    if (identity.kind !== 'principal')
      return { allowed: false, cause: 'unauthenticated', reason: identity.reason }
    const { principal } = identity
    const { operatorParty } = this.#options
    const decision = decide(access, principal, { input, operatorParty })
    return decision.allowed || !isOperator(principal, operatorParty)
      ? decision
      : this.#asOperator(access, principal, input)
  }

  /** The operator acts for those whom its node serves without a right on each. docs/authority.md */
  async #asOperator(access: Access, principal: Principal, input: WireInput): Promise<Decision> {
    const { directory, operatorParty } = this.#options
    const parties = [...access.anyOf, ...access.allOf]
      .flatMap((rule) => partiesOf(rule, input))
      .filter((party) => partyProblem(party) === undefined)
    const operated = parties.length === 0 ? [] : await directory.operatedAmong(parties)
    const rights = principal.rights.withActAs(operated)
    return decide(access, { ...principal, rights }, { input, operatorParty })
  }

  /**
   * Asks the chain from `first` on. A token and a user that are known are answered at once, without
   * a promise.
   */
  #ask(
    asked: Asked,
    first: number,
    reason: string,
  ): Promise<Identity<Principal>> | Identity<Principal> {
    const service = this.#options.auth[first]
    if (service === undefined) return unknownToken(reason)
    const answer = service.authenticate(asked.token, asked.credentials)
    return answer instanceof Promise
      ? answer.then((given) => this.#heard(given, asked, first, reason))
      : this.#heard(answer, asked, first, reason)
  }

  #heard(
    answer: AuthAnswer,
    asked: Asked,
    from: number,
    reason: string,
  ): Promise<Identity<Principal>> | Identity<Principal> {
    if (answer.kind === 'refused') return unknownToken(answer.reason)
    return answer.kind === 'user'
      ? this.#principalOf(answer.user, asked)
      : this.#ask(asked, from + 1, answer.reason ?? reason)
  }

  #principalOf(
    user: AuthenticatedUser,
    { admitsNewcomers }: Asked,
  ): Promise<Identity<Principal>> | Identity<Principal> {
    const problem = userIdProblem(user.userId)
    if (problem !== undefined) return malformedUser(problem)
    const { directory } = this.#options
    const found = admitsNewcomers ? directory.findSubject(user) : directory.find(user)
    return found instanceof Promise ? found.then(identityOf) : identityOf(found)
  }

  #access(operation: WireOperation): Access {
    const known = this.#rules.get(operation)
    if (known) return known
    const access = this.#asDeployed(readAccess(operation.access, operation.operationId))
    this.#rules.set(operation, access)
    return access
  }

  #asDeployed(access: Access): Access {
    const isClosed =
      access.closable !== undefined && this.#options.closed?.has(access.closable) === true
    return isClosed ? { ...access, tokenRequired: true, admitsNewcomers: true } : access
  }

  #token({ authorization, webSocketProtocol }: Credentials): string | undefined {
    if (authorization !== undefined) return bearerToken(authorization)
    const prefix = this.#options.webSocketTokenPrefix
    return webSocketProtocol
      ?.split(',')
      .map((part) => part.trim())
      .find((part) => part.startsWith(prefix))
      ?.slice(prefix.length)
  }
}

function malformedUser(problem: string): Identity<Principal> {
  const error = ledgerError(
    'INVALID_TOKEN',
    { reason: reasonText('tokenUserId', { reason: problem }) },
    { context: redacted.refusedTokenContext },
  )
  return { kind: 'refused', reason: problem, detail: new TokenRejection(error) }
}

function bearerToken(authorization: string): string | undefined {
  // Nearly all are written so.
  if (authorization.startsWith(USUAL) && !authorization.startsWith(' ', USUAL.length))
    return authorization.length > USUAL.length ? authorization.slice(USUAL.length) : undefined
  const token = authorization.replace(BEARER, '')
  return token.length < authorization.length ? token : undefined
}

function unknownToken(reason: string): Identity<Principal> {
  return { kind: 'anonymous', reason, hasToken: true }
}

function identityOf(principal: Principal | undefined): Identity<Principal> {
  if (principal !== undefined && !principal.user.isDeactivated)
    return { kind: 'principal', principal }
  const error = ledgerError('PERMISSION_DENIED', {}, { context: redacted.refusedTokenContext })
  const reason = principal === undefined ? 'unknown user' : 'deactivated user'
  return { kind: 'refused', reason, detail: new TokenRejection(error) }
}

const ALLOWED = { allowed: true } as const

/** Facts that rules look at besides the caller. */
interface Asking {
  readonly input: WireInput
  readonly operatorParty: string
}

function decide(access: Access, principal: Principal, asking: Asking): Decision {
  const { input } = asking
  const requested = access.provider?.(input)[0] ?? ''
  const problem = requested === '' ? undefined : ledgerStringProblem(requested)
  if (problem !== undefined) {
    const reason = reasonText('tokenField', { field: 'identity_provider_id', reason: problem })
    return {
      allowed: false,
      cause: 'refused',
      reason: problem,
      detail: new TokenRejection(ledgerError('INVALID_TOKEN', { reason })),
    }
  }
  if (access.provider && !mayNameProvider(principal, requested))
    return forbidden('another identity provider')
  if (needsElevation(access, input) && !principal.rights.isAdmin)
    return forbidden('rights that only an admin may grant')
  const allowed =
    (access.anyOf.length === 0 || access.anyOf.some((rule) => holds(rule, principal, asking))) &&
    access.allOf.every((rule) => holds(rule, principal, asking))
  return allowed ? ALLOWED : forbidden('right missing')
}

/**
 * A token of a configured provider reaches that provider only; the default provider's admins reach
 * all.
 */
function mayNameProvider(principal: Principal, requested: string): boolean {
  const own = principal.user.identityProviderId
  return effectiveProvider(principal, requested) === own || (own === '' && principal.rights.isAdmin)
}

function needsElevation({ elevated }: Access, input: WireInput): boolean {
  return elevated !== undefined && elevated.kinds(input).some((kind) => elevated.of.has(kind))
}

function holds(rule: AccessRule, principal: Principal, { input, operatorParty }: Asking): boolean {
  const { rights, user, walletParty } = principal
  switch (rule.rule) {
    case 'admin':
      return rights.isAdmin
    case 'idp-admin':
      return user.identityProviderId !== '' && rights.has('IdentityProviderAdmin')
    case 'self':
      return rule.ids(input).every((id) => id === '' || id === user.id)
    case 'named-self':
      return rule.ids(input).includes(user.id)
    case 'read-format':
      return mayRead(rights, rule.filters(input))
    case 'read-as-any-party':
      return rights.has('CanReadAsAnyParty')
    case 'wallet-user':
      // The service answers 404 where there is no wallet.
      return walletParty === undefined || rights.allows('act-as', walletParty)
    case 'validator-operator':
      return isOperator(principal, operatorParty)
    default:
      return rule.parties(input).every((party) => rights.allows(rule.rule, party))
  }
}

function isOperator({ rights, user }: Principal, operatorParty: string): boolean {
  return (
    rights.isAdmin && user.primaryParty === operatorParty && rights.allows('act-as', operatorParty)
  )
}

/** The parties for which a rule asks what the caller may do. */
function partiesOf(rule: AccessRule, input: WireInput): readonly string[] {
  if ('parties' in rule) return rule.parties(input)
  return 'filters' in rule ? rule.filters(input).parties : []
}

function mayRead(rights: RightSet, { parties, anyParty }: ReadFilters): boolean {
  return (
    parties.every((party) => rights.allows('read-as', party)) &&
    (!anyParty || rights.has('CanReadAsAnyParty'))
  )
}

function forbidden(reason: string): Decision {
  return { allowed: false, cause: 'forbidden', reason }
}
