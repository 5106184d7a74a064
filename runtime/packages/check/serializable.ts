// Which types the ledger can keep.
import type { DataDefinition, Program } from '../program/definitions.ts'
import { describeType } from '../program/type-text.ts'
import type { Type } from '../program/types.ts'

const PLAIN = new Set<string>([
  'Unit',
  'Bool',
  'Int64',
  'Date',
  'Timestamp',
  'Party',
  'Text',
  'AnyException',
])
const CONTAINERS = new Map<string, number>([
  ['Optional', 1],
  ['List', 1],
  ['TextMap', 1],
  ['GenMap', 2],
])

type Lookup = Pick<Program, 'dataType'>

/** The part of a type that no contract can hold; undefined where all of it can be held. */
export function unserializablePart(
  program: Lookup,
  type: Type,
  variables: ReadonlySet<string> = new Set(),
): string | undefined {
  if (type.kind === 'variable' && type.arguments.length === 0 && variables.has(type.name))
    return undefined
  if (type.kind !== 'builtin' && type.kind !== 'constructor') return describeType(type)
  const isHeld =
    type.kind === 'builtin' ? isBuiltin(type) : program.dataType(type.reference).serializable
  if (!isHeld) return describeType(type)
  if (type.kind === 'builtin' && !CONTAINERS.has(type.name)) return undefined
  return firstPart(program, type.arguments, variables)
}

function firstPart(
  program: Lookup,
  types: readonly Type[],
  variables: ReadonlySet<string>,
): string | undefined {
  for (const type of types) {
    const part = unserializablePart(program, type, variables)
    if (part !== undefined) return part
  }
  return undefined
}

function isBuiltin({ name, arguments: args }: Extract<Type, { kind: 'builtin' }>): boolean {
  if (name === 'ContractId') return args.length === 1
  if (name === 'Numeric') return args[0]?.kind === 'nat'
  return PLAIN.has(name) || CONTAINERS.get(name) === args.length
}

/** Why a data type that says so cannot be kept; undefined where it can be. */
export function unserializableData(
  program: Lookup,
  { parameters, shape }: DataDefinition,
): string | undefined {
  const higher = parameters.find(({ kind }) => kind.kind !== 'star')
  if (higher !== undefined) return `its parameter ${higher.name} is no type`
  if (shape.kind === 'interface') return 'it is an interface'
  if (shape.kind !== 'record' && shape.constructors.length === 0) return 'it has no values'
  if (shape.kind === 'enum') return undefined
  const fields = shape.kind === 'record' ? shape.fields : shape.constructors
  const part = firstPart(
    program,
    fields.map(({ type }) => type),
    new Set(parameters.map(({ name }) => name)),
  )
  return part && `it holds ${part}`
}
