// What a field can hold, and how often. A message is described by a table of its members, which
// says both how it is read and how it is written.
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { snakeCase } from '../../errors/text.ts'
import { member } from '../../host/member.ts'
import { Fields, MalformedMessage, newReading } from './fields.ts'
import type { Reading, Wire } from './fields.ts'

const MAX_INT32 = 0x7fff_ffffn
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** One value of a field. `decode` throws MalformedMessage for a value of another kind. */
export interface Kind<T> {
  readonly wireType: WireType
  decode(value: Wire, field: number, reading: Reading): T
  encode(writer: BinaryWriter, value: T): void
}

/** All values of a field: how many there may be, and what they make. */
export interface Field<T> {
  read(fields: Fields, field: number, reading: Reading, name: string): T
  write(writer: BinaryWriter, field: number, value: T): void
}

/** The number of a member, and what is there. */
export type Member<T> = readonly [field: number, of: Field<T>]

/** Type of a kind's values. */
export type Of<K> = K extends Kind<infer T> ? T : never

/** A message as its bytes. */
export function encoded<T>(kind: Kind<T>, value: T): Uint8Array {
  const writer = new BinaryWriter()
  kind.encode(writer, value)
  // A message is written with its length, which bytes that stand alone do not have.
  const reader = new BinaryReader(writer.finish())
  return reader.bytes()
}

/** Message that bytes are; throws where they are none of that kind. */
export function decoded<T>(kind: Kind<T>, bytes: Uint8Array): T {
  return kind.decode(bytes, 0, newReading())
}

/** Another form of a kind's values. */
export function mapped<T, U>(kind: Kind<T>, from: (value: T) => U, to: (value: U) => T): Kind<U> {
  return {
    wireType: kind.wireType,
    decode: (value, field, reading) => from(kind.decode(value, field, reading)),
    encode: (writer, value) => kind.encode(writer, to(value)),
  }
}

/** Values for which a check does not throw. */
export function checked<T>(kind: Kind<T>, check: (value: T) => void): Kind<T> {
  const pass = (value: T): T => {
    check(value)
    return value
  }
  return mapped(kind, pass, (value) => value)
}

export const bytes: Kind<Uint8Array> = {
  wireType: WireType.LengthDelimited,
  decode: bytesOf,
  encode: (writer, value) => void writer.bytes(value),
}

export const text: Kind<string> = {
  wireType: WireType.LengthDelimited,
  decode: (value, field) => textOf(bytesOf(value, field)),
  encode: (writer, value) => void writer.string(value),
}

/** Not negative. */
export const int32: Kind<number> = {
  wireType: WireType.Varint,
  decode: int32Of,
  encode: (writer, value) => void writer.int32(value),
}

export const flag: Kind<boolean> = mapped(
  int32,
  (value) => value !== 0,
  (value) => Number(value),
)

/** Not negative. */
export const uint64: Kind<bigint> = {
  wireType: WireType.Varint,
  decode: numberOf,
  encode: (writer, value) => void writer.uint64(value),
}

/** Signed, in the form that has small numbers short. */
export const sint64: Kind<bigint> = {
  wireType: WireType.Varint,
  decode: (value, field) => {
    const number = numberOf(value, field)
    return BigInt.asIntN(64, (number >> 1n) ^ -(number & 1n))
  },
  encode: (writer, value) => void writer.sint64(value),
}

/** Signed, of eight bytes. */
export const sfixed64: Kind<bigint> = {
  wireType: WireType.Bit64,
  decode: (value, field) => BigInt.asIntN(64, numberOf(value, field)),
  encode: (writer, value) => void writer.sfixed64(value),
}

/** Names by their numbers. */
export function named<T extends string>(
  numbers: Readonly<Record<T, number>>,
  what: string,
): Kind<T> {
  const read = (number: number): T => {
    for (const name in numbers) if (numbers[name] === number) return name
    throw new MalformedMessage(`the ${what} ${number} is unknown`)
  }
  return mapped(int32, read, (name) => numbers[name])
}

/** Members by name; written in the order of their numbers, and read in that of the table. */
export function message<T extends object>(members: {
  readonly [K in keyof T]-?: Member<T[K]>
}): Kind<T>
export function message(members: object): Kind<unknown> {
  const entries: readonly (readonly [string, Member<unknown>])[] = Object.entries(members)
  const byNumber = entries.toSorted(([, [one]], [, [other]]) => one - other)
  return {
    wireType: WireType.LengthDelimited,
    decode: (value, field, reading) => {
      const fields = new Fields(bytesOf(value, field), reading)
      const read = entries.map(([name, [number, of]]) => [
        name,
        of.read(fields, number, reading, name),
      ])
      fields.done()
      return Object.fromEntries(read)
    },
    encode: (writer, value) => {
      writer.fork()
      for (const [name, [number, of]] of byNumber) of.write(writer, number, member(value, name))
      writer.join()
    },
  }
}

