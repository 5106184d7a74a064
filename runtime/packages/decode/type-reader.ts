// Types and kinds of one package, from the tables that hold them. docs/decisions/0056
import { MalformedArchive } from '../archive/message.ts'
import type { Message, Table } from '../archive/message.ts'
import type { Names } from '../archive/names.ts'
import { builtinTypes } from '../program/builtin-types.ts'
import type { BuiltinTypeName } from '../program/builtin-types.ts'
import { arrowKind, NAT, STAR } from '../program/type-table.ts'
import type { Types } from '../program/type-table.ts'
import type { ConstructorType, Kind, Reference, Type, TypeParameter } from '../program/types.ts'
import { demandVersion } from './demand-version.ts'
import type { Nesting } from './nesting.ts'

/** Field numbers of the tables in a package. */
const tables = { types: 5, kinds: 6 } as const
const MAX_SCALE = 37n

/** Surroundings of the types of a package. */
export interface TypeScope {
  readonly languageVersion: string
  readonly names: Names
  readonly types: Types
  readonly nesting: Nesting
  /** The name that a message holds. */
  reference(message: Message): Reference
  /** The type behind a synonym. */
  expand(synonym: Reference, args: readonly Type[]): Type
}

/** Reads types; every method throws MalformedArchive. */
export class TypeReader {
  readonly #scope: TypeScope
  readonly #typeTable: Table
  readonly #kindTable: Table
  readonly #known = new Map<number, Type>()

  constructor(lfPackage: Message, scope: TypeScope) {
    this.#scope = scope
    this.#typeTable = lfPackage.table(tables.types)
    this.#kindTable = lfPackage.table(tables.kinds)
  }

  type(message: Message): Type {
    return this.#type(message, this.#typeTable.length)
  }

  /** The type of a message that applies a constructor. */
  constructorType(message: Message): ConstructorType {
    return this.#scope.types.constructorType(
      this.#scope.reference(message.message(1)),
      message.messages(2).map((part) => this.type(part)),
    )
  }

  parameters(messages: readonly Message[]): TypeParameter[] {
    return messages.map((message) => ({
      name: this.#scope.names.identifier(message.number(3)),
      kind: this.#kind(message.message(2), this.#kindTable.length),
    }))
  }

  /** `below`: only types of the table before this one may be named; there are no circles. */
  #type(message: Message, below: number): Type {
    const field = message.only()
    if (field === 8) return this.#interned(message.number(8), below)
    if (field === 6) return this.#nat(message.int64(6))
    this.#scope.nesting.enter()
    const type = this.#composed(field, message.message(field), (part) => this.#type(part, below))
    this.#scope.nesting.leave()
    return type
  }

  #composed(field: number, message: Message, read: (part: Message) => Type): Type {
    if (field === 4) return this.#forall(message, read)
    if (field === 5) return this.#struct(message, read)
    if (field === 9) {
      demandVersion(this.#scope.languageVersion, '2.2', 'A type applied to one type')
      return this.#scope.types.apply(read(message.message(1)), [read(message.message(2))])
    }
    return this.#applied(field, message, message.messages(2).map(read))
  }

  #interned(index: number, below: number): Type {
    if (index >= below) throw new MalformedArchive(`Type ${index} is used before it is defined`)
    const known = this.#known.get(index)
    if (known !== undefined) return known
    const type = this.#type(this.#typeTable.message(index), index)
    this.#known.set(index, type)
    return type
  }

  #nat(value: bigint): Type {
    if (value < 0n || value > MAX_SCALE)
      throw new MalformedArchive(`${value} is no scale of a numeric`)
    return this.#scope.types.nat(Number(value))
  }

  #forall(message: Message, read: (part: Message) => Type): Type {
    const parameters = this.parameters(message.messages(1))
    return parameters.reduceRight(
      (body, parameter) => this.#scope.types.forall(parameter, body),
      read(message.message(2)),
    )
  }

  #struct(message: Message, read: (part: Message) => Type): Type {
    const { names, types } = this.#scope
    const messages = message.messages(1)
    const fields = new Map(
      messages.map((field) => [names.identifier(field.number(3)), read(field.message(2))]),
    )
    if (fields.size < messages.length) throw new MalformedArchive('A struct has a field twice')
    const shape = types.shape([...fields.keys()])
    return types.struct(
      shape,
      shape.names.flatMap((name) => fields.get(name) ?? []),
    )
  }

  #applied(field: number, message: Message, args: readonly Type[]): Type {
    const { names, types } = this.#scope
    if (field === 1) return types.variable(names.identifier(message.number(3)), args)
    if (field === 2) return types.constructorType(this.#scope.reference(message.message(1)), args)
    if (field === 3) return types.builtin(builtinOf(message.number(1)), ...args)
    if (field === 7) return this.#scope.expand(this.#scope.reference(message.message(1)), args)
    throw new MalformedArchive(`Unknown type ${field}`)
  }

  #kind(message: Message, below: number): Kind {
    const field = message.only()
    if (field === 1) return STAR
    if (field === 3) return NAT
    this.#scope.nesting.enter()
    const kind =
      field === 2
        ? this.#arrow(message.message(2), below)
        : this.#internedKind(message.number(4), below)
    this.#scope.nesting.leave()
    return kind
  }

  #internedKind(index: number, below: number): Kind {
    if (index >= below) throw new MalformedArchive(`Kind ${index} is used before it is defined`)
    return this.#kind(this.#kindTable.message(index), index)
  }

  #arrow(message: Message, below: number): Kind {
    return message
      .messages(1)
      .map((part) => this.#kind(part, below))
      .reduceRight(
        (to, parameter) => arrowKind(parameter, to),
        this.#kind(message.message(2), below),
      )
  }
}

function builtinOf(number: number): BuiltinTypeName {
  const name = builtinTypes.get(number)
  if (name === undefined) throw new MalformedArchive(`Unknown builtin type ${number}`)
  return name
}
