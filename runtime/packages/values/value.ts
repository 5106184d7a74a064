// Values of the contract language as the evaluator has them. Types are erased: a checked program
// never asks a value for its type, and who converts values goes by the type that the program says.
import type { Reference } from '../program/types.ts'
import type { TypeRep } from './type-rep.ts'

/** A function, partially applied or not; what else it is only the evaluator knows. */
export abstract class FunctionValue {
  /** Arguments that it still needs; the token of an update counts as one. */
  abstract readonly arity: number
}

/**
 * A value. Unit is `undefined`; `Int64` and `Timestamp` (microseconds) are bigints; `Text`, `Party`
 * and `ContractId` are strings; `Date` (days since 1970) and enum constructors (by rank) are
 * numbers; `null` is the empty list.
 */
export type Value =
  | undefined
  | boolean
  | bigint
  | number
  | string
  | List
  | Numeric
  | Optional
  | Rec
  | Struct
  | Variant
  | ValueMap
  | Any
  | Contract
  | TypeRep
  | FunctionValue

/** A decimal: `unscaled` times ten to the power of minus `scale`. */
export class Numeric {
  readonly unscaled: bigint
  readonly scale: number

  constructor(unscaled: bigint, scale: number) {
    this.unscaled = unscaled
    this.scale = scale
  }
}

export type List = Cons | null

export class Cons {
  readonly head: Value
  readonly tail: List

  constructor(head: Value, tail: List) {
    this.head = head
    this.tail = tail
  }
}

export class Optional {
  readonly isSome: boolean
  readonly value: Value

  constructor(isSome: boolean, value: Value) {
    this.isSome = isSome
    this.value = value
  }
}

export const NONE = new Optional(false, undefined)

/** The optional that has a value. */
export function some(value: Value): Optional {
  return new Optional(true, value)
}

/** A record; fields in the order of its type's declaration. */
export class Rec {
  readonly fields: readonly Value[]

  constructor(fields: readonly Value[]) {
    this.fields = fields
  }
}

/** A structural record; fields in the order of their names, which values of a type share. */
export class Struct {
  readonly names: readonly string[]
  readonly fields: readonly Value[]

  constructor(names: readonly string[], fields: readonly Value[]) {
    this.names = names
    this.fields = fields
  }
}

/** A constructor of a variant, by its place in the type's declaration, with its argument. */
export class Variant {
  readonly rank: number
  readonly value: Value

  constructor(rank: number, value: Value) {
    this.rank = rank
    this.value = value
  }
}

/** A node of a map: a search tree whose two sides have about the same size. */
export interface MapNode {
  readonly key: Value
  readonly value: Value
  readonly size: number
  readonly left: MapNode | undefined
  readonly right: MapNode | undefined
}

/** A `TextMap` or a `GenMap`, ordered by its keys; values/map.ts has what is done with it. */
export class ValueMap {
  readonly root: MapNode | undefined

  constructor(root: MapNode | undefined) {
    this.root = root
  }

  get size(): number {
    return this.root?.size ?? 0
  }

  /** Entries in the order of their keys. */
  entries(): readonly MapNode[] {
    const entries: MapNode[] = []
    const ancestors: MapNode[] = []
    let node = this.root
    for (;;) {
      for (; node !== undefined; node = node.left) ancestors.push(node)
      const next = ancestors.pop()
      if (next === undefined) return entries
      entries.push(next)
      node = next.right
    }
  }
}

/** A value with its type, also an `AnyException`. */
export class Any {
  readonly type: TypeRep
  readonly value: Value

  constructor(type: TypeRep, value: Value) {
    this.type = type
    this.value = value
  }
}

/** A contract's payload with its template's name: what a value of an interface type is. */
export class Contract {
  readonly template: Reference
  readonly payload: Value
  /** Says what the contract's code elsewhere says, where no package has the code that runs. */
  readonly elsewhere: Elsewhere | undefined

  constructor(template: Reference, payload: Value, elsewhere?: Elsewhere) {
    this.template = template
    this.payload = payload
    this.elsewhere = elsewhere
  }
}

/** What code that is in no package says of a contract. Interfaces go by their names' texts. */
export interface Elsewhere {
  implements(interfaceName: string): boolean
  view(interfaceName: string): Value
  signatories(): readonly string[]
  observers(): readonly string[]
}

/** The list of the values. */
export function listOf(values: readonly Value[]): List {
  let list: List = null
  for (let at = values.length - 1; at >= 0; at -= 1) list = new Cons(values[at], list)
  return list
}

/** Elements of a list, in order. */
export function elementsOf(list: List): Value[] {
  let count = 0
  for (let rest = list; rest !== null; rest = rest.tail) count += 1
  const elements = new Array<Value>(count)
  let rest = list
  for (let at = 0; at < count && rest !== null; at += 1) {
    elements[at] = rest.head
    rest = rest.tail
  }
  return elements
}
