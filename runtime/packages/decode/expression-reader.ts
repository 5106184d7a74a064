// Reads the code of one package. docs/decisions/0056
import { MalformedArchive } from '../archive/message.ts'
import type { Budget, Message, Table, Values } from '../archive/message.ts'
import type { Names } from '../archive/names.ts'
import { builtinFunctions, functionVersions } from '../program/builtin-functions.ts'
import type { DataDefinition } from '../program/definitions.ts'
import type { Closure, Expression } from '../program/expressions.ts'
import type { Types } from '../program/type-table.ts'
import type { Reference } from '../program/types.ts'
import { dataReaders } from './data-readers.ts'
import { demandVersion } from './demand-version.ts'
import { flowReaders } from './flow-readers.ts'
import { Frame } from './frame.ts'
import { interfaceReaders } from './interface-readers.ts'
import { LOCATION } from './reading.ts'
import type { Binder, Reader, Reading } from './reading.ts'
import type { TypeReader, TypeScope } from './type-reader.ts'
import { updateReaders } from './update-readers.ts'

/** Fields of an expression that are numbers, and the one that holds a name. */
const fields = { variable: 2, value: 3, builtin: 4, constructor: 5, interned: 44 } as const

const readers: Readonly<Record<number, Reader>> = {
  [fields.value]: (reading, message) => ({ kind: 'value', reference: reading.reference(message) }),
  ...dataReaders,
  ...flowReaders,
  ...interfaceReaders,
  ...updateReaders,
}

const constructors: readonly Expression[] = [
  { kind: 'unit' },
  { kind: 'bool', value: false },
  { kind: 'bool', value: true },
]

/** Surroundings of the code of a package. */
export interface CodeScope extends TypeScope {
  readonly typeReader: TypeReader
  /** The cost that all code together may have. */
  readonly work: Budget
  /** Values of the messages of the code that is being read. */
  readonly values: Values
  /** The table of expressions that occur several times. */
  readonly expressions: Table
  dataType(reference: Reference): DataDefinition
}

/** Reads one piece of code. */
export class ExpressionReader implements Reading {
  readonly #scope: CodeScope
  #frame: Frame | undefined

  constructor(scope: CodeScope) {
    this.#scope = scope
  }

  get names(): Names {
    return this.#scope.names
  }

  get types(): Types {
    return this.#scope.types
  }

  get typeReader(): TypeReader {
    return this.#scope.typeReader
  }

  get frame(): Frame {
    return (this.#frame ??= new Frame())
  }

  reference(message: Message): Reference {
    return this.#scope.reference(message)
  }

  dataType(reference: Reference): DataDefinition {
    return this.#scope.dataType(reference)
  }

  read(message: Message): Expression {
    this.#scope.nesting.enter()
    const expression = this.#read(this.resolve(message))
    this.#scope.nesting.leave()
    return expression
  }

  resolve(message: Message): Message {
    let resolved = message
    while (resolved.only(LOCATION) === fields.interned) {
      const index = resolved.number(fields.interned)
      resolved = this.#scope.expressions.message(index, resolved.source)
    }
    return resolved
  }

  closure(parameters: readonly Binder[], body: () => Expression): Closure {
    const outer = this.#frame
    const frame = new Frame(outer)
    for (const { name } of parameters) frame.bind(name)
    this.#frame = frame
    const read = body()
    this.#frame = outer
    return {
      parameters: parameters.map(({ type }) => type),
      slots: frame.size,
      body: read,
      captures: frame.captures,
    }
  }

  #read(message: Message): Expression {
    const field = message.only(LOCATION)
    if (field === fields.variable) return this.#variable(message.number(field))
    if (field === fields.builtin) return builtin(message.number(field), this.#scope.languageVersion)
    const reader = readers[field]
    if (reader !== undefined) return reader(this, message.message(field))
    const constructor =
      field === fields.constructor ? constructors[message.number(field)] : undefined
    if (constructor !== undefined) return constructor
    throw new MalformedArchive(`Expression ${field} is not supported (rule language version)`)
  }

  #variable(index: number): Expression {
    const name = this.names.identifier(index)
    const variable = this.frame.variable(name)
    if (variable === undefined) throw new MalformedArchive(`Nothing binds ${name} (rule ExpVar)`)
    return variable
  }
}

function builtin(number: number, languageVersion: string): Expression {
  const name = builtinFunctions.get(number)
  if (name === undefined)
    throw new MalformedArchive(
      `Builtin function ${number} is not supported (rule language version)`,
    )
  const since = functionVersions.get(name)
  if (since !== undefined) demandVersion(languageVersion, since, `The function ${name}`)
  return { kind: 'builtin', name }
}
