// Which packages a package refers to, anywhere: in types and deep in expressions, and which of its
// own modules refer to each other. The walk goes over the bytes once, into the fields that can lead
// to a reference and past all others. It keeps a stack of its own (archives come from outside) and
// lets others run in between.
import { setImmediate } from 'node:timers/promises'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import type { Interned } from './interned.ts'
import { MalformedArchive, read, unsigned, widthOf } from '../archive/message.ts'

/**
 * Each message that can hold a reference: the kind of message in each of its fields that can. Field
 * numbers of the public format.
 */
const reach = {
  Package: { 1: 'Module', 5: 'Type', 7: 'Expr' },
  Module: {
    3: 'DefTypeSyn',
    4: 'DefDataType',
    5: 'DefValue',
    6: 'DefTemplate',
    7: 'DefException',
    8: 'DefInterface',
  },
  ModuleId: {},
  /** A place in the source says nothing of what its code refers to. */
  Origin: {},
  Location: { 1: 'Origin' },
  Constructor: { 1: 'ModuleId' },
  DefTypeSyn: { 1: 'Location', 4: 'Type' },
  DefDataType: { 1: 'Location', 5: 'Fields', 6: 'Fields' },
  Fields: { 1: 'Typed' },
  /** A name with a type, as fields and binders have. */
  Typed: { 2: 'Type' },
  DefValue: { 1: 'Location', 2: 'Typed', 3: 'Expr' },
  DefTemplate: {
    3: 'Expr',
    4: 'Expr',
    6: 'Choice',
    7: 'Expr',
    8: 'Location',
    9: 'Key',
    10: 'Implements',
  },
  Key: { 1: 'Type', 3: 'Expr', 4: 'Expr' },
  Implements: { 1: 'Constructor', 2: 'InstanceBody', 3: 'Location' },
  InstanceBody: { 1: 'Named', 2: 'Expr' },
  /** A name with an expression in field 2. */
  Named: { 2: 'Expr' },
  Choice: { 1: 'Location', 4: 'Expr', 5: 'Expr', 6: 'Typed', 8: 'Type', 9: 'Expr', 1001: 'Expr' },
  DefException: { 2: 'Location', 3: 'Expr' },
  DefInterface: { 1: 'Location', 3: 'Method', 5: 'Choice', 6: 'Type', 7: 'Constructor' },
  Method: { 1: 'Location', 3: 'Type' },
  Type: {
    1: 'Arguments',
    2: 'Applied',
    3: 'Arguments',
    4: 'Typed',
    5: 'Fields',
    7: 'Applied',
    8: 'Type',
    9: 'TwoTypes',
  },
  Arguments: { 2: 'Type' },
  Applied: { 1: 'Constructor', 2: 'Type' },
  TwoTypes: { 1: 'Type', 2: 'Type' },
  Expr: {
    1: 'Location',
    3: 'Constructor',
    7: 'Construction',
    8: 'Projection',
    9: 'RecordUpdate',
    10: 'VariantCon',
    11: 'Constructor1',
    12: 'StructCon',
    13: 'Named',
    14: 'StructUpdate',
    15: 'TwoExprs',
    16: 'ExprTypes',
    17: 'Abstraction',
    18: 'Named',
    19: 'Case',
    20: 'Block',
    21: 'TypeOnly',
    22: 'TypeExprs',
    23: 'Update',
    25: 'TypeOnly',
    26: 'TypeExprs',
    27: 'TypeExprs',
    28: 'TypeExprs',
    29: 'Type',
    30: 'TypeExprs',
    31: 'TypeExprs',
    32: 'TwoTypesExpr',
    33: 'TwoConstructorsExprs',
    34: 'TwoConstructorsExprs',
    35: 'ConstructorExprs',
    36: 'ConstructorExprs',
    37: 'ConstructorExprs',
    38: 'ConstructorExprs',
    39: 'TwoConstructorsExprs',
    40: 'ConstructorExprs',
    41: 'TwoConstructorsExprs',
    42: 'TwoConstructorsExprs',
    43: 'TwoConstructorsExprs',
    1001: 'ConstructorExprs',
    1002: 'ConstructorExprs',
    9999: 'Typed',
  },
  Construction: { 1: 'Applied', 2: 'Named' },
  Projection: { 1: 'Applied', 3: 'Expr' },
  RecordUpdate: { 1: 'Applied', 3: 'Expr', 4: 'Expr' },
  VariantCon: { 1: 'Applied', 3: 'Expr' },
  Constructor1: { 1: 'Constructor' },
  StructCon: { 1: 'Named' },
  StructUpdate: { 2: 'Expr', 3: 'Expr' },
  TwoExprs: { 1: 'Expr', 2: 'Expr' },
  ExprTypes: { 1: 'Expr', 2: 'Type' },
  Abstraction: { 1: 'Typed', 2: 'Expr' },
  Case: { 1: 'Expr', 2: 'Alternative' },
  Alternative: { 1: 'Expr', 3: 'Constructor1', 9: 'Constructor1' },
  Block: { 1: 'Binding', 2: 'Expr' },
  Binding: { 1: 'Typed', 2: 'Expr' },
  TypeOnly: { 1: 'Type' },
  TypeExprs: { 1: 'Type', 2: 'Expr', 3: 'Expr' },
  TwoTypesExpr: { 1: 'Type', 2: 'Type', 3: 'Expr' },
  ConstructorExprs: { 1: 'Constructor', 2: 'Expr', 3: 'Expr', 4: 'Expr', 5: 'Expr' },
  TwoConstructorsExprs: { 1: 'Constructor', 2: 'Constructor', 3: 'Expr', 4: 'Expr' },
  Update: {
    1: 'TypeExprs',
    2: 'Block',
    3: 'ConstructorExprs',
    4: 'ConstructorExprs',
    5: 'ConstructorExprs',
    7: 'TypeExprs',
    8: 'Constructor1',
    9: 'Constructor1',
    10: 'ConstructorExprs',
    11: 'TryCatch',
    12: 'ConstructorExprs',
    13: 'ConstructorExprs',
    14: 'ConstructorExprs',
    15: 'Expr',
    16: 'Constructor1',
  },
  TryCatch: { 1: 'Type', 2: 'Expr', 4: 'Expr' },
} as const

