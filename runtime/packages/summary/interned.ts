// The types of a package, which are stored once and named by number everywhere else, in the words
// of its summary.
import { MalformedArchive } from '../archive/message.ts'
import type { Budget, Message, Table } from '../archive/message.ts'
import { Names } from '../archive/names.ts'
import type { LfType } from './summary.ts'

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

/** Field number of the table of types in a package. */
const TYPES = 5

interface SizedType {
  readonly type: LfType
  readonly nodes: number
  readonly depth: number
}

/** Names and types of one package; every method throws MalformedArchive. */
export class Interned extends Names {
  readonly #budget: Budget
  readonly #types: Table
  readonly #sizedTypes = new Map<number, SizedType>()

  constructor(lfPackage: Message) {
    super(lfPackage)
    this.#budget = lfPackage.source.budget
    this.#types = lfPackage.table(TYPES)
  }

  /** A type that a definition holds. */
  type(message: Message): LfType {
    const { type, nodes } = this.#read(message, this.#types.length, 0)
    this.#budget.spend(nodes)
    return type
  }

  /** A reference to a type constructor, as the type without arguments. */
  constructorReference(message: Message): LfType {
    return { kind: 'constructor', ...this.#reference(message), arguments: [] }
  }

  /** The names of binders with a kind. */
  variables(binders: readonly Message[]): string[] {
    return binders.map((binder) => this.identifier(binder.number(3)))
  }

  /** `below`: only interned types before this one may be named, so that there are no circles. */
  #read(message: Message, below: number, depth: number): SizedType {
    // A step into the table counts too, so a type of the table takes two.
    if (depth > 2 * MAX_TYPE_DEPTH) throw new MalformedArchive('A type is nested too deeply')
    const field = message.only()
    if (field === 8) return this.#interned(message.number(8), below, depth)
    if (field === 6)
      return measured(
        { kind: 'number', name: String(message.number(6) / 2), package: '', arguments: [] },
        [],
      )
    const read = (part: Message): SizedType => this.#read(part, below, depth + 1)
    const inner = message.message(field)
    if (field === 4) return this.#forall(inner, read)
    if (field === 5) return this.#struct(inner, read)
    return field === 9
      ? application(read(inner.message(1)), read(inner.message(2)))
      : this.#applied(field, inner, read)
  }

  #interned(index: number, below: number, depth: number): SizedType {
    if (index >= below) throw new MalformedArchive(`Type ${index} is used before it is defined`)
    const known = this.#sizedTypes.get(index)
    if (known !== undefined) return known
    const message = this.#types.message(index)
    const type = this.#read(message, index, depth + 1)
    this.#sizedTypes.set(index, type)
    return type
  }

  #applied(field: number, message: Message, read: (part: Message) => SizedType): SizedType {
    const parts = message.messages(2).map(read)
    return measured(
      { ...this.#head(field, message), arguments: parts.map(({ type }) => type) },
      parts,
    )
  }

  #head(field: number, message: Message): Omit<LfType, 'arguments'> {
    if (field === 1)
      return { kind: 'variable', name: this.identifier(message.number(3)), package: '' }
    if (field === 3) return { kind: 'builtin', name: builtinName(message.number(1)), package: '' }
    const kind = field === 2 ? 'constructor' : field === 7 ? 'synonym' : undefined
    if (kind === undefined) throw new MalformedArchive(`Unknown type ${field}`)
    return { kind, ...this.#reference(message.message(1)) }
  }

  #forall(message: Message, read: (part: Message) => SizedType): SizedType {
    const body = read(message.message(2))
    const name = this.variables(message.messages(1)).join(' ')
    return measured({ kind: 'forall', name, package: '', arguments: [body.type] }, [body])
  }

  #struct(message: Message, read: (part: Message) => SizedType): SizedType {
    const fields = message.messages(1)
    const parts = fields.map((field) => read(field.message(2)))
    const name = fields.map((field) => this.identifier(field.number(3))).join(' ')
    return measured(
      { kind: 'struct', name, package: '', arguments: parts.map((part) => part.type) },
      parts,
    )
  }

  #reference(message: Message): Pick<LfType, 'name' | 'package'> {
    const { packageId, module, name } = this.qualified(message)
    return { name: `${module}:${name}`, package: packageId }
  }
}

function application(left: SizedType, right: SizedType): SizedType {
  const type = { ...left.type, arguments: [...left.type.arguments, right.type] }
  return measured(type, [left, right])
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
