// What the readers of expressions share.
import { MalformedArchive } from '../archive/message.ts'
import type { Message } from '../archive/message.ts'
import type { Names } from '../archive/names.ts'
import type { DataDefinition } from '../program/definitions.ts'
import type { Closure, Expression } from '../program/expressions.ts'
import type { Types } from '../program/type-table.ts'
import type { Reference, Type } from '../program/types.ts'
import type { Frame } from './frame.ts'
import type { TypeReader } from './type-reader.ts'

/** A variable that something binds. */
export interface Binder {
  readonly name: string
  readonly type: Type
}

/** The state of reading one piece of code. */
export interface Reading {
  readonly names: Names
  readonly types: Types
  readonly typeReader: TypeReader
  /** The frame of the function that is read. */
  readonly frame: Frame
  reference(message: Message): Reference
  dataType(reference: Reference): DataDefinition
  read(message: Message): Expression
  /** The message itself, or that of the table which it names. */
  resolve(message: Message): Message
  /** Reads in a frame of its own. */
  closure(parameters: readonly Binder[], body: () => Expression): Closure
}

/** Gets the message of the expression's kind. */
export type Reader = (reading: Reading, message: Message) => Expression

/** Field number of an expression's location. */
export const LOCATION = 1

/** A variable with its type. */
export function readBinder(reading: Reading, message: Message): Binder {
  return {
    name: reading.names.identifier(message.number(3)),
    type: reading.typeReader.type(message.message(2)),
  }
}

/** The place of a field or constructor. Throws MalformedArchive. */
export function indexIn(
  { reference, shape }: DataDefinition,
  kind: 'record' | 'variant' | 'enum',
  name: string,
): number {
  const where = `${reference.module}:${reference.name}`
  if (shape.kind === 'interface' || shape.kind !== kind)
    throw new MalformedArchive(`${where} is no ${kind} (rule defined names)`)
  const index = shape.indexes.get(name)
  if (index === undefined)
    throw new MalformedArchive(`${where} has no ${name} (rule defined names)`)
  return index
}
