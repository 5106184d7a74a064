// The tables of a package: its texts, dotted names and types are stored once and named by number
// everywhere else.
import { decodeText, MalformedArchive, Message } from '../../packages/archive/message.ts'
import type { Budget } from '../../packages/archive/message.ts'
import type { LfType } from './summary.ts'

const NAME = /^[A-Za-z$_][A-Za-z0-9$_]{0,999}$/
const PACKAGE_ID = /^[A-Za-z0-9\-_ ]{1,64}$/
const MAX_TYPE_DEPTH = 100
const MAX_TYPE_NODES = 4096

/** Builtin names by number; other numbers are `BUILTIN_<number>`. */
const builtins: readonly (string | undefined)[] = [
  'UNIT',
  'BOOL',
  'INT64',
  'DATE',
  'TIMESTAMP',
  'NUMERIC',
  'PARTY',
  'TEXT',
  'CONTRACT_ID',
  'OPTIONAL',
  'LIST',
  'GENMAP',
  undefined,
  'ANY',
  'ANY_EXCEPTION',
  'TYPE_REP',
  'ARROW',
  'UPDATE',
  'FAILURE_CATEGORY',
  'TEXTMAP',
]

/** Field numbers of the tables in a package. */
const tables = { strings: 2, dottedNames: 3, types: 5, imports: 9 } as const

interface SizedType {
  readonly type: LfType
  readonly nodes: number
  readonly depth: number
}

/**
 * The tables of one package; every method throws MalformedArchive for numbers that name nothing.
 */
export class Interned {
  readonly budget: Budget
  readonly imports: readonly string[]
  readonly #strings: readonly Uint8Array[]
  readonly #dottedNames: readonly Uint8Array[]
  readonly #types: readonly Uint8Array[]
  readonly #texts = new Map<number, string>()
  readonly #names = new Map<number, string>()
  readonly #sizedTypes = new Map<number, SizedType>()

  constructor(lfPackage: Message, budget: Budget) {
    this.budget = budget
    this.#strings = lfPackage.all(tables.strings)
    this.#dottedNames = lfPackage.all(tables.dottedNames)
    this.#types = lfPackage.all(tables.types)
    this.imports = new Message(lfPackage.bytes(tables.imports), budget)
      .all(1)
      .map((id) => packageIdOf(decodeText(id)))
  }