/** Numbers that name an entry of a package's tables, or the module itself, by kind of message. */
const numbers: Readonly<Record<string, number>> = { Module: 1, Type: 8, Expr: 44 }

/** Where the fields of a kind of message lead. */
interface Ways {
  readonly kind: string
  /** The field with a number of `numbers`; 0 without one. */
  readonly number: number
  readonly fields: Map<number, Ways>
}

const ways = new Map<string, Ways>(
  Object.keys(reach).map((kind) => [kind, { kind, number: numbers[kind] ?? 0, fields: new Map() }]),
)
for (const [kind, fields] of Object.entries(reach))
  for (const [field, to] of Object.entries(fields)) {
    const next = ways.get(to)
    if (next !== undefined) ways.get(kind)?.fields.set(Number(field), next)
  }

const FIELDS_PER_TURN = 100_000

/** References of a package. */
export interface References {
  /** Ids of packages, sorted. */
  readonly packages: readonly string[]
  readonly parts: Parts
}

/** Everything that the package with these bytes refers to. Throws MalformedArchive. */
export async function packageReferences(
  lfPackage: Uint8Array,
  interned: Interned,
): Promise<References> {
  const walk = new Walk(lfPackage, interned)
  while (!read(() => walk.isOver(FIELDS_PER_TURN))) await setImmediate()
  return { packages: [...walk.packages].sort(), parts: walk.parts }
}

/** Kinds of references within a package. */
const [MODULE, TYPE, EXPRESSION, KINDS] = [0, 1, 2, 3] as const

/** A module or an entry of a table, with its references: `number * KINDS + kind`. */
interface Part {
  /** Number of the module's name. */
  name: number
  readonly to: number[]
}

/** A package's modules, types and expressions in their order. */
type Parts = readonly [modules: Part[], types: Part[], expressions: Part[]]

/** Modules and entries of tables by numbers, with the numbers that each refers to. */
export interface Graph {
  /** Names of the modules, which have the first numbers. */
  readonly modules: readonly string[]
  readonly size: number
  /** Reference `at` of a part; -1 to nothing of the package, undefined after the last. */
  target(part: number, at: number): number | undefined
}

/** Throws MalformedArchive for a module without a name. */
export function graphOf(parts: Parts, interned: Interned): Graph {
  const modules = parts[MODULE].map(({ name }) => interned.dottedName(name))
  const byName = new Map(modules.map((name, number) => [name, number]))
  const all = parts.flat()
  const first = [0, modules.length, modules.length + parts[TYPE].length, all.length] as const
  return {
    modules,
    size: all.length,
    target(part, at) {
      const key = all[part]?.to[at]
      if (key === undefined) return undefined
      const kind = key % KINDS
      const index = (key - kind) / KINDS
      if (kind === MODULE) return byName.get(interned.dottedName(index)) ?? -1
      const number = (first[kind] ?? 0) + index
      return number < (first[kind + 1] ?? 0) ? number : -1
    },
  }
}

