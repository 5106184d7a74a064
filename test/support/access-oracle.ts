// What a caller may do by the documents' `x-access`, worked out a second time for tests: from
// docs/spec-conventions.md and docs/ledger-rules.md, "Rights", alone, without the
// service's code.
import { member } from '../../runtime/host/member.ts'

/** `open` is whatever the service answers once it has let the caller in. */
export type Verdict = 401 | 403 | 'open'

export interface KnownUser {
  readonly id: string
  readonly primaryParty: string
  /** '' is the default one. */
  readonly provider: string
  readonly isDeactivated: boolean
  /** The party of its wallet; absent without one. */
  readonly walletParty?: string
  /** `CanActAs <party>`, `ParticipantAdmin`. */
  readonly rights: ReadonlySet<string>
}

/**
 * `nobody`: no token, or one that is none; `stranger`: a good token of a subject that is no user.
 */
export type Who = 'nobody' | 'stranger' | KnownUser

export interface AskedFor {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Rules {
  readonly access: unknown
  /** The ledger interface refuses a refused user also where no token is needed. */
  readonly isLedger: boolean
  readonly operatorParty: string
  /** Parties of wallets, for which the operator acts without a right. */
  readonly wallets: readonly string[]
}

/** Rights that each relation to a party follows from; with `*`, to any party. */
const RELATIONS: Readonly<Record<string, readonly string[]>> = {
  'act-as': ['CanActAs'],
  'read-as': ['CanActAs', 'CanReadAs', 'CanReadAsAnyParty*'],
  'execute-as': ['CanActAs', 'CanExecuteAs', 'CanExecuteAsAnyParty*'],
  'operate-as': [
    'CanActAs',
    'CanReadAs',
    'CanExecuteAs',
    'CanReadAsAnyParty*',
    'CanExecuteAsAnyParty*',
  ],
}

export function verdict(rules: Rules, who: Who, request: AskedFor): Verdict {
  const token = member(rules.access, 'token')
  const isOpen = token === 'none'
  if (who === 'nobody') return isOpen ? 'open' : 401
  if (isOpen && !rules.isLedger) return 'open'
  if (who === 'stranger') return token === 'subject' ? 'open' : 403
  if (who.isDeactivated) return 403
  return isOpen || isAllowed(rules, withWallets(rules, who), request) ? 'open' : 403
}

function withWallets({ operatorParty, wallets }: Rules, user: KnownUser): KnownUser {
  if (!holdsPlain('validator-operator', operatorParty, user)) return user
  const acting = wallets.map((party) => `CanActAs ${party}`)
  return { ...user, rights: new Set([...user.rights, ...acting]) }
}

function isAllowed(rules: Rules, user: KnownUser, request: AskedFor): boolean {
  const { access } = rules
  const anyOf = listOf(member(access, 'anyOf'))
  return (
    reachesProvider(access, user, request) &&
    mayGrant(member(access, 'elevated'), user, request) &&
    (anyOf.length === 0 || anyOf.some((rule) => holds(rule, rules, user, request))) &&
    listOf(member(access, 'allOf')).every((rule) => holds(rule, rules, user, request))
  )
}

/** An admin of the default provider reaches every provider, everybody else the own one. */
function reachesProvider(access: unknown, user: KnownUser, request: AskedFor): boolean {
  const place = member(access, 'provider')
  if (place === undefined || place === 'none') return true
  if (user.provider === '' && user.rights.has('ParticipantAdmin')) return true
  return effectiveProvider(access, user, request) === user.provider
}

/**
 * The provider that a request means: an empty one is an admin's default, and the own of everybody
 * else. docs/ledger-rules.md, "Users"
 */
export function effectiveProvider(
  access: unknown,
  { provider, rights }: KnownUser,
  request: AskedFor,
): string {
  const place = member(access, 'provider')
  const named = place === 'default' ? '' : (textsAt(place, request)[0] ?? '')
  if (named !== '') return named
  return rights.has('ParticipantAdmin') ? '' : provider
}

function mayGrant(elevated: unknown, { rights }: KnownUser, request: AskedFor): boolean {
  if (elevated === undefined || rights.has('ParticipantAdmin')) return true
  const kinds = valuesAt(String(member(elevated, 'kinds')), request)
    .flat()
    .flatMap((right) => Object.keys(Object(member(right, 'kind'))))
  const forbidden = listOf(member(elevated, 'of'))
  return !kinds.some((kind) => forbidden.includes(kind))
}

function holds(
  rule: unknown,
  { operatorParty }: Rules,
  user: KnownUser,
  request: AskedFor,
): boolean {
  if (typeof rule === 'string') return holdsPlain(rule, operatorParty, user)
  const { rights, id } = user
  const [[name, places] = ['', '']] = Object.entries(Object(rule))
  if (name === 'self') return textsAt(places, request).every((text) => text === '' || text === id)
  if (name === 'named-self') return textsAt(places, request).includes(id)
  if (name === 'read-format')
    return mayReadFormat(
      JSON.stringify(listOf(places).map((place) => valuesAt(String(place), request))),
      rights,
    )
  return textsAt(places, request).every((party) => isRelated(name, party, rights))
}

function holdsPlain(
  rule: string,
  operatorParty: string,
  { rights, primaryParty, walletParty, provider }: KnownUser,
): boolean {
  const isAdmin = rights.has('ParticipantAdmin')
  const plain: Readonly<Record<string, boolean>> = {
    admin: isAdmin,
    'idp-admin': provider !== '' && rights.has('IdentityProviderAdmin'),
    'read-as-any-party': rights.has('CanReadAsAnyParty'),
    'wallet-user': walletParty === undefined || rights.has(`CanActAs ${walletParty}`),
    'validator-operator':
      isAdmin && primaryParty === operatorParty && rights.has(`CanActAs ${operatorParty}`),
  }
  const found = plain[rule]
  if (found === undefined) throw new Error(`unknown rule ${rule}`)
  return found
}

function isRelated(relation: string, party: string, rights: ReadonlySet<string>): boolean {
  const sources = RELATIONS[relation]
  if (sources === undefined) throw new Error(`unknown rule ${relation}`)
  return sources.some((source) =>
    rights.has(source.endsWith('*') ? source.slice(0, -1) : `${source} ${party}`),
  )
}

/** Reads every filter that the format's text has. */
function mayReadFormat(text: string, rights: ReadonlySet<string>): boolean {
  let isAllowed = true
  JSON.parse(text, (key: string, value: unknown) => {
    if (key === 'filtersForAnyParty' && value !== null)
      isAllowed &&= rights.has('CanReadAsAnyParty')
    if (key === 'filtersByParty')
      isAllowed &&= Object.keys(Object(value)).every((party) => isRelated('read-as', party, rights))
    return value
  })
  return isAllowed
}

function textsAt(places: unknown, request: AskedFor): string[] {
  return listOf(places)
    .flatMap((place) => valuesAt(String(place), request))
    .flat()
    .filter((value) => typeof value === 'string')
}

/** The value at `body.a.b`; of lists, the member of each item. */
export function valuesAt(place: string, request: AskedFor): unknown[] {
  const [part = '', ...names] = place.split('.')
  const start = [member(request, part)]
  return names
    .reduce<unknown[]>((values, name) => values.flat().map((value) => member(value, name)), start)
    .filter((value) => value !== undefined)
}

export function listOf(value: unknown): unknown[] {
  return value === undefined ? [] : [value].flat()
}
