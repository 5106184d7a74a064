// What a contract template is to the engine: its description (printed from spec/contracts.yaml)
// bound to code. The engine knows no template; it gets them as a list. docs/contracts.md
import type { ContractRecord, KeyName } from '../store/store.ts'
import type { KeyNameOf, KeyType, KeyValues } from './template-keys.ts'
import type { AbortReason } from './rejection.ts'

export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Of a record, its fields. */
interface Shape {
  readonly kind: string
  readonly fields?: readonly (readonly [name: string, of: { readonly shape: Shape }])[]
}

/** A codec of generated/contract-codec.gen.ts; `decode` throws if the value is invalid. */
export interface Codec<T> {
  readonly shape?: Shape
  decode(value: unknown, path?: string): T
  /** Fields in declaration order, so that the JSON text is canonical. */
  encode(value: T): Json
  /**
   * Throws where a part of the value is larger than it may be, which `decode` lets pass; absent
   * where nothing has a limit.
   */
  check?(value: T, path: string): void
}

/** The upgrades of a template that reads every version of its payload unchanged. */
export type NoUpgrades = Readonly<Record<string, never>>

/**
 * A version of the package that is not the newest; contracts of it are there for good.
 * docs/decisions/0012
 */
export interface EarlierVersion<T, U> {
  readonly version: string
  /** The template's id in that version. */
  readonly id: string
  /** The payload as the newest version has it; throws where the value is none. */
  readonly read: (value: unknown, upgrades: U) => T
}

/** `U`: the upgrades that the template's code has to provide. */
export interface TemplateType<T, U = NoUpgrades> {
  /** `<package id>:<Module>:<Entity>`; with another version of the package, another id. */
  readonly id: string
  /** `<package name>:<Module>:<Entity>`: the template, whatever the version. */
  readonly reference: string
  readonly packageId: string
  readonly packageName: string
  readonly packageVersion: string
  readonly name: string
  readonly payload: Codec<T>
  /** Key types by name. */
  readonly keys: Readonly<Record<string, KeyType>>
  readonly interfaces: readonly string[]
  /** Oldest first. */
  readonly earlier: readonly EarlierVersion<T, U>[]
}

/** The template of a contract or an exercise. */
export type Templated = Pick<ContractRecord, 'templateId' | 'packageName'>

export interface ChoiceType<A, R> {
  readonly name: string
  /** Id of the template, or of the interface that declares it. */
  readonly templateId: string
  readonly interfaceId?: string
  readonly consuming: boolean
  readonly argument: Codec<A>
  readonly result: Codec<R>
}

/** A sum that the store keeps over active contracts. */
export interface Declared {
  readonly name: string
  readonly account: string
  readonly amount: bigint
}

/**
 * An amount that grows by `rate` with every position, such as a round, from `since` on and until it
 * is `limit`. The store keeps what the sum of them is at any position.
 */
export interface Accruing extends Growth {
  readonly name: string
  readonly account: string
}

export interface Growth {
  /** Not negative. */
  readonly since: bigint
  /** Not negative. */
  readonly rate: bigint
  /** Not negative. */
  readonly limit: bigint
}

interface CommonRules<T> {
  signatories(payload: T): readonly string[]
  observers?(payload: T): readonly string[]
  /**
   * The party of whose network the contract is. A ledger that is of one network takes no contracts
   * of another.
   */
  issuer?(payload: T): string
  /** False: such a contract cannot be created. */
  ensure?(payload: T): boolean
  /** Order within a key; not negative. */
  rank?(payload: T): bigint
  totals?(payload: T): readonly Declared[]
  accruals?(payload: T): readonly Accruing[]
  /**
   * Views for clients that know only an interface, by interface id, as JSON. `together`: what is
   * shown at once with this one, where what that costs is bounded.
   */
  views?: Readonly<Record<string, (payload: T, together?: object) => Json>>
}

/**
 * A template that has keys says of each payload what they are, unless they are members of it; ''
 * finds nothing.
 */
type KeyRules<T, D> = D extends { readonly keys: unknown }
  ? T extends KeyValues<D>
    ? { keys?(payload: T): KeyValues<D> }
    : { keys(payload: T): KeyValues<D> }
  : { keys?(payload: T): KeyValues<D> }

/** Rules of a template, by its printed type `D`. */
export type TemplateRules<T, D = unknown> = CommonRules<T> & KeyRules<T, D>

/**
 * A template bound to its rules. `D`: what its printed type says beyond that, above all which
 * choices there are.
 */
export interface Template<T, D = unknown> {
  readonly type: Omit<TemplateType<T>, 'earlier'> & D
  readonly rules: TemplateRules<T>
  /**
   * Whether a contract, or an exercise, is of this template, in whatever version of its package.
   */
  isOf(subject: Templated): boolean
  /**
   * The payload of a contract of this template as the newest version has it, decoded once per
   * record. Throws a TypeError for another template's, and `ContractUnreadable` where this program
   * does not know the version.
   */
  open(contract: ContractRecord): T
  /** Keys of a stored contract of this template. */
  keysOf(contract: KeyColumns): KeyValues<D>
  /** One of its keys. Throws a TypeError where it has none of this name. */
  by(key: KeyNameOf<D>): TemplateKey<T>
  /**
   * A payload in the words of a version that is named by the template's id there. Throws where it
   * is none.
   */
  read(payload: unknown, templateId: string): T
  /** Ids of the template in earlier versions of its package, which are read too. */
  readonly earlierIds: readonly string[]
  /** Spares `open` the decoding of a contract whose payload is at hand. */
  remember(contract: ContractRecord, payload: T): void
}

type KeyColumns = Pick<ContractRecord, KeyName>

