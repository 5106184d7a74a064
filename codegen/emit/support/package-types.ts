// What printed templates, choices and interfaces of packages look like.
import type { Codec } from './contract-codec.ts'
import type { ContractId } from './package-codec.ts'

/** The type of an interface's contracts: nothing but its name. */
export interface Interface<I extends string> {
  readonly interface: I
}

/** Names by which the ledger interface knows a template or interface. */
interface Ids {
  /** `#<package name>:<Module>:<Entity>`: the version that the node prefers. */
  readonly id: string
  /** `<package id>:<Module>:<Entity>`: this version. */
  readonly exactId: string
  readonly packageId: string
  readonly packageName: string
  readonly packageVersion: string
}

export interface Template<T> extends Ids {
  readonly payload: Codec<T>
  /** Ids of the interfaces that it implements. */
  readonly interfaces: readonly string[]
}

export interface InterfaceOf<V> extends Ids {
  readonly view: Codec<V>
}

/** A choice of contracts `T`; of an interface, of any contract that implements it. */
export interface Choice<T, A, R> {
  readonly name: string
  /** Id of the template or interface that has it. */
  readonly of: string
  readonly consuming: boolean
  readonly argument: Codec<A>
  readonly result: Codec<R>
  /** Never there: says to the compiler what the choice is of. */
  readonly contract?: ContractId<T>
}
