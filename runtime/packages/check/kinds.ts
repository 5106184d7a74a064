// Well-formed types: every type constructor gets what it is of.
import { builtinTypeParameters } from '../program/builtin-types.ts'
import type { Program } from '../program/definitions.ts'
import { arrowKind, describeKind, NAT, STAR } from '../program/type-table.ts'
import { describeType } from '../program/type-text.ts'
import type { Kind, Type, TypeParameter } from '../program/types.ts'
import { areEqualKinds } from './equivalence.ts'

type Fail = (rule: string, problem: string) => never

/** Type variables in scope, and which types are known to be well-formed there. */
export class Kinds {
  readonly #program: Pick<Program, 'dataType'>
  readonly #fail: Fail
  readonly #closed = new Map<Type, Kind>()
  #open = new Map<Type, Kind>()
  #variables = new Map<string, Kind>()

  constructor(program: Pick<Program, 'dataType'>, fail: Fail) {
    this.#program = program
    this.#fail = fail
  }

  /** Does work with more type variables in scope. */
  within<T>(parameters: readonly TypeParameter[], work: () => T): T {
    if (parameters.length === 0) return work()
    const [variables, open] = [this.#variables, this.#open]
    this.#variables = new Map([
      ...variables,
      ...parameters.map(({ name, kind }) => [name, kind] as const),
    ])
    this.#open = new Map()
    const done = work()
    this.#variables = variables
    this.#open = open
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
    const known = type.open ? this.#open : this.#closed
    const found = known.get(type)
    if (found !== undefined) return found
    const kind = this.#kindOf(type)
    known.set(type, kind)
    return kind
  }

  #kindOf(type: Type): Kind {
    switch (type.kind) {
      case 'nat':
        return NAT
      case 'struct':
        for (const part of type.types) this.requireStar(part)
        return STAR
      case 'forall':
        this.within([type.parameter], () => this.requireStar(type.body))
        return STAR
      default:
        return this.#applied(type, type.arguments)
    }
  }

  #applied(
    type: Exclude<Type, { kind: 'nat' | 'struct' | 'forall' }>,
    args: readonly Type[],
  ): Kind {
    return args.reduce<Kind>((kind, argument) => {
      if (kind.kind !== 'arrow')
        return this.#fail('TyApp', `${describeType(type)} has an argument too many`)
      this.require(argument, kind.parameter)
      return kind.result
    }, this.#head(type))
  }

  #head(type: Exclude<Type, { kind: 'nat' | 'struct' | 'forall' }>): Kind {
    if (type.kind === 'variable')
      return (
        this.#variables.get(type.name) ?? this.#fail('TyVar', `Nothing binds the type ${type.name}`)
      )
    const parameters =
      type.kind === 'builtin'
        ? (builtinTypeParameters.get(type.name) ?? []).map((kind) => (kind === 'nat' ? NAT : STAR))
        : this.#program.dataType(type.reference).parameters.map(({ kind }) => kind)
    return parameters.reduceRight((result, parameter) => arrowKind(parameter, result), STAR)
  }
}
