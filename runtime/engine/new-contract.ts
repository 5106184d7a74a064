// Turns a payload into a contract record, with everything that its template derives from the
// payload.
import { contractIdOf } from './contract-id.ts'
import { invalid, violated } from './interrupt.ts'
import { demandLimits } from './limits.ts'
import { distinct, without } from './parties.ts'
import { longKey, MAX_KEY_BYTES, MAX_RANK } from '../store/commit-rules.ts'
import type { ContractRecord } from '../store/store.ts'
import type { ContractPlace, New, Template } from './template.ts'

/** The place in a transaction where a contract is created. */
interface Birth {
  readonly seed: string
  readonly node: number
  readonly createdAt: bigint
  /** The party whose network this ledger is of; undefined where it is of any. */
  readonly issuer: string | undefined
}

/**
 * The record of a new contract. Halts where it is of another network, its template's `ensure` does
 * not hold, or nobody signs.
 */
export function newContract<T>(
  template: Template<T>,
  payload: T,
  { seed, node, createdAt, issuer }: Birth,
): ContractRecord {
  const { type, rules } = template
  demandLimits(type.payload, payload, type.name)
  const isForeign =
    issuer !== undefined && rules.issuer !== undefined && rules.issuer(payload) !== issuer
  if (isForeign) throw violated(`${type.name} is of another network`)
  if (rules.ensure?.(payload) === false)
    throw violated(`The precondition of ${type.name} does not hold`)
  const { signatories, observers } = stakeholdersOf(template, payload)
  if (signatories.length === 0) throw violated(`${type.name} has no signatory`)
  const { id: templateId, packageName } = type
  const text = JSON.stringify(type.payload.encode(payload))
  const content = { templateId, packageName, payload: text, signatories, observers, createdAt }
  const contract = {
    contractId: contractIdOf(seed, node, content),
    ...content,
    ...placeOf(template, payload),
  }
  template.remember(contract, payload)
  return contract
}

/** By template type: the names of its optional fields. */
const OPTIONAL = new WeakMap<object, readonly string[]>()

/** The payload with null for every optional field that was left out. */
export function completed<T>(template: Template<T>, payload: New<T>): T
export function completed(
  { type }: Pick<Template<unknown>, 'type'>,
  payload: Readonly<Record<string, unknown>>,
): unknown {
  const names = OPTIONAL.get(type) ?? optionalFields(type)
  OPTIONAL.set(type, names)
  const missing = names.filter((name) => payload[name] === undefined)
  return missing.length === 0
    ? payload
    : { ...payload, ...Object.fromEntries(missing.map((name) => [name, null])) }
}

function optionalFields({ payload }: Template<unknown>['type']): readonly string[] {
  const fields = payload.shape?.fields ?? []
  return fields.flatMap(([name, { shape }]) => (shape.kind === 'optional' ? name : []))
}

/** Signatories and observers of a contract with this payload. */
export function stakeholdersOf<T>(
  { rules }: Template<T>,
  payload: T,
): Pick<ContractRecord, 'signatories' | 'observers'> {
  const signatories = distinct(rules.signatories(payload))
  return {
    signatories,
    observers: without(distinct(rules.observers?.(payload) ?? []), signatories),
  }
}

/** Halts where a key or the rank is none that a store takes. */
export function placeOf<T>({ type, rules }: Template<T>, payload: T): ContractPlace {
  const place = { key1: '', key2: '', key3: '', rank: rules.rank?.(payload) ?? 0n }
  const values: object = Object(rules.keys === undefined ? payload : rules.keys(payload))
  for (const [name, { column }] of Object.entries(type.keys)) {
    const given: unknown = Reflect.get(values, name)
    const value = String(given ?? '')
    if (longKey([value]) !== undefined)
      throw invalid(`Key ${name} of ${type.name} has more than ${MAX_KEY_BYTES} bytes`)
    place[column] = value
  }
  const { rank } = place
  if (rank < 0n)
    throw invalid(
      `${type.name} is ordered by ${rank}: times before 1970 and negative numbers are not taken`,
    )
  if (rank > MAX_RANK)
    throw invalid(`${type.name} is ordered by ${rank}, which has more than 38 digits`)
  return place
}
