// Makes types, each of them once: who has two equal types has one object. Work on types is done
// once for each part that occurs several times, so that large types cost no more than their parts.
import { MalformedArchive } from '../archive/message.ts'
import type { Budget } from '../archive/message.ts'
import { once } from './once.ts'
import type { BuiltinTypeName } from './builtin-types.ts'
import type {
  BuiltinType,
  ConstructorType,
  ForallType,
  Kind,
  NatType,
  Reference,
  StructShape,
  StructType,
  SynonymDefinition,
  Type,
  TypeParameter,
  VariableType,
} from './types.ts'

/** Nodes of a type as a tree, and how deep it may be nested. */
const MAX_SIZE = 1_000_000
const MAX_DEPTH = 300

/** Nodes of types whose parts need not be remembered, since few can occur several times. */
const SMALL = 50

/** Types that stand for variables, by name. */
export type Substitution = ReadonlyMap<string, Type>

/** Parts that a substitution has met. */
type Done = Map<Type, Type> | undefined

/** The types of one program; each that is made, and each step of a substitution, is work. */
export class Types {
  readonly #work: Budget
  readonly #variables = new Table<VariableType>()
  readonly #nats = new Table<NatType>()
  readonly #builtins = new Table<BuiltinType>()
  readonly #constructors = new Table<ConstructorType>()
  readonly #foralls = new Table<ForallType>()
  readonly #structs = new Table<StructType>()
  readonly #synonyms = new Table<StructType>()
  readonly #instances = new Table<Type>()
  readonly #shapes = new Map<string, StructShape>()
  #fresh = 0

  constructor(work: Budget) {
    this.#work = work
  }

  variable(name: string, args: readonly Type[] = []): VariableType {
    const place = this.#variables.place(name, args)
    return (place.held ??= {
      kind: 'variable',
      name,
      arguments: args,
      ...this.#measure(args),
      open: true,
    })
  }