/** A template by one of its keys, for code that serves templates with different ones. */
export interface TemplateKey<T> {
  readonly template: Template<T>
  readonly column: KeyName
  /** The stored key of a contract. */
  of(contract: KeyColumns): string
}

/** The contract on which a choice is exercised. */
export interface Self<T> {
  readonly id: string
  readonly payload: T
}

export interface ChoiceRules<T, A, R> {
  /** All of them must authorise. */
  controllers(payload: T, argument: A): readonly string[]
  /** Parties beyond the stakeholders who see the exercise. */
  observers?(payload: T, argument: A): readonly string[]
  /** Pure: sees nothing but its input and `tx`. */
  run(tx: Tx, self: Self<T>, argument: A): R
}

/** A choice bound to its template and its code. */
export interface Choice<T, A, R> {
  readonly template: Template<T>
  readonly type: ChoiceType<A, R>
  readonly rules: ChoiceRules<T, A, R>
  /** The argument of an exercise; decoded if it was not interpreted just now. */
  argumentOf(event: Exercised): A
  /** The result of an exercise, likewise. */
  resultOf(event: Exercised): R
  /** Spares those two the decoding of an exercise whose values are at hand. */
  remember(event: Exercised, argument: A, result: R): void
}

/** Argument and result of an exercise, as JSON. */
export interface Exercised {
  readonly argument: Json
  readonly result: Json
}

/** A choice whose types are hidden, for commands that arrive as JSON. */
export interface AnyChoice {
  readonly name: string
  readonly interfaceId?: string
  /**
   * Decodes, exercises, and answers the result as JSON. An argument that is none ends the
   * transaction as invalid.
   */
  exerciseJson(tx: Tx, contractId: string, argument: unknown): Json
}

/** A template whose type is hidden. */
export interface AnyTemplate {
  readonly name: string
  /** Id of the newest version, which new contracts bear. */
  readonly id: string
  /** The reference of `TemplateType`. */
  readonly reference: string
  /** The earlier ids of `Template`. */
  readonly earlierIds: readonly string[]
  readonly packageName: string
  readonly packageVersion: string
  readonly interfaces: readonly string[]
  readonly choices: ReadonlyMap<string, AnyChoice>
  /**
   * Decodes and creates. `templateId` says in which version's words the payload is; the newest when
   * absent. A payload that is none ends the transaction as invalid.
   */
  createJson(tx: Tx, payload: unknown, templateId?: string): string
  totalsOf(contract: ContractRecord): readonly Declared[]
  /** Whether its contracts can declare any. */
  readonly accrues: boolean
  accrualsOf(contract: ContractRecord): readonly Accruing[]
  /**
   * Where a contract of this payload stands in the store. Throws a TypeError where the payload is
   * none of this template.
   */
  placeOf(contract: ContractRecord): ContractPlace
  /**
   * Undefined where the template does not implement the interface. Throws a refusal where the
   * contract has no view. `together`: the same for all that is shown at once.
   */
  viewOf(contract: ContractRecord, interfaceId: string, together?: object): Json | undefined
}

/** A payload as a contract is created with it: its optional fields may be left out. */
export type New<T> = { readonly [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as null extends T[K] ? K : never]?: T[K]
}

/** Actions of a choice. All of them are undone when anything throws. */
export interface Tx {
  /** Needs the signatories' authority. Answers the contract id. */
  create<T>(template: Template<T>, payload: New<NoInfer<T>>): string
  /**
   * Needs the authority of a stakeholder; a contract that is not active aborts.
   *
   * @param interfaceId the interface by which the contract is known; absent: its template
   */
  fetch<T>(template: Template<T>, contractId: string, interfaceId?: string): T
  /** The contract as it is stored, of whatever template. Needs what `fetch` needs. */
  read(contractId: string, interfaceId?: string): ContractRecord
  /** Needs the controllers' authority. */
  exercise<T, A, R>(choice: Choice<T, A, R>, contractId: string, argument: A): R
  /** A choice of an interface on a contract of whatever template implements it. */
  exerciseInterface<A, R>(choice: ChoiceType<A, R>, contractId: string, argument: A): R
  /** The `Archive` choice: needs the signatories' authority. */
  archive<T>(template: Template<T>, contractId: string): void
  /** The template of a contract that can be looked up: for commands that know only an interface. */
  templateOf(contractId: string): AnyTemplate
  /** The template of this id. */
  template(id: string): AnyTemplate
  /**
   * Calls `again` wherever an interpretation that remembers nothing would begin again, to look up
   * what nobody named before; `read` is how many characters were read to find what else is named
   * by now. So it is the same on all servers.
   */
  whenAgain(again: (read: number) => void): void
  /**
   * Answers how to undo all that happens from now on, once that failed with something that can be
   * caught. What was looked up stays used, and time bounds stay.
   */
  mark(): () => void
  /**
   * The transaction's own time. Its record time must not be before it, and less than a day after
   * it, which leaves time to sign.
   */
  time(): bigint
  /** The update's record time must be at or after `time`. */
  notBefore(time: bigint): void
  /** The update's record time must be before `time`, also if the date is in doubt. */
  before(time: bigint): void
  /** Likewise, for a `time` that was reckoned from the ledger's own: no doubt about it matters. */
  until(time: bigint): void
  /** Ends the transaction; the caller gets `reason`. */
  abort(reason: AbortReason): never
  /**
   * Ends the transaction unless `condition` holds; `requirement` says what was to hold, `given`
   * what was there instead, and the caller reads both.
   */
  require(condition: boolean, requirement: string, given?: () => string): asserts condition
}

/** The place under which an active contract is found, and its order. */
export type ContractPlace = Pick<ContractRecord, 'key1' | 'key2' | 'key3' | 'rank'>
