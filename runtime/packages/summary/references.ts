// Which packages a package refers to, anywhere: in types and deep in expressions. The walk follows
// only the fields that can lead to a reference, keeps its own stack (archives come from outside)
// and lets others run in between.
import { setImmediate } from 'node:timers/promises'
import { BinaryReader } from '@bufbuild/protobuf/wire'
import type { Interned } from './interned.ts'
import { MalformedArchive, NUMBER, scan } from '../archive/message.ts'

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
  ModuleId: { 1: 'PackageReference' },
  PackageReference: {},
  Location: { 1: 'ModuleId' },
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

type Kind = keyof typeof reach
type Follow = ReadonlyMap<number, Kind>

const follow = new Map<string, Follow>(
  Object.entries(reach).map(([kind, fields]) => [
    kind,
    new Map(Object.entries(fields).map(([field, next]) => [Number(field), next])),
  ]),
)
const NOTHING: Follow = new Map()
const FIELDS_PER_TURN = 100_000

interface Pending {
  readonly kind: Kind
  readonly start: number
  readonly end: number
}

/**
 * The ids of all packages that the package with these bytes refers to, sorted. Throws
 * MalformedArchive.
 */
export async function packageReferences(
  lfPackage: Uint8Array,
  interned: Interned,
): Promise<string[]> {
  const found = new Set<string>(interned.imports)
  const reader = new BinaryReader(lfPackage)
  const pending: Pending[] = [{ kind: 'Package', start: 0, end: lfPackage.length }]
  let visited = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    visited += visitMessage(reader, next, pending, (field, index) =>
      found.add(referred(interned, field, index)),
    )
    if (visited >= FIELDS_PER_TURN) {
      visited = 0
      await setImmediate()
    }
  }
  return [...found].sort()
}

/** Puts what the message leads to on the stack; the number of its fields. */
function visitMessage(
  reader: BinaryReader,
  message: Pending,
  pending: Pending[],
  refer: (field: number, index: number) => void,
): number {
  const ways = follow.get(message.kind) ?? NOTHING
  const isReference = message.kind === 'PackageReference'
  const values: number[] = []
  reader.pos = message.start
  scan(reader, message.end, values)
  for (let at = 0; at < values.length; at += 3) {
    const [field = 0, start = 0, end = NUMBER] = values.slice(at, at + 3)
    const kind = ways.get(field)
    if (end !== NUMBER && kind !== undefined) pending.push({ kind, start, end })
    else if (isReference && end === NUMBER) {
      reader.pos = start
      refer(field, reader.int32())
    }
  }
  return values.length / 3
}

function referred(interned: Interned, field: number, index: number): string {
  if (field === 3) return interned.packageId(index)
  if (field === 4) return interned.importedPackageId(index)
  throw new MalformedArchive('A reference names no package')
}
