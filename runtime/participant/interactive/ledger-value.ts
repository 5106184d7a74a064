// Ledger values with their types, as prepared transactions have them, made of their JSON form and
// turned back into it. Members of records are told by their place. docs/hashing.md §2
import type { Shape, Shaped } from '../../../generated/contract-codec.gen.ts'
import { decimal, int, time } from '../../../generated/contract-codec.gen.ts'
import { member } from '../../host/member.ts'
import type { WireWords } from './wire-words.ts'

const DAY_MS = 86_400_000

/** Values by their kind. */
interface Held {
  readonly unit: object
  readonly bool: boolean
  readonly int64: bigint
  /** Microseconds since 1970. */
  readonly timestamp: bigint
  readonly numeric: string
  /** Days since 1970. */
  readonly date: number
  readonly party: string
  readonly text: string
  readonly contractId: string
  readonly optional: LedgerValue | undefined
  readonly list: readonly LedgerValue[]
  readonly textMap: readonly { readonly key: string; readonly value: LedgerValue }[]
  readonly genMap: readonly { readonly key: LedgerValue; readonly value: LedgerValue }[]
  /** Labels are for readers. */
  readonly record: readonly { readonly label: string; readonly value: LedgerValue }[]
  readonly variant: { readonly constructor: string; readonly value: LedgerValue }
  readonly enum: string
}

export type LedgerValue = {
  [K in keyof Held]: { readonly kind: K; readonly value: Held[K] }
}[keyof Held]

/** A value is not of the type that it should have. */
export class UntypedValue extends Error {
  override readonly name = 'UntypedValue'
}

/** The template or choice that a value belongs to, and the words for its names. */
export interface Naming {
  readonly of: string
  readonly words: WireWords
}

/** The JSON form of a value with its types. Throws UntypedValue for another type's value. */
export function fromJson({ shape }: Shaped, json: unknown, naming: Naming): LedgerValue {
  const inner = (shaped: Shaped, value: unknown): LedgerValue => fromJson(shaped, value, naming)
  const { outward } = naming.words
  switch (shape.kind) {
    case 'unit':
      return { kind: 'unit', value: {} }
    case 'bool':
      return { kind: 'bool', value: json === true }
    case 'int':
      return { kind: 'int64', value: int.decode(json) }
    case 'decimal':
      return { kind: 'numeric', value: textOf(decimal.encode(decimal.decode(json))) }
    case 'time':
      return { kind: 'timestamp', value: time.decode(json) }
    case 'text':
    case 'party':
    case 'contractId':
    case 'numeric':
      return { kind: shape.kind, value: textOf(json) }
    case 'date':
      return { kind: 'date', value: daysOf(textOf(json)) }
    case 'optional':
      if (json === null) return { kind: 'optional', value: undefined }
      return {
        kind: 'optional',
        value: isOptional(shape.of) ? listed(shape.of, json, naming) : inner(shape.of, json),
      }
    case 'list':
      return { kind: 'list', value: listOf(json).map((item) => inner(shape.of, item)) }
    case 'textMap':
      return { kind: 'textMap', value: entriesOf(shape.of, json, naming) }
    case 'map':
      return {
        kind: 'genMap',
        value: listOf(json).map((entry) => {
          const [key, value] = listOf(entry)
          return { key: inner(shape.key, key), value: inner(shape.value, value) }
        }),
      }
    case 'record':
      return { kind: 'record', value: fieldsOf(shape, json, naming) }
    case 'variant': {
      const tag = textOf(member(json, 'tag'))
      const held = shape.cases.get(tag) ?? untyped()
      const constructor = outward.name(tag)
      return { kind: 'variant', value: { constructor, value: inner(held, member(json, 'value')) } }
    }
    case 'enum':
      return { kind: 'enum', value: outward.name(textOf(json)) }
  }
}

function isOptional({ shape }: Shaped): boolean {
  return shape.kind === 'optional'
}

/** An optional within another one, which is a list of at most one element. */
function listed({ shape }: Shaped, json: unknown, naming: Naming): LedgerValue {
  if (shape.kind !== 'optional') return untyped()
  const [held] = listOf(json).map((item) =>
    isOptional(shape.of) ? listed(shape.of, item, naming) : fromJson(shape.of, item, naming),
  )
  return { kind: 'optional', value: held }
}