/** A message that has one member alone, as what that is. */
export function alone<T>(field: number, of: Field<T>): Kind<T> {
  return mapped(
    message<{ readonly it: T }>({ it: [field, of] }),
    ({ it }) => it,
    (it) => ({ it }),
  )
}

/** A message that is one of several things, told by its only field. */
export function oneOf<T extends { readonly kind: string }>(
  cases: {
    readonly [K in T['kind']]: readonly [field: number, of: Kind<Extract<T, { readonly kind: K }>>]
  },
  whenNone: string,
): Kind<T>
export function oneOf(cases: object, whenNone: string): Kind<{ readonly kind: string }> {
  const entries: readonly (readonly [
    string,
    readonly [number, Kind<{ readonly kind: string }>],
  ])[] = Object.entries(cases)
  const byKind = new Map(entries)
  const byNumber = new Map(entries.map(([, one]) => one))
  return {
    wireType: WireType.LengthDelimited,
    decode: (value, field, reading) => {
      const fields = new Fields(bytesOf(value, field), reading)
      const { next = 0 } = fields
      const kind = byNumber.get(next)
      if (kind === undefined) throw new MalformedMessage(whenNone)
      const found = required(kind).read(fields, next, reading, '')
      fields.done()
      return found
    },
    encode: (writer, value) => {
      const [number, kind] = byKind.get(value.kind) ?? []
      writer.fork()
      if (number !== undefined && kind !== undefined) required(kind).write(writer, number, value)
      writer.join()
    },
  }
}

/** There once. */
export function required<T>(kind: Kind<T>): Field<T> {
  return {
    read: (fields, field, reading, name) => {
      const [value] = fields.take(field, 1)
      if (value === undefined) throw new MalformedMessage(`it has no ${snakeCase(name)}`)
      return kind.decode(value, field, reading)
    },
    write: (writer, field, value) => kind.encode(writer.tag(field, kind.wireType), value),
  }
}

/** There once, or not at all. */
export function optional<T>(kind: Kind<T>): Field<T | undefined> {
  return {
    read: (fields, field, reading) => {
      const [value] = fields.take(field, 1)
      return value === undefined ? undefined : kind.decode(value, field, reading)
    },
    write: (writer, field, value) => {
      if (value !== undefined) required(kind).write(writer, field, value)
    },
  }
}

/** Left out where it is empty or zero, which is what its absence says. */
export function implicit<T>(kind: Kind<T>): Field<T> {
  const nothing = kind.wireType === WireType.LengthDelimited ? new Uint8Array() : 0n
  return {
    read: (fields, field, reading) => {
      const [value = nothing] = fields.take(field, 1)
      return kind.decode(value, field, reading)
    },
    write: (writer, field, value) => {
      const isEmpty = value instanceof Uint8Array ? value.length === 0 : !value
      if (!isEmpty) required(kind).write(writer, field, value)
    },
  }
}

export function repeated<T>(kind: Kind<T>, max?: number): Field<readonly T[]> {
  return {
    read: (fields, field, reading) =>
      fields.take(field, max).map((value) => kind.decode(value, field, reading)),
    write: (writer, field, values) => {
      for (const value of values) kind.encode(writer.tag(field, kind.wireType), value)
    },
  }
}

/** Numbers that stand together; each may also stand alone. */
export function packed<T>(kind: Kind<T>): Field<readonly T[]> {
  return {
    read: (fields, field, reading) =>
      fields
        .take(field)
        .flatMap((value) => (typeof value === 'bigint' ? [value] : unpacked(value)))
        .map((value) => kind.decode(value, field, reading)),
    write: (writer, field, values) => {
      writer.tag(field, WireType.LengthDelimited).fork()
      for (const value of values) kind.encode(writer, value)
      writer.join()
    },
  }
}

/** A mark in no bytes, which tells this message from others in the same place. */
export function always<T extends string>(value: T): Member<T> {
  return [0, { read: () => value, write: () => undefined }]
}

function unpacked(value: Uint8Array): readonly bigint[] {
  const reader = new BinaryReader(value)
  const numbers: bigint[] = []
  while (reader.pos < reader.len) numbers.push(BigInt(reader.uint64()))
  return numbers
}

function bytesOf(value: Wire, field: number): Uint8Array {
  if (typeof value === 'bigint') throw new MalformedMessage(`field ${field} is a number`)
  return value
}

function numberOf(value: Wire, field: number): bigint {
  if (typeof value !== 'bigint') throw new MalformedMessage(`field ${field} is not a number`)
  return value
}

function int32Of(value: Wire, field: number): number {
  const number = numberOf(value, field)
  if (number > MAX_INT32) throw new MalformedMessage(`field ${field} is out of range`)
  return Number(number)
}

/** No id and no stored text can have a NUL. */
function textOf(value: Uint8Array): string {
  const read = decoder.decode(value)
  if (read.includes('\0')) throw new MalformedMessage('a text has a NUL')
  return read
}
