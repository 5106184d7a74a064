// Readers of expressions about interfaces. Field numbers are those of the public archive format.
import type { Message } from '../archive/message.ts'
import type { Expression } from '../program/expressions.ts'
import type { Reader, Reading } from './reading.ts'

export const interfaceReaders: Readonly<Record<number, Reader>> = {
  33: (reading, message) => conversion(reading, message, 'toInterface'),
  34: (reading, message) => conversion(reading, message, 'fromInterface'),
  35: (reading, message) => ({
    kind: 'callInterface',
    interface: reading.reference(message.message(1)),
    method: reading.names.identifier(message.number(2)),
    value: reading.read(message.message(3)),
  }),
  36: (reading, message) => question(reading, message, 'interfaceSignatories'),
  37: (reading, message) => question(reading, message, 'interfaceObservers'),
  38: (reading, message) => question(reading, message, 'interfaceView'),
  39: (reading, message) => ({
    kind: 'unsafeFromInterface',
    interface: reading.reference(message.message(1)),
    template: reading.reference(message.message(2)),
    contractId: reading.read(message.message(3)),
    value: reading.read(message.message(4)),
  }),
  40: (reading, message) => question(reading, message, 'interfaceTypeRep'),
  41: (reading, message) => requirement(reading, message, 'toRequiredInterface'),
  42: (reading, message) => requirement(reading, message, 'fromRequiredInterface'),
  43: (reading, message) => ({
    kind: 'unsafeFromRequiredInterface',
    required: reading.reference(message.message(1)),
    requiring: reading.reference(message.message(2)),
    contractId: reading.read(message.message(3)),
    value: reading.read(message.message(4)),
  }),
}

function conversion(
  reading: Reading,
  message: Message,
  kind: 'toInterface' | 'fromInterface',
): Expression {
  return {
    kind,
    interface: reading.reference(message.message(1)),
    template: reading.reference(message.message(2)),
    value: reading.read(message.message(3)),
  }
}

function requirement(
  reading: Reading,
  message: Message,
  kind: 'toRequiredInterface' | 'fromRequiredInterface',
): Expression {
  return {
    kind,
    required: reading.reference(message.message(1)),
    requiring: reading.reference(message.message(2)),
    value: reading.read(message.message(3)),
  }
}

function question(
  reading: Reading,
  message: Message,
  kind: 'interfaceSignatories' | 'interfaceObservers' | 'interfaceView' | 'interfaceTypeRep',
): Expression {
  return {
    kind,
    interface: reading.reference(message.message(1)),
    value: reading.read(message.message(2)),
  }
}