/** The list that `listed` reads. */
function asList({ shape }: Shaped, value: LedgerValue, naming: Naming): unknown {
  if (shape.kind !== 'optional' || value.kind !== 'optional') return untyped()
  if (value.value === undefined) return []
  return [
    isOptional(shape.of)
      ? asList(shape.of, value.value, naming)
      : toJson(shape.of, value.value, naming),
  ]
}

/** A contract of an earlier version has no members that came later. */
function fieldsOf(
  { fields }: Extract<Shape, { kind: 'record' }>,
  json: unknown,
  naming: Naming,
): Held['record'] {
  return fields
    .filter(([name]) => member(json, name) !== undefined)
    .map(([name, of]) => ({
      label: naming.words.outward.field(name, naming.of),
      value: fromJson(of, member(json, name), naming),
    }))
}

function entriesOf(of: Shaped, json: unknown, naming: Naming): Held['textMap'] {
  if (typeof json !== 'object' || json === null) return untyped()
  const { outward } = naming.words
  return Object.entries(json)
    .map(([key, value]) => ({
      key: outward.field(key, naming.of),
      value: fromJson(of, value, naming),
    }))
    .sort((one, other) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)))
}

/** The JSON form of what `fromJson` made. Throws UntypedValue where the type is another. */
export function toJson({ shape }: Shaped, value: LedgerValue, naming: Naming): unknown {
  const inner = (shaped: Shaped, one: LedgerValue): unknown => toJson(shaped, one, naming)
  const { inward } = naming.words
  switch (shape.kind) {
    case 'unit':
      return value.kind === 'unit' ? {} : untyped()
    case 'bool':
      return value.kind === 'bool' ? value.value : untyped()
    case 'int':
      return value.kind === 'int64' ? int.encode(value.value) : untyped()
    case 'decimal':
      return value.kind === 'numeric' ? value.value : untyped()
    case 'time':
      return value.kind === 'timestamp' ? time.encode(value.value) : untyped()
    case 'text':
    case 'party':
    case 'contractId':
    case 'numeric':
      return value.kind === shape.kind ? value.value : untyped()
    case 'date':
      return value.kind === 'date' ? dateText(value.value) : untyped()
    case 'optional':
      if (value.kind !== 'optional') return untyped()
      if (value.value === undefined) return null
      return isOptional(shape.of)
        ? asList(shape.of, value.value, naming)
        : inner(shape.of, value.value)
    case 'list':
      return value.kind === 'list' ? value.value.map((one) => inner(shape.of, one)) : untyped()
    case 'textMap':
      if (value.kind !== 'textMap') return untyped()
      return Object.fromEntries(
        value.value.map((one) => [inward.field(one.key, naming.of), inner(shape.of, one.value)]),
      )
    case 'map':
      if (value.kind !== 'genMap') return untyped()
      return value.value.map((one) => [inner(shape.key, one.key), inner(shape.value, one.value)])
    case 'record':
      if (value.kind !== 'record' || value.value.length > shape.fields.length) return untyped()
      return Object.fromEntries(
        value.value.map(({ value: one }, at) => memberOf(shape.fields[at], one, naming)),
      )
    case 'variant':
      return value.kind === 'variant' ? variantOf(shape, value.value, naming) : untyped()
    case 'enum':
      return value.kind === 'enum' ? inward.name(value.value) : untyped()
  }
}

function memberOf(
  field: readonly [string, Shaped] | undefined,
  value: LedgerValue,
  naming: Naming,
): readonly [string, unknown] {
  const [name, of] = field ?? untyped()
  return [name, toJson(of, value, naming)]
}

function variantOf(
  { cases }: Extract<Shape, { kind: 'variant' }>,
  { constructor, value }: Held['variant'],
  naming: Naming,
): unknown {
  const tag = naming.words.inward.name(constructor)
  return { tag, value: toJson(cases.get(tag) ?? untyped(), value, naming) }
}

/** Messages have no days before 1970. */
function daysOf(date: string): number {
  const days = Date.parse(`${date}T00:00:00Z`) / DAY_MS
  return days >= 0 ? days : untyped()
}

function dateText(days: number): string {
  return new Date(days * DAY_MS).toISOString().slice(0, 10)
}

function textOf(json: unknown): string {
  return typeof json === 'string' ? json : untyped()
}

function listOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : untyped()
}

function untyped(): never {
  throw new UntypedValue('a value is not of its type')
}
