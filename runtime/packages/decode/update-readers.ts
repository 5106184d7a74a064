// Readers of updates. Field numbers are those of the public archive format.
import { MalformedArchive } from '../archive/message.ts'
import type { Message } from '../archive/message.ts'
import type { Binding, Closure, Expression } from '../program/expressions.ts'
import { readBinding, readBindings } from './flow-readers.ts'
import { LOCATION, readBinder } from './reading.ts'
import type { Reader, Reading } from './reading.ts'

const UPDATE = 23
const BLOCK = 2

const readers: Readonly<Record<number, Reader>> = {
  1: (reading, message) => ({
    kind: 'pure',
    type: reading.typeReader.type(message.message(1)),
    value: reading.read(message.message(2)),
  }),
  [BLOCK]: readBlock,
  3: (reading, message) => ({
    kind: 'create',
    template: reading.reference(message.message(1)),
    argument: reading.read(message.message(2)),
  }),
  4: (reading, message) => ({
    kind: 'exercise',
    template: reading.reference(message.message(1)),
    choice: reading.names.identifier(message.number(6)),
    contractId: reading.read(message.message(3)),
    argument: reading.read(message.message(5)),
  }),
  5: (reading, message) => ({
    kind: 'fetch',
    template: reading.reference(message.message(1)),
    contractId: reading.read(message.message(2)),
  }),
  6: () => ({ kind: 'getTime' }),
  7: (reading, message) => ({
    kind: 'embed',
    type: reading.typeReader.type(message.message(1)),
    code: suspended(reading, message.message(2)),
  }),
  11: readTryCatch,
  12: (reading, message) => ({
    kind: 'createInterface',
    interface: reading.reference(message.message(1)),
    argument: reading.read(message.message(2)),
  }),
  13: readExerciseInterface,
  14: (reading, message) => ({
    kind: 'fetchInterface',
    interface: reading.reference(message.message(1)),
    contractId: reading.read(message.message(2)),
  }),
  15: (reading, message) => ({ kind: 'ledgerTimeLessThan', time: reading.read(message) }),
}

export const updateReaders: Readonly<Record<number, Reader>> = {
  [UPDATE]: (reading, message) => {
    const field = message.only()
    const reader = readers[field]
    if (reader === undefined)
      throw new MalformedArchive(`Update ${field} is not supported (rule language version)`)
    return reader(reading, message.message(field))
  },
}

/** Blocks whose body is again a block are one. */
function readBlock(reading: Reading, message: Message): Expression {
  const [first, ...others] = message.messages(1)
  if (first === undefined) throw new MalformedArchive('A block binds nothing')
  const bound = reading.read(first.message(2))
  const binder = readBinder(reading, first.message(1))
  const then: Binding[] = []
  const block = reading.closure([binder], () => {
    then.push(...others.map((each) => readBinding(reading, each)))
    let rest = reading.resolve(message.message(2))
    for (let inner = blockIn(rest); inner !== undefined; inner = blockIn(rest)) {
      then.push(...readBindings(reading, inner))
      rest = reading.resolve(inner.message(2))
    }
    return reading.read(rest)
  })
  return { kind: 'bind', first: bound, then, block }
}

function blockIn(message: Message): Message | undefined {
  const update = message.only(LOCATION) === UPDATE ? message.message(UPDATE) : undefined
  return update?.optionalMessage(BLOCK)
}

function readTryCatch(reading: Reading, message: Message): Expression {
  const exception = {
    name: reading.names.identifier(message.number(3)),
    type: reading.types.builtin('AnyException'),
  }
  return {
    kind: 'tryCatch',
    type: reading.typeReader.type(message.message(1)),
    attempt: suspended(reading, message.message(2)),
    handler: reading.closure([exception], () => reading.read(message.message(4))),
  }
}

function readExerciseInterface(reading: Reading, message: Message): Expression {
  if (message.has(5)) throw new MalformedArchive('A guard is not supported (rule language version)')
  return {
    kind: 'exerciseInterface',
    interface: reading.reference(message.message(1)),
    choice: reading.names.identifier(message.number(2)),
    contractId: reading.read(message.message(3)),
    argument: reading.read(message.message(4)),
  }
}

function suspended(reading: Reading, message: Message): Closure {
  return reading.closure([], () => reading.read(message))
}
