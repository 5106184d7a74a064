// The definitions of one module, each read when it is asked for. Field numbers are those of the
// public archive format. docs/decisions/0056
import { MalformedArchive } from '../archive/message.ts'
import type { Message } from '../archive/message.ts'
import type {
  DataDefinition,
  DataShape,
  Definitions,
  ExceptionDefinition,
  Field,
  Module,
  ValueDefinition,
} from '../program/definitions.ts'
import { located } from '../program/malformed-definition.ts'
import type { Reference, SynonymDefinition } from '../program/types.ts'
import { byName } from './by-name.ts'
import { codeIn } from './code-reader.ts'
import type { CodeScope } from './expression-reader.ts'
import { once } from '../program/once.ts'
import { readInterface, readTemplate } from './template-reader.ts'

/** Surroundings of the modules of a package. */
export interface ModuleScope extends CodeScope {
  /** The name of something that the package defines. */
  own(module: string, name: string): Reference
}

/** Reads one definition. */
type Read<T> = (scope: ModuleScope, reference: Reference, message: Message) => T

export function readModule(scope: ModuleScope, message: Message): Module {
  const name = scope.names.dottedName(message.number(1))
  const flags = message.message(2)
  if ([1, 2, 3].some((flag) => flags.number(flag) !== 1))
    throw new MalformedArchive(`${name}: It has flags of language versions that are gone`)
  const all = <T>(
    field: number,
    nameOf: (definition: Message) => number,
    read: Read<T>,
  ): (() => Definitions<T>) =>
    once(() => readDefinitions(scope, name, message.messages(field), nameOf, read))
  const synonyms = all(3, (each) => each.number(2), readSynonym)
  const dataTypes = all(4, (each) => each.number(2), readDataType)
  const values = all(5, (each) => each.message(2).number(1), readValue)
  const templates = all(6, (each) => each.number(1), readTemplate)
  const exceptions = all(7, (each) => each.number(1), readException)
  const interfaces = all(8, (each) => each.number(2), readInterface)
  return {
    name,
    get synonyms() {
      return synonyms()
    },
    get dataTypes() {
      return dataTypes()
    },
    get values() {
      return values()
    },
    get templates() {
      return templates()
    },
    get exceptions() {
      return exceptions()
    },
    get interfaces() {
      return interfaces()
    },
  }
}

function readDefinitions<T>(
  scope: ModuleScope,
  module: string,
  messages: readonly Message[],
  nameOf: (definition: Message) => number,
  read: Read<T>,
): Definitions<T> {
  const named = byName(messages, (message) => scope.names.dottedName(nameOf(message)))
  const definitions = new Map<string, () => T>()
  for (const [name, message] of named) {
    const reference = scope.own(module, name)
    const make = (): T =>
      located(reference, () => scope.nesting.definition(() => read(scope, reference, message)))
    definitions.set(name, once(make))
  }
  return definitions
}

function readSynonym(
  scope: ModuleScope,
  reference: Reference,
  message: Message,
): SynonymDefinition {
  return {
    reference,
    parameters: scope.typeReader.parameters(message.messages(3)),
    type: scope.typeReader.type(message.message(4)),
  }
}

function readDataType(scope: ModuleScope, reference: Reference, message: Message): DataDefinition {
  return {
    reference,
    parameters: scope.typeReader.parameters(message.messages(3)),
    serializable: message.number(4) !== 0,
    shape: readShape(scope, message),
  }
}

const shapes = { record: 5, variant: 6, enum: 7, interface: 8 } as const

function readShape(scope: ModuleScope, message: Message): DataShape {
  const [field, another] = Object.values(shapes).filter((each) => message.has(each))
  if (field === undefined || another !== undefined)
    throw new MalformedArchive('A data type must be exactly one thing')
  if (field === shapes.interface) return { kind: 'interface' }
  const shape = message.message(field)
  if (field === shapes.enum) {
    const constructors = shape.numbers(2).map((name) => scope.names.identifier(name))
    return { kind: 'enum', constructors, indexes: indexesOf(constructors) }
  }
  const fields = shape.messages(1).map((each): Field => ({
    name: scope.names.identifier(each.number(3)),
    type: scope.typeReader.type(each.message(2)),
  }))
  const indexes = indexesOf(fields.map((each) => each.name))
  return field === shapes.record
    ? { kind: 'record', fields, indexes }
    : { kind: 'variant', constructors: fields, indexes }
}

function indexesOf(names: readonly string[]): ReadonlyMap<string, number> {
  byName(names, (name) => name)
  return new Map(names.map((name, index) => [name, index]))
}

function readValue(scope: ModuleScope, reference: Reference, message: Message): ValueDefinition {
  return {
    reference,
    type: scope.typeReader.type(message.message(2).message(2)),
    code: codeIn(scope, reference, message, 3),
  }
}

function readException(
  scope: ModuleScope,
  reference: Reference,
  message: Message,
): ExceptionDefinition {
  return { reference, message: codeIn(scope, reference, message, 3) }
}
