// Reads `x-access` of an operation (docs/spec-conventions.md) into rules, once, when the interface
// is mounted.
import type { WireInput } from '../http/wire.ts'
import type { PartyRelation } from './rights.ts'

/** A place in the request whose texts a rule looks at. */
type Lookup = (input: WireInput) => readonly string[]

export type AccessRule =
  | {
      readonly rule:
        'admin' | 'idp-admin' | 'read-as-any-party' | 'wallet-user' | 'validator-operator'
    }
  /** `named-self` refuses the empty id, which `self` takes for the caller. */
  | { readonly rule: 'self' | 'named-self'; readonly ids: Lookup }
  | { readonly rule: 'read-format'; readonly filters: (input: WireInput) => ReadFilters }
  | { readonly rule: PartyRelation; readonly parties: Lookup }

/**
 * The parties that the event filters of a request name, and whether one of them is for any party.
 */
export interface ReadFilters {
  readonly parties: readonly string[]
  readonly anyParty: boolean
}

export interface Access {
  readonly tokenRequired: boolean
  /** Writes, submits or prepares: counts against the caller's quota, and needs a trusted clock. */
  readonly submits: boolean
  /** Says how the server is, and reads no database. */
  readonly probe: boolean
  /** A token whose subject is no user yet will do. */
  readonly admitsNewcomers: boolean
  /**
   * The name by which a deployment may close what is open to anybody: a token will then do, as one
   * of `subject` does.
   */
  readonly closable: string | undefined
  /** One must hold; empty: any authenticated user. */
  readonly anyOf: readonly AccessRule[]
  /** Every one must hold, besides. */
  readonly allOf: readonly AccessRule[]
  /**
   * The provider that the request names; `() => ['']` stands for the default one, undefined for
   * none concerned.
   */
  readonly provider: Lookup | undefined
  /** Kinds of rights whose presence in the request needs ParticipantAdmin. */
  readonly elevated:
    | { readonly kinds: (input: WireInput) => readonly string[]; readonly of: ReadonlySet<string> }
    | undefined
}

const PLAIN_RULES = [
  'admin',
  'idp-admin',
  'read-as-any-party',
  'wallet-user',
  'validator-operator',
] as const
const RELATIONS = ['act-as', 'read-as', 'execute-as', 'operate-as'] as const

/**
 * Throws an Error that names the operation and what it does not understand; a document with such a
 * fault is not served.
 */
export function readAccess(literal: unknown, operationId: string): Access {
  const problem = (what: string): Error => new Error(`x-access of ${operationId}: ${what}`)
  if (!isRecord(literal)) throw problem('is missing')
  const { token, closable, anyOf = [], allOf = [], provider, elevated } = literal
  const flag = (name: string): boolean => {
    const { [name]: value = false } = literal
    if (typeof value !== 'boolean') throw problem(`${name} is ${JSON.stringify(value)}`)
    return value
  }
  if (token !== 'none' && token !== 'subject' && token !== 'required')
    throw problem(`token is ${JSON.stringify(token)}`)
  if (!Array.isArray(anyOf) || !Array.isArray(allOf)) throw problem('anyOf or allOf is not a list')
  if (closable !== undefined && (typeof closable !== 'string' || token !== 'none'))
    throw problem('closable belongs to `token: none`')
  return {
    tokenRequired: token !== 'none',
    submits: flag('submits'),
    probe: flag('probe'),
    admitsNewcomers: token === 'subject',
    closable,
    anyOf: anyOf.map((rule: unknown) => readRule(rule, problem)),
    allOf: allOf.map((rule: unknown) => readRule(rule, problem)),
    provider: typeof provider === 'string' ? readProvider(provider, problem) : undefined,
    elevated: elevated === undefined ? undefined : readElevated(elevated, problem),
  }
}

