// Equality of types up to the names of the variables that they bind, and up to synonyms.
import type { Budget } from '../archive/message.ts'
import type { Kind, StructType, Type } from '../program/types.ts'

/** Binders around a pair of types: on each side their levels by name. */
interface Bound {
  readonly ones: ReadonlyMap<string, number>
  readonly others: ReadonlyMap<string, number>
  readonly level: number
}

const NOTHING: Bound = { ones: new Map(), others: new Map(), level: 0 }

/** Each pair of parts that differ is work. */
export function areEquivalent(one: Type, other: Type, work: Budget): boolean {
  return one === other || new Comparison(work).equivalent(one, other, NOTHING)
}

class Comparison {
  readonly #work: Budget

  constructor(work: Budget) {
    this.#work = work
  }

  equivalent(one: Type, other: Type, bound: Bound): boolean {
    if (one === other && (!one.open || bound.level === 0)) return true
    this.#work.spend()
    switch (one.kind) {
      case 'nat':
        return false
      case 'variable':
        return (
          other.kind === 'variable' &&
          isSameVariable(one.name, other.name, bound) &&
          this.#all(one.arguments, other.arguments, bound)
        )
      case 'builtin':
        return (
          other.kind === 'builtin' &&
          one.name === other.name &&
          this.#all(one.arguments, other.arguments, bound)
        )
      case 'constructor':
        return (
          other.kind === 'constructor' &&
          one.reference === other.reference &&
          this.#all(one.arguments, other.arguments, bound)
        )
      case 'struct':
        return other.kind === 'struct' && this.#structs(one, other, bound)
      case 'forall':
        return (
          other.kind === 'forall' &&
          areEqualKinds(one.parameter.kind, other.parameter.kind) &&
          this.equivalent(one.body, other.body, {
            ones: new Map([...bound.ones, [one.parameter.name, bound.level]]),
            others: new Map([...bound.others, [other.parameter.name, bound.level]]),
            level: bound.level + 1,
          })
        )
    }
  }

  #structs(one: StructType, other: StructType, bound: Bound): boolean {
    if (one.shape !== other.shape) return false
    const [written, otherwise] = [one.synonym, other.synonym]
    const isOneSynonym = written !== undefined && written.definition === otherwise?.definition
    return (
      (isOneSynonym && this.#all(written.arguments, otherwise.arguments, bound)) ||
      this.#all(one.types, other.types, bound)
    )
  }

  #all(ones: readonly Type[], others: readonly Type[], bound: Bound): boolean {
    return (
      ones.length === others.length &&
      ones.every((one, index) => {
        const other = others[index]
        return other !== undefined && this.equivalent(one, other, bound)
      })
    )
  }
}

function isSameVariable(one: string, other: string, { ones, others }: Bound): boolean {
  const level = ones.get(one)
  return level === others.get(other) && (level !== undefined || one === other)
}

export function areEqualKinds(one: Kind, other: Kind): boolean {
  if (one.kind === 'arrow' && other.kind === 'arrow')
    return areEqualKinds(one.parameter, other.parameter) && areEqualKinds(one.result, other.result)
  return one.kind === other.kind
}
