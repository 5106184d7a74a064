// Readers of functions, applications, bindings and cases. What an archive nests only because its
// encoding has it so becomes one expression, without recursion. Field numbers are those of the
// public archive format.
import { MalformedArchive } from '../archive/message.ts'
import type { Message } from '../archive/message.ts'
import type { Alternative, Between, Binding, Expression, Pattern } from '../program/expressions.ts'
import type { Type, TypeParameter } from '../program/types.ts'
import { indexIn, LOCATION, readBinder } from './reading.ts'
import type { Binder, Reader, Reading } from './reading.ts'

const fields = {
  application: 15,
  types: 16,
  abstraction: 17,
  typeAbstraction: 18,
  let: 20,
} as const

export const flowReaders: Readonly<Record<number, Reader>> = {
  [fields.application]: (reading, message) =>
    readApplication(reading, { field: fields.application, message }),
  [fields.types]: (reading, message) => readApplication(reading, { field: fields.types, message }),
  [fields.abstraction]: (reading, message) =>
    readAbstraction(reading, { field: fields.abstraction, message }),
  [fields.typeAbstraction]: (reading, message) =>
    readAbstraction(reading, { field: fields.typeAbstraction, message }),
  19: (reading, message) => ({
    kind: 'case',
    scrutinee: reading.read(message.message(1)),
    alternatives: message.messages(2).map((each) => readAlternative(reading, each)),
  }),
  [fields.let]: readLet,
}

/** An expression's kind, and the message of that kind. */
interface Step {
  readonly field: number
  readonly message: Message
}

/** The steps from an expression along one part while they are of these kinds, and the rest. */
function stepsOf(
  reading: Reading,
  first: Step,
  kinds: readonly number[],
  part: number,
): readonly [steps: Step[], rest: Message] {
  const steps = [first]
  let rest = reading.resolve(first.message.message(part))
  for (let field = rest.only(LOCATION); kinds.includes(field); field = rest.only(LOCATION)) {
    const message = rest.message(field)
    steps.push({ field, message })
    rest = reading.resolve(message.message(part))
  }
  return [steps, rest]
}

function readApplication(reading: Reading, first: Step): Expression {
  const [steps, head] = stepsOf(reading, first, [fields.application, fields.types], 1)
  const applied = reading.read(head)
  const args: Expression[] = []
  const types: Between<Type>[] = []
  for (const { field, message } of steps.toReversed()) {
    const given = message.messages(2)
    if (given.length === 0) throw new MalformedArchive('An application has no arguments')
    if (field === fields.types)
      types.push({
        before: args.length,
        types: given.map((type) => reading.typeReader.type(type)),
      })
    else args.push(...given.map((each) => reading.read(each)))
  }
  if (args.length > 0) return { kind: 'application', function: applied, arguments: args, types }
  return {
    kind: 'typeApplication',
    expression: applied,
    types: types.flatMap((between) => between.types),
  }
}

function readAbstraction(reading: Reading, first: Step): Expression {
  const [steps, body] = stepsOf(reading, first, [fields.abstraction, fields.typeAbstraction], 2)
  const outer: TypeParameter[] = []
  const parameters: Binder[] = []
  const typeParameters: Between<TypeParameter>[] = []
  for (const { field, message } of steps) {
    const given = message.messages(1)
    if (given.length === 0) throw new MalformedArchive('A function has no parameters')
    if (field === fields.abstraction)
      parameters.push(...given.map((each) => readBinder(reading, each)))
    else if (parameters.length === 0) outer.push(...reading.typeReader.parameters(given))
    else
      typeParameters.push({
        before: parameters.length,
        types: reading.typeReader.parameters(given),
      })
  }
  const inner: Expression =
    parameters.length === 0
      ? reading.read(body)
      : {
          kind: 'abstraction',
          typeParameters,
          ...reading.closure(parameters, () => reading.read(body)),
        }
  return outer.length === 0 ? inner : { kind: 'typeAbstraction', parameters: outer, body: inner }
}

function readLet(reading: Reading, message: Message): Expression {
  const [steps, rest] = stepsOf(reading, { field: fields.let, message }, [fields.let], 2)
  const bindings = steps.flatMap((step) => readBindings(reading, step.message))
  const body = reading.read(rest)
  reading.frame.unbind(bindings.length)
  return { kind: 'let', bindings, body }
}

/** The bindings of a block, each in scope of the next; the frame keeps them. */
export function readBindings(reading: Reading, block: Message): Binding[] {
  const bindings = block.messages(1)
  if (bindings.length === 0) throw new MalformedArchive('A block binds nothing')
  return bindings.map((binding) => readBinding(reading, binding))
}

/** The frame keeps what it binds. */
export function readBinding(reading: Reading, message: Message): Binding {
  const bound = reading.read(message.message(2))
  const { name, type } = readBinder(reading, message.message(1))
  return { slot: reading.frame.bind(name), type, bound }
}

function readAlternative(reading: Reading, message: Message): Alternative {
  const [pattern, slots] = readPattern(reading, message)
  const body = reading.read(message.message(1))
  reading.frame.unbind(slots)
  return { pattern, body }
}

const plain: Readonly<Record<number, Pattern>> = {
  2: { kind: 'any' },
  5: { kind: 'nil' },
  7: { kind: 'none' },
}

const builtins: readonly Pattern[] = [
  { kind: 'unit' },
  { kind: 'bool', value: false },
  { kind: 'bool', value: true },
]

/** A pattern, and how many slots it binds. */
function readPattern(
  reading: Reading,
  message: Message,
): readonly [pattern: Pattern, slots: number] {
  const field = message.only(1)
  const known = field === 4 ? builtins[message.number(4)] : plain[field]
  if (known !== undefined) return [known, 0]
  const inner = message.message(field)
  const bind = (part: number): number =>
    reading.frame.bind(reading.names.identifier(inner.number(part)))
  if (field === 6) {
    if (inner.number(1) === inner.number(2))
      throw new MalformedArchive('A pattern binds a name twice')
    return [{ kind: 'cons', head: bind(1), tail: bind(2) }, 2]
  }
  if (field === 8) return [{ kind: 'some', slot: bind(1) }, 1]
  if (field !== 3 && field !== 9) throw new MalformedArchive(`Unknown pattern ${field}`)
  const kind = field === 3 ? 'variant' : 'enum'
  const reference = reading.reference(inner.message(1))
  const name = reading.names.identifier(inner.number(2))
  const constructor = indexIn(reading.dataType(reference), kind, name)
  return kind === 'variant'
    ? [{ kind, reference, constructor, slot: bind(3) }, 1]
    : [{ kind, reference, constructor }, 0]
}