function readRule(rule: unknown, problem: (what: string) => Error): AccessRule {
  const plain = PLAIN_RULES.find((name) => name === rule)
  if (plain !== undefined) return { rule: plain }
  const [entry] = isRecord(rule) ? Object.entries(rule) : []
  if (entry === undefined) throw problem(`unknown rule ${JSON.stringify(rule)}`)
  const [name, where] = entry
  if (name === 'self' || name === 'named-self')
    return { rule: name, ids: readLookup(where, problem) }
  if (name === 'read-format') {
    const values = readPlaces(where, problem)
    return { rule: name, filters: (input) => readFilters(values(input)) }
  }
  const relation = RELATIONS.find((known) => known === name)
  if (relation === undefined) throw problem(`unknown rule ${name}`)
  return { rule: relation, parties: readLookup(where, problem) }
}

/**
 * Collects every `filtersByParty` and `filtersForAnyParty` below the values. docs/ledger-rules.md,
 * "Formats and filters"
 */
function readFilters(value: unknown): ReadFilters {
  const parties: string[] = []
  return { anyParty: gatherParties(value, parties), parties }
}

/** True where a filter is for any party. A caller may name very many: nothing is made for each. */
function gatherParties(value: unknown, parties: string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  let anyParty = isRecord(value) && isRecord(value['filtersForAnyParty'])
  if (isRecord(value) && isRecord(value['filtersByParty']))
    for (const party of Object.keys(value['filtersByParty'])) parties.push(party)
  for (const below of Object.values(value)) anyParty = gatherParties(below, parties) || anyParty
  return anyParty
}

function readProvider(provider: string, problem: (what: string) => Error): Lookup | undefined {
  if (provider === 'none') return undefined
  return provider === 'default' ? () => [''] : readLookup(provider, problem)
}

function readElevated(
  elevated: unknown,
  problem: (what: string) => Error,
): NonNullable<Access['elevated']> {
  if (
    !isRecord(elevated) ||
    typeof elevated['kinds'] !== 'string' ||
    !Array.isArray(elevated['of'])
  ) {
    throw problem('elevated needs `kinds` and `of`')
  }
  if (elevated['needs'] !== 'admin') throw problem('elevated can need admin only')
  const values = readPath(elevated['kinds'], problem)
  return {
    kinds: (input) => values(input).flatMap(rightKinds),
    of: new Set(elevated['of'].map(String)),
  }
}

/**
 * The variant names of a right, or of a list of rights: `[{ kind: { CanActAs: … } }]` →
 * `['CanActAs']`.
 */
function rightKinds(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(rightKinds)
  return isRecord(value) && isRecord(value['kind']) ? Object.keys(value['kind']) : []
}

function readLookup(where: unknown, problem: (what: string) => Error): Lookup {
  const values = readPlaces(where, problem)
  return (input) => textsOf(values(input))
}

function textsOf(values: readonly unknown[]): readonly string[] {
  // A single text, such as an id in the path, is by far the most common.
  if (values.length === 1 && typeof values[0] === 'string') return [values[0]]
  return values.flat(4).filter((value) => typeof value === 'string')
}

/** One place or a list of places. */
function readPlaces(
  where: unknown,
  problem: (what: string) => Error,
): (input: WireInput) => readonly unknown[] {
  const places = (Array.isArray(where) ? where : [where]).map((place: unknown) => {
    if (typeof place !== 'string') throw problem(`unknown place ${JSON.stringify(place)}`)
    return readPath(place, problem)
  })
  const [only] = places
  if (only !== undefined && places.length === 1) return only
  return (input) => places.flatMap((values) => values(input))
}

function readPath(
  where: string,
  problem: (what: string) => Error,
): (input: WireInput) => readonly unknown[] {
  const [place, ...rest] = where.split('.')
  if (place !== 'path' && place !== 'query' && place !== 'body')
    throw problem(`unknown place ${where}`)
  const names = place === 'body' ? rest : [rest.join('.')]
  return (input) => {
    let found: unknown = input[place]
    for (const name of names) found = memberOf(found, name)
    return found === undefined ? [] : [found]
  }
}

/** A member of a value; of a list, the member of each item. */
function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => memberOf(item, name))
  return isRecord(value) ? value[name] : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
