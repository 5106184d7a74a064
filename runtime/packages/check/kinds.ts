// Well-formed types: every type constructor gets what it is of.
import { builtinTypeParameters } from '../program/builtin-types.ts'
import type { Program } from '../program/definitions.ts'
import { arrowKind, describeKind, freeVariables, NAT, STAR } from '../program/type-table.ts'
import { describeType } from '../program/type-text.ts'
import type { Kind, StructType, Type, TypeParameter } from '../program/types.ts'
import { areEqualKinds } from './equivalence.ts'

type Fail = (rule: string, problem: string) => never

/** An open type's kind, and the kinds that its variables had when it was found. */
interface Known {
  readonly kind: Kind
  readonly names: readonly string[]
  readonly kinds: readonly (Kind | undefined)[]
}

type Applied = Exclude<Type, { kind: 'nat' | 'struct' | 'forall' }>

/** The kinds of types, and of the type variables in scope. */
export class Kinds {
  readonly #program: Pick<Program, 'dataType'>
  readonly #fail: Fail
  readonly #closed = new Map<Type, Kind>()
  readonly #open = new Map<Type, Known>()
  #variables = new Map<string, Kind>()

  constructor(program: Pick<Program, 'dataType'>, fail: Fail) {
    this.#program = program
    this.#fail = fail
  }

  /** Does work with more type variables in scope. */
  within<T>(parameters: readonly TypeParameter[], work: () => T): T {
    if (parameters.length === 0) return work()
    const variables = this.#variables
    this.#variables = new Map(variables)
    for (const { name, kind } of parameters) this.#variables.set(name, kind)
    const done = work()
    this.#variables = variables
    return done
  }

  /** Refuses a type of another kind. */
  require(type: Type, kind: Kind): void {
    const found = this.of(type)
    if (found !== kind && !areEqualKinds(found, kind))
      this.#fail(
        'well-formed types',
        `${describeType(type)} is of kind ${describeKind(found)}, not ${describeKind(kind)}`,
      )
  }

  requireStar(type: Type): void {
    this.require(type, STAR)
  }

  of(type: Type): Kind {
    if (type.open) return this.#ofOpen(type)
    const known = this.#closed.get(type)
    if (known !== undefined) return known
    const kind = this.#kindOf(type)
    this.#closed.set(type, kind)
    return kind
  }

  #ofOpen(type: Type): Kind {
    const known = this.#open.get(type)
    if (known !== undefined && this.#isStill(known)) return known.kind
    const kind = this.#kindOf(type)
    const names = [...freeVariables(type)]
    const kinds = names.map((name) => this.#variables.get(name))
    this.#open.set(type, { kind, names, kinds })
    return kind
  }

  #isStill({ names, kinds }: Known): boolean {
    for (let at = 0; at < names.length; at += 1)
      if (this.#variables.get(names[at] ?? '') !== kinds[at]) return false
    return true
  }

  #kindOf(type: Type): Kind {
    switch (type.kind) {
      case 'nat':
        return NAT
      case 'struct':
        return this.#struct(type)
      case 'forall':
        this.within([type.parameter], () => this.requireStar(type.body))
        return STAR
      default:
        return this.#applied(type)
    }
  }

  /** The types of a synonym's struct are well-formed where its arguments are. */
  #struct({ types, synonym }: StructType): Kind {
    if (synonym === undefined) for (const part of types) this.requireStar(part)
    synonym?.definition.parameters.forEach(({ kind }, index) => {
      const argument = synonym.arguments[index]
      if (argument !== undefined) this.require(argument, kind)
    })
    return STAR
  }

  #applied(type: Applied): Kind {
    const head = this.#head(type)
    return type.arguments.reduce((kind, argument) => {
      if (kind.kind !== 'arrow')
        return this.#fail('TyApp', `${describeType(type)} has an argument too many`)
      this.require(argument, kind.parameter)
      return kind.result
    }, head)
  }

  #head(type: Applied): Kind {
    if (type.kind === 'variable')
      return (
        this.#variables.get(type.name) ?? this.#fail('TyVar', `Nothing binds the type ${type.name}`)
      )
    if (type.kind === 'builtin') return builtinKinds.get(type.name) ?? STAR
    const { parameters } = this.#program.dataType(type.reference)
    return kindFrom(parameters.map(({ kind }) => kind))
  }
}

const builtinKinds = new Map(
  [...builtinTypeParameters].map(([name, parameters]) => [
    name,
    kindFrom(parameters.map((kind) => (kind === 'nat' ? NAT : STAR))),
  ]),
)

function kindFrom(parameters: readonly Kind[]): Kind {
  return parameters.reduceRight((result, parameter) => arrowKind(parameter, result), STAR)
}
