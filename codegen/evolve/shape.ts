// The shape of a contract package as the lock keeps it: what a version's contracts and commands
// look like, in the words of contracts.yaml, with every type that they are made of. Descriptions
// and limits are no part of a shape.
import { typeNames } from '../contracts-ir.ts'
import type {
  ChoiceIr,
  ContractsIr,
  InterfaceTypeIr,
  MemberIr,
  ShapeIr,
  TemplateIr,
  TypeIr,
} from '../contracts-ir.ts'
import { compareText } from '../values.ts'

/** Names and type words, in order: it is the order in which they are written. */
export type Members = Readonly<Record<string, string>>

export type TypeShape =
  | { readonly record: Members }
  | { readonly variant: Members }
  | { readonly enum: readonly string[] }

interface ChoiceShape {
  readonly consuming: boolean
  readonly argument: string
  readonly result: string
}

export interface TemplateShape {
  readonly module: string
  readonly fields: Members
  readonly interfaces: readonly string[]
  readonly choices: Readonly<Record<string, ChoiceShape>>
}

export interface InterfaceShape {
  readonly module: string
  readonly view: string
  readonly choices: Readonly<Record<string, ChoiceShape>>
}

export interface PackageShape {
  readonly templates: Readonly<Record<string, TemplateShape>>
  readonly interfaces: Readonly<Record<string, InterfaceShape>>
  /** All that the words above lead to; payloads of templates among them, as records. */
  readonly types: Readonly<Record<string, TypeShape>>
}

/** The shape of each package as contracts.yaml has it now, by name. */
export function shapesOf(ir: ContractsIr): ReadonlyMap<string, PackageShape> {
  const known = shapesByName(ir)
  return new Map(ir.packages.map(({ name }) => [name, packageShape(ir, known, name)]))
}

/** Every type by its name, payloads of templates among them. */
export function shapesByName(ir: ContractsIr): ReadonlyMap<string, ShapeIr> {
  return new Map<string, ShapeIr>([
    ...ir.types.map(({ name, shape }) => [name, shape] as const),
    ...ir.templates.map(
      ({ name, payload }) => [name, { kind: 'record', members: payload }] as const,
    ),
  ])
}

function packageShape(
  ir: ContractsIr,
  known: ReadonlyMap<string, ShapeIr>,
  name: string,
): PackageShape {
  const templates = ir.templates.filter((one) => one.package.name === name)
  const interfaces = ir.interfaces.filter((one) => one.package.name === name)
  const used = [
    ...templates.flatMap(({ payload, choices }) => [
      ...payload.map(({ type }) => type),
      ...choiceTypes(choices),
    ]),
    ...interfaces.flatMap(({ view, choices }) => [view, ...choiceTypes(choices)]),
  ]
  const types = [...closure(known, used.flatMap(typeNames))].sort(([a], [b]) => compareText(a, b))
  return {
    templates: byName(templates, templateShape),
    interfaces: byName(interfaces, interfaceShape),
    types: Object.fromEntries(types.map(([type, shape]) => [type, typeShape(shape)])),
  }
}

function choiceTypes(choices: readonly ChoiceIr[]): readonly TypeIr[] {
  return choices.flatMap(({ argument, result }) => [argument, result])
}

/** The named types and those that they are made of. */
export function closure(
  known: ReadonlyMap<string, ShapeIr>,
  names: readonly string[],
): ReadonlyMap<string, ShapeIr> {
  const found = new Map<string, ShapeIr>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const shape = known.get(name)
    if (shape === undefined || found.has(name)) continue
    found.set(name, shape)
    if (shape.kind !== 'enum') open.push(...shape.members.flatMap(({ type }) => typeNames(type)))
  }
  return found
}

function byName<T extends { readonly name: string }, S>(
  all: readonly T[],
  make: (one: T) => S,
): Readonly<Record<string, S>> {
  return Object.fromEntries(all.map((one) => [one.name, make(one)]))
}

function templateShape({ module, payload, interfaces, choices }: TemplateIr): TemplateShape {
  return { module, fields: words(payload), interfaces, choices: byName(choices, choiceShape) }
}

function interfaceShape({ module, view, choices }: InterfaceTypeIr): InterfaceShape {
  return { module, view: typeWord(view), choices: byName(choices, choiceShape) }
}

function choiceShape({ consuming, argument, result }: ChoiceIr): ChoiceShape {
  return { consuming, argument: typeWord(argument), result: typeWord(result) }
}

function typeShape(shape: ShapeIr): TypeShape {
  if (shape.kind === 'enum') return { enum: shape.names }
  return shape.kind === 'record'
    ? { record: words(shape.members) }
    : { variant: words(shape.members) }
}

function words(members: readonly MemberIr[]): Members {
  return Object.fromEntries(members.map(({ name, type }) => [name, typeWord(type)]))
}

const GENERIC = { list: 'List', set: 'Set', textMap: 'TextMap', map: 'Map', pair: 'Pair' } as const

/** A type as contracts.yaml writes it. */
function typeWord(type: TypeIr): string {
  switch (type.kind) {
    case 'scalar':
    case 'named':
      return type.name
    case 'optional':
      return `${typeWord(type.of)}?`
    case 'map':
    case 'pair':
      return `${GENERIC[type.kind]}<${typeWord(type.first)}, ${typeWord(type.second)}>`
    default:
      return `${GENERIC[type.kind]}<${typeWord(type.of)}>`
  }
}