  nat(value: number): NatType {
    const place = this.#nats.place(value, [])
    return (place.held ??= { kind: 'nat', value, ...this.#measure([]) })
  }

  builtin(name: BuiltinTypeName, ...args: readonly Type[]): BuiltinType {
    return this.#builtin(name, args)
  }

  #builtin(name: BuiltinTypeName, args: readonly Type[]): BuiltinType {
    const place = this.#builtins.place(name, args)
    return (place.held ??= { kind: 'builtin', name, arguments: args, ...this.#measure(args) })
  }

  constructorType(reference: Reference, args: readonly Type[] = []): ConstructorType {
    const place = this.#constructors.place(reference, args)
    return (place.held ??= {
      kind: 'constructor',
      reference,
      arguments: args,
      ...this.#measure(args),
    })
  }

  forall(parameter: TypeParameter, body: Type): ForallType {
    const place = this.#foralls.place(`${parameter.name} ${describeKind(parameter.kind)}`, [body])
    return (place.held ??= {
      kind: 'forall',
      parameter,
      body,
      ...this.#measure([body]),
      open: body.open && hasOthers(body, parameter.name),
    })
  }

  /** `types` in the order of the shape's names. */
  struct(shape: StructShape, types: readonly Type[]): StructType {
    const place = this.#structs.place(shape, types)
    return (place.held ??= { kind: 'struct', shape, types, ...this.#measure(types) })
  }

  /**
   * The type behind a synonym. A struct, such as the functions of a type class, is known by the
   * synonym and its arguments; its own types are made when somebody asks for them.
   */
  expand(definition: SynonymDefinition, args: readonly Type[]): Type {
    const { reference, parameters, type } = definition
    const by = substitution(parameters, args)
    if (type.kind !== 'struct' || type.synonym !== undefined) return this.substitute(type, by)
    const place = this.#synonyms.place(reference, args)
    const types = once(() => type.types.map((part) => this.substitute(part, by)))
    return (place.held ??= {
      kind: 'struct',
      shape: type.shape,
      get types() {
        return types()
      },
      synonym: { definition, arguments: args },
      ...this.#measure(args),
    })
  }

  /** The shape of these names in whatever order. Throws MalformedArchive for a name twice. */
  shape(names: readonly string[]): StructShape {
    const written = names.join(' ')
    const known = this.#shapes.get(written)
    if (known !== undefined) return known
    const sorted = names.toSorted(byCharacter)
    const key = sorted.join(' ')
    const shape = this.#shapes.get(key) ?? shapeOf(sorted)
    this.#shapes.set(key, shape)
    this.#shapes.set(written, shape)
    return shape
  }

  arrow(parameter: Type, result: Type): BuiltinType {
    return this.builtin('Arrow', parameter, result)
  }

  /** A function of types applied. Throws MalformedArchive for what can be none. */
  apply(type: Type, args: readonly Type[]): Type {
    if (args.length === 0) return type
    if (type.kind === 'variable') return this.variable(type.name, [...type.arguments, ...args])
    if (type.kind === 'builtin') return this.builtin(type.name, ...type.arguments, ...args)
    if (type.kind === 'constructor')
      return this.constructorType(type.reference, [...type.arguments, ...args])
    throw new MalformedArchive(`A ${type.kind} type is applied to types`)
  }

  /** A type for all types, as it is for one of them. */
  instantiate(type: ForallType, argument: Type): Type {
    const place = this.#instances.place(type, [argument])
    return (place.held ??= this.substitute(type.body, new Map([[type.parameter.name, argument]])))
  }

  /** The type with others in place of its variables. */
  substitute(type: Type, by: Substitution): Type {
    if (!type.open || by.size === 0) return type
    return this.#substitute(type, by, type.size > SMALL ? new Map() : undefined)
  }

  #substitute(type: Type, by: Substitution, done: Done): Type {
    if (!type.open) return type
    this.#work.spend()
    const known = done?.get(type)
    if (known !== undefined) return known
    const made = this.#substituted(type, by, done)
    done?.set(type, made)
    return made
  }

  #substituted(type: Type, by: Substitution, done: Done): Type {
    switch (type.kind) {
      case 'variable': {
        const stands = by.get(type.name) ?? this.variable(type.name)
        return this.apply(stands, this.#substituteAll(type.arguments, by, done))
      }
      case 'builtin':
        return this.#builtin(type.name, this.#substituteAll(type.arguments, by, done))
      case 'constructor':
        return this.constructorType(type.reference, this.#substituteAll(type.arguments, by, done))
      case 'struct': {
        const { shape, types, synonym } = type
        return synonym === undefined
          ? this.struct(shape, this.#substituteAll(types, by, done))
          : this.expand(synonym.definition, this.#substituteAll(synonym.arguments, by, done))
      }
      case 'forall':
        return this.#underForall(type, by)
      case 'nat':
        return type
    }
  }

  #substituteAll(types: readonly Type[], by: Substitution, done: Done): readonly Type[] {
    return types.length === 0 ? types : types.map((part) => this.#substitute(part, by, done))
  }

  /** The bound variable gets another name where one that comes in has its name. */
  #underForall({ parameter, body }: ForallType, by: Substitution): Type {
    const inner = new Map(by)
    inner.delete(parameter.name)
    const clashes = [...inner.values()].some(
      (type) => type.open && freeVariables(type).has(parameter.name),
    )
    if (!clashes) return this.forall(parameter, this.substitute(body, inner))
    const renamed = { name: `${parameter.name}$${++this.#fresh}`, kind: parameter.kind }
    inner.set(parameter.name, this.variable(renamed.name))
    return this.forall(renamed, this.substitute(body, inner))
  }

  #measure(parts: readonly Type[]): Measures {
    this.#work.spend(parts.length + 1)
    let [size, depth, open] = [1, 1, false]
    for (const part of parts) {
      size += part.size
      depth = Math.max(depth, part.depth + 1)
      open ||= part.open
    }
    if (size > MAX_SIZE) throw new MalformedArchive('A type is too large')
    if (depth > MAX_DEPTH) throw new MalformedArchive('A type is nested too deeply')
    return { size, depth, open }
  }
}

type Measures = Pick<Type, 'size' | 'depth' | 'open'>

interface Place<T> {
  held?: T
  next?: Map<Type, Place<T>>
}

/** Something for each head with parts, found along the parts. */
class Table<T> {
  readonly #heads = new Map<string | number | object, Place<T>>()

  place(head: string | number | object, parts: readonly Type[]): Place<T> {
    let place = placeAt(this.#heads, head)
    for (const part of parts) place = placeAt((place.next ??= new Map()), part)
    return place
  }
}

function placeAt<K, T>(places: Map<K, Place<T>>, key: K): Place<T> {
  const known = places.get(key)
  if (known !== undefined) return known
  const place = {}
  places.set(key, place)
  return place
}

/** Parts of a type as it is written, itself not among them. */
function partsOf(type: Type): readonly Type[] {
  if (type.kind === 'nat') return []
  if (type.kind === 'forall') return [type.body]
  return type.kind === 'struct' ? (type.synonym?.arguments ?? type.types) : type.arguments
}

/** Arguments by the names of their parameters. */
export function substitution(
  parameters: readonly TypeParameter[],
  args: readonly Type[],
): Substitution {
  const by = new Map<string, Type>()
  for (const [index, argument] of args.entries()) {
    const parameter = parameters[index]
    if (parameter !== undefined) by.set(parameter.name, argument)
  }
  return by
}

const NONE: ReadonlySet<string> = new Set()
const free = new WeakMap<Type, ReadonlySet<string>>()

/** Variables that the type does not bind. */
export function freeVariables(type: Type): ReadonlySet<string> {
  if (!type.open) return NONE
  const known = free.get(type)
  if (known !== undefined) return known
  const own = type.kind === 'variable' ? new Set([type.name]) : NONE
  const inner = partsOf(type).reduce((found, part) => joined(found, freeVariables(part)), own)
  const found = type.kind === 'forall' ? inner.difference(new Set([type.parameter.name])) : inner
  free.set(type, found)
  return found
}

/** Most types have the variables of one of their parts, whose set they share. */
function joined(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  if (one === other || other.isSubsetOf(one)) return one
  return one.isSubsetOf(other) ? other : one.union(other)
}

function hasOthers(type: Type, name: string): boolean {
  const names = freeVariables(type)
  return names.size > Number(names.has(name))
}

export const STAR: Kind = { kind: 'star' }
export const NAT: Kind = { kind: 'nat' }

/** The kind of functions of types. Throws MalformedArchive. */
export function arrowKind(parameter: Kind, result: Kind): Kind {
  if (result.kind === 'nat') throw new MalformedArchive('A kind ends in a number')
  const depth = Math.max(depthOf(parameter), depthOf(result)) + 1
  if (depth > MAX_DEPTH) throw new MalformedArchive('A kind is nested too deeply')
  return { kind: 'arrow', parameter, result, depth }
}

function depthOf(kind: Kind): number {
  return kind.kind === 'arrow' ? kind.depth : 0
}

export function describeKind(kind: Kind): string {
  if (kind.kind !== 'arrow') return kind.kind
  return `(${describeKind(kind.parameter)} -> ${describeKind(kind.result)})`
}

/** Throws MalformedArchive for a name twice. */
function shapeOf(names: readonly string[]): StructShape {
  const indexes = new Map(names.map((name, index) => [name, index]))
  if (indexes.size < names.length) throw new MalformedArchive('A struct has a field twice')
  return { names, indexes }
}

function byCharacter(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
