// Readers of literals, of data, and of values that carry their type. Field numbers are those of the
// public archive format.
import { MalformedArchive } from '../archive/message.ts'
import type { Message } from '../archive/message.ts'
import type { Expression, FailureCategory, Literal } from '../program/expressions.ts'
import type { ConstructorType, Type } from '../program/types.ts'
import { indexIn } from './reading.ts'
import type { Reader, Reading } from './reading.ts'

const NUMERIC = /^([+-]?)(\d{1,38})\.(\d{0,37})$/
const NUMERIC_LIMIT = 10n ** 38n
/** 0001-01-01 to 9999-12-31, as days and as microseconds since 1970-01-01. */
const DAYS = { first: -719_162, last: 2_932_896 }
const MICROSECONDS = { first: -62_135_596_800_000_000n, last: 253_402_300_799_999_999n }

const failureCategories: readonly FailureCategory[] = [
  'InvalidIndependentOfSystemState',
  'InvalidGivenCurrentSystemStateOther',
]

export const dataReaders: Readonly<Record<number, Reader>> = {
  6: readLiteral,
  7: readRecord,
  8: (reading, message) => {
    const type = reading.typeReader.constructorType(message.message(1))
    const field = indexOf(reading, type, 'record', message.number(4))
    return { kind: 'recordField', type, field, record: reading.read(message.message(3)) }
  },
  9: (reading, message) => {
    const type = reading.typeReader.constructorType(message.message(1))
    return {
      kind: 'recordUpdate',
      type,
      field: indexOf(reading, type, 'record', message.number(2)),
      record: reading.read(message.message(3)),
      value: reading.read(message.message(4)),
    }
  },
  10: (reading, message) => {
    const type = reading.typeReader.constructorType(message.message(1))
    const constructor = indexOf(reading, type, 'variant', message.number(2))
    return { kind: 'variant', type, constructor, argument: reading.read(message.message(3)) }
  },
  11: (reading, message) => {
    const type = reading.types.constructorType(reading.reference(message.message(1)))
    return { kind: 'enum', type, constructor: indexOf(reading, type, 'enum', message.number(2)) }
  },
  12: readStruct,
  13: (reading, message) => ({
    kind: 'structField',
    field: reading.names.identifier(message.number(1)),
    struct: reading.read(message.message(2)),
  }),
  14: (reading, message) => ({
    kind: 'structUpdate',
    field: reading.names.identifier(message.number(1)),
    struct: reading.read(message.message(2)),
    value: reading.read(message.message(3)),
  }),
  21: (reading, message) => ({ kind: 'nil', type: typeOf(reading, message) }),
  22: (reading, message) => ({
    kind: 'cons',
    type: typeOf(reading, message),
    front: message.messages(2).map((element) => reading.read(element)),
    tail: reading.read(message.message(3)),
  }),
  25: (reading, message) => ({ kind: 'none', type: typeOf(reading, message) }),
  26: (reading, message) => ({ kind: 'some', ...typedValue(reading, message) }),
  27: (reading, message) => ({ kind: 'toAny', ...typedValue(reading, message) }),
  28: (reading, message) => ({ kind: 'fromAny', ...typedValue(reading, message) }),
  29: (reading, message) => ({ kind: 'typeRep', type: reading.typeReader.type(message) }),
  30: (reading, message) => ({
    kind: 'toAnyException',
    type: exceptionType(reading, message.message(1)),
    value: reading.read(message.message(2)),
  }),
  31: (reading, message) => ({
    kind: 'fromAnyException',
    type: exceptionType(reading, message.message(1)),
    value: reading.read(message.message(2)),
  }),
  32: (reading, message) => ({
    kind: 'throw',
    returns: typeOf(reading, message),
    type: exceptionType(reading, message.message(2)),
    value: reading.read(message.message(3)),
  }),
}

function typeOf(reading: Reading, message: Message): Type {
  return reading.typeReader.type(message.message(1))
}

function typedValue(
  reading: Reading,
  message: Message,
): { readonly type: Type; readonly value: Expression } {
  return { type: typeOf(reading, message), value: reading.read(message.message(2)) }
}

function exceptionType(reading: Reading, message: Message): ConstructorType {
  const type = reading.typeReader.type(message)
  if (type.kind !== 'constructor') throw new MalformedArchive('An exception is no type of its own')
  return type
}

function indexOf(
  reading: Reading,
  { reference }: ConstructorType,
  kind: 'record' | 'variant' | 'enum',
  name: number,
): number {
  return indexIn(reading.dataType(reference), kind, reading.names.identifier(name))
}

function readRecord(reading: Reading, message: Message): Expression {
  const type = reading.typeReader.constructorType(message.message(1))
  const { shape } = reading.dataType(type.reference)
  const fields = message.messages(2)
  const isWhole =
    shape.kind === 'record' &&
    shape.fields.length === fields.length &&
    fields.every(
      (field, index) => reading.names.identifier(field.number(3)) === shape.fields[index]?.name,
    )
  if (!isWhole) {
    const { module, name } = type.reference
    throw new MalformedArchive(`A record has other fields than ${module}:${name} (rule ExpRecCon)`)
  }
  return { kind: 'record', type, fields: fields.map((field) => reading.read(field.message(2))) }
}

function readStruct(reading: Reading, message: Message): Expression {
  const fields = message.messages(1)
  const names = fields.map((field) => reading.names.identifier(field.number(3)))
  const shape = reading.types.shape(names)
  return {
    kind: 'struct',
    shape,
    fields: fields.map((field, at) => ({
      index: shape.indexes.get(names[at] ?? '') ?? 0,
      value: reading.read(field.message(2)),
    })),
  }
}

function readLiteral(reading: Reading, message: Message): Literal {
  const field = message.only()
  if (field === 1) return { kind: 'int64', value: message.int64(1) }
  if (field === 2) return { kind: 'timestamp', value: within(MICROSECONDS, message.fixed64(2)) }
  if (field === 3) return readNumeric(reading.names.text(message.number(3)))
  if (field === 4) return { kind: 'text', value: reading.names.text(message.number(4)) }
  if (field === 5) return { kind: 'date', value: within(DAYS, message.number(5)) }
  const value = field === 6 ? failureCategories[message.number(6)] : undefined
  if (value === undefined) throw new MalformedArchive(`Unknown literal ${field}`)
  return { kind: 'failureCategory', value }
}

function within<T extends bigint | number>(range: { first: T; last: T }, value: T): T {
  if (value < range.first || value > range.last)
    throw new MalformedArchive(`${value} is no time of the years 1 to 9999`)
  return value
}

function readNumeric(text: string): Literal {
  const [, sign = '', whole = '', fraction = ''] = NUMERIC.exec(text) ?? []
  const digits = BigInt(`0${whole}${fraction}`)
  if (whole === '' || digits >= NUMERIC_LIMIT)
    throw new MalformedArchive(`Invalid numeric ${JSON.stringify(text.slice(0, 100))}`)
  return { kind: 'numeric', value: sign === '-' ? -digits : digits, scale: fraction.length }
}