/** A message that the walk is in. */
interface Inside {
  readonly way: Ways
  readonly end: number
}

/** Fields of a package whose messages are parts of it. */
const partFields: ReadonlyMap<number, number> = new Map([
  [1, MODULE],
  [5, TYPE],
  [7, EXPRESSION],
])

/** The way through a package's bytes: the messages that it is in, each within the one before. */
class Walk {
  readonly packages: Set<string>
  readonly parts: Parts = [[], [], []]
  readonly #bytes: Uint8Array
  readonly #interned: Interned
  readonly #reader: BinaryReader
  readonly #around: Inside[] = []
  #inside: Inside | undefined
  #part: Part = { name: 0, to: [] }

  constructor(bytes: Uint8Array, interned: Interned) {
    this.#bytes = bytes
    this.#interned = interned
    this.packages = new Set(interned.imports)
    this.#reader = new BinaryReader(bytes)
    const way = ways.get('Package')
    this.#inside = way && { way, end: bytes.length }
  }

  /** Goes on for so many fields. */
  isOver(fields: number): boolean {
    for (let left = fields; left > 0; left -= 1) {
      while (this.#inside !== undefined && this.#reader.pos === this.#inside.end)
        this.#inside = this.#around.pop()
      if (this.#inside === undefined) return true
      this.#pass(this.#inside)
    }
    return false
  }

  #pass(inside: Inside): void {
    const { way } = inside
    const [bytes, reader] = [this.#bytes, this.#reader]
    const tag = unsigned(bytes, reader)
    const field = tag >>> 3
    if ((tag & 7) === WireType.Varint) {
      const value = unsigned(bytes, reader)
      if (field === way.number) this.#name(way.kind, value)
    } else {
      const end = widthOf(tag & 7, bytes, reader) + reader.pos
      const next = end > inside.end ? undefined : way.fields.get(field)
      if (next === undefined) reader.pos = end
      else if (next.kind === 'ModuleId' || next.kind === 'Origin') this.#module(next.kind, end)
      else this.#enter(inside, field, { way: next, end })
    }
    if (reader.pos > inside.end || field === 0) throw new MalformedArchive('A message is cut short')
  }

  #enter(inside: Inside, field: number, next: Inside): void {
    this.#around.push(inside)
    this.#inside = next
    const kind = inside.way.kind === 'Package' ? partFields.get(field) : undefined
    if (kind === undefined) return
    this.#part = { name: 0, to: [] }
    this.parts[kind]?.push(this.#part)
  }

  #name(kind: string, value: number): void {
    if (kind === 'Module') this.#part.name = value
    else this.#part.to.push(value * KINDS + (kind === 'Type' ? TYPE : EXPRESSION))
  }

  /** Reads the whole of a module's name; its fields may come in any order. */
  #module(kind: string, end: number): void {
    const [bytes, reader] = [this.#bytes, this.#reader]
    let [isOwn, name] = [true, 0]
    while (reader.pos < end) {
      const tag = unsigned(bytes, reader)
      if ((tag & 7) === WireType.Varint) {
        const value = unsigned(bytes, reader)
        if (tag >>> 3 === 2) name = value
      } else {
        const inner = widthOf(tag & 7, bytes, reader) + reader.pos
        if (tag >>> 3 === 1 && inner <= end) isOwn = this.#isOwn(inner)
        else reader.pos = inner
      }
    }
    this.#demandEnd(end)
    if (isOwn && kind === 'ModuleId') this.#part.to.push(name * KINDS + MODULE)
  }

  /** Reads a package's name. */
  #isOwn(end: number): boolean {
    const [bytes, reader] = [this.#bytes, this.#reader]
    let isOwn = true
    while (reader.pos < end) {
      const tag = unsigned(bytes, reader)
      if ((tag & 7) === WireType.Varint) {
        this.packages.add(referred(this.#interned, tag >>> 3, reader.int32()))
        isOwn = false
      } else reader.pos = widthOf(tag & 7, bytes, reader) + reader.pos
    }
    this.#demandEnd(end)
    return isOwn
  }

  #demandEnd(end: number): void {
    if (this.#reader.pos !== end) throw new MalformedArchive('A message is cut short')
  }
}

function referred(interned: Interned, field: number, index: number): string {
  if (field === 3) return interned.packageId(index)
  if (field === 4) return interned.importedPackageId(index)
  throw new MalformedArchive('A reference names no package')
}