  text(index: number): string {
    const known = this.#texts.get(index)
    if (known !== undefined) return known
    const text = decodeText(entry(this.#strings, index, 'text'))
    this.#texts.set(index, text)
    return text
  }

  /** A field, choice, constructor or variable. */
  identifier(index: number): string {
    const text = this.text(index)
    if (!NAME.test(text))
      throw new MalformedArchive(`Invalid name ${JSON.stringify(text.slice(0, 100))}`)
    return text
  }

  packageId(index: number): string {
    return packageIdOf(this.text(index))
  }

  importedPackageId(index: number): string {
    const id = this.imports[index]
    if (id === undefined) throw new MalformedArchive(`There is no imported package ${index}`)
    return id
  }

  dottedName(index: number): string {
    const known = this.#names.get(index)
    if (known !== undefined) return known
    const segments = new Message(
      entry(this.#dottedNames, index, 'dotted name'),
      this.budget,
    ).numbers(1, this.budget)
    if (segments.length === 0) throw new MalformedArchive(`Dotted name ${index} is empty`)
    const name = segments.map((segment) => this.identifier(segment)).join('.')
    this.#names.set(index, name)
    return name
  }

  /** A type that a definition holds. */
  type(bytes: Uint8Array | undefined): LfType {
    if (bytes === undefined) throw new MalformedArchive('A definition lacks its type')
    const { type, nodes } = this.#read(bytes, this.#types.length, 0)
    this.budget.spend(nodes)
    return type
  }

  /** A reference to a type constructor, as the type without arguments. */
  constructorReference(bytes: Uint8Array): LfType {
    return { kind: 'constructor', ...this.#reference(bytes), arguments: [] }
  }

  /** `below`: only interned types before this one may be named, so that there are no circles. */
  #read(bytes: Uint8Array, below: number, depth: number): SizedType {
    // A step into the table counts too, so a type of the table takes two.
    if (depth > 2 * MAX_TYPE_DEPTH) throw new MalformedArchive('A type is nested too deeply')
    const message = new Message(bytes, this.budget)
    const [field, ...others] = message.fields
    if (field === undefined || others.length > 0)
      throw new MalformedArchive('A type must be exactly one thing')
    if (field === 8) return this.#interned(message.number(8), below, depth)
    if (field === 6)
      return measured(
        { kind: 'number', name: String(message.number(6) / 2), package: '', arguments: [] },
        [],
      )
    if (field === 9) return this.#application(message.bytes(9), below, depth)
    return this.#composed(field, new Message(message.bytes(field), this.budget), below, depth)
  }

  #interned(index: number, below: number, depth: number): SizedType {
    if (index >= below) throw new MalformedArchive(`Type ${index} is used before it is defined`)
    const known = this.#sizedTypes.get(index)
    if (known !== undefined) return known
    const type = this.#read(entry(this.#types, index, 'type'), index, depth + 1)
    this.#sizedTypes.set(index, type)
    return type
  }

  #application(bytes: Uint8Array, below: number, depth: number): SizedType {
    const message = new Message(bytes, this.budget)
    const [left, right] = [1, 2].map((side) => this.#read(message.bytes(side), below, depth + 1))
    if (left === undefined || right === undefined)
      throw new MalformedArchive('A type application lacks a side')
    const type = { ...left.type, arguments: [...left.type.arguments, right.type] }
    return measured(type, [left, right])
  }

  #composed(field: number, message: Message, below: number, depth: number): SizedType {
    const read = (bytes: Uint8Array): SizedType => this.#read(bytes, below, depth + 1)
    if (field === 4) return this.#forall(message, read)
    if (field === 5) return this.#struct(message, read)
    const parts = message.all(2).map(read)
    const types = parts.map((part) => part.type)
    if (field === 1)
      return measured(
        {
          kind: 'variable',
          name: this.identifier(message.number(3)),
          package: '',
          arguments: types,
        },
        parts,
      )
    if (field === 3)
      return measured(
        { kind: 'builtin', name: builtinName(message.number(1)), package: '', arguments: types },
        parts,
      )
    const kind = field === 2 ? 'constructor' : field === 7 ? 'synonym' : undefined
    if (kind === undefined) throw new MalformedArchive(`Unknown type ${field}`)
    return measured({ kind, ...this.#reference(message.bytes(1)), arguments: types }, parts)
  }

  #forall(message: Message, read: (bytes: Uint8Array) => SizedType): SizedType {
    const body = read(message.bytes(2))
    const name = this.variables(message.all(1)).join(' ')
    return measured({ kind: 'forall', name, package: '', arguments: [body.type] }, [body])
  }

  #struct(message: Message, read: (bytes: Uint8Array) => SizedType): SizedType {
    const fields = message.all(1).map((field) => new Message(field, this.budget))
    const parts = fields.map((field) => read(field.bytes(2)))
    const name = fields.map((field) => this.identifier(field.number(3))).join(' ')
    return measured(
      { kind: 'struct', name, package: '', arguments: parts.map((part) => part.type) },
      parts,
    )
  }

  /** The names of binders with a kind. */
  variables(binders: readonly Uint8Array[]): string[] {
    return binders.map((binder) => this.identifier(new Message(binder, this.budget).number(3)))
  }

  #reference(bytes: Uint8Array): Pick<LfType, 'name' | 'package'> {
    const message = new Message(bytes, this.budget)
    const module = new Message(message.bytes(1), this.budget)
    const name = `${this.dottedName(module.number(2))}:${this.dottedName(message.number(2))}`
    return { name, package: this.#packageOf(new Message(module.bytes(1), this.budget)) }
  }

  #packageOf(reference: Message): string {
    const [text, index] = [reference.optionalNumber(3), reference.optionalNumber(4)]
    if (text !== undefined) return this.packageId(text)
    return index === undefined ? '' : this.importedPackageId(index)
  }
}

function packageIdOf(text: string): string {
  if (!PACKAGE_ID.test(text))
    throw new MalformedArchive(`Invalid package id ${JSON.stringify(text.slice(0, 100))}`)
  return text
}

function entry(table: readonly Uint8Array[], index: number, what: string): Uint8Array {
  const bytes = table[index]
  if (bytes === undefined) throw new MalformedArchive(`There is no ${what} ${index}`)
  return bytes
}

function measured(type: LfType, parts: readonly SizedType[]): SizedType {
  const nodes = parts.reduce((sum, part) => sum + part.nodes, 1)
  const depth = parts.reduce((deepest, part) => Math.max(deepest, part.depth), 0) + 1
  if (nodes > MAX_TYPE_NODES) throw new MalformedArchive('A type is too large')
  if (depth > MAX_TYPE_DEPTH) throw new MalformedArchive('A type is nested too deeply')
  return { type, nodes, depth }
}

function builtinName(number: number): string {
  return builtins[number] ?? `BUILTIN_${number}`
}
