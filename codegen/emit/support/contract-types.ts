// What printed descriptions of templates, choices and interfaces look like.
import type { Codec } from './contract-codec.ts'

export interface ChoiceType<A, R> {
  readonly name: string
  /** Id of the template that declares the choice, or of the interface. */
  readonly templateId: string
  /** The same id, where an interface declares the choice. */
  readonly interfaceId?: string
  readonly consuming: boolean
  readonly argument: Codec<A>
  readonly result: Codec<R>
}

/** The upgrades of a template that reads every version of its payload unchanged. */
export type NoUpgrades = Readonly<Record<string, never>>

/** A version of the package that is not the newest; contracts of it are there for good. */
export interface EarlierVersion<T, U> {
  readonly version: string
  /** The template's id in that version. */
  readonly id: string
  /** The payload as the newest version has it. Throws DecodeError. */
  readonly read: (value: unknown, upgrades: U) => T
}

/** A key under which active contracts of a template are found. */
export interface KeyType {
  /** The column in which a store keeps it. */
  readonly column: 'key1' | 'key2' | 'key3'
  /** A value is a string, or a bigint, which is stored as its decimal text. */
  readonly kind: 'text' | 'integer'
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
  /** Ids of the interfaces that the template implements. */
  readonly interfaces: readonly string[]
  /** Oldest first. */
  readonly earlier: readonly EarlierVersion<T, U>[]
}

export interface InterfaceType<V> {
  readonly id: string
  readonly packageId: string
  readonly packageName: string
  readonly name: string
  readonly view: Codec<V>
}

type Choices = Readonly<Record<string, ChoiceType<unknown, unknown>>>

/** A template whose payload type is not known. */
export interface AnyTemplateType extends TemplateType<unknown, never> {
  readonly choices: Choices
  /** Choices of the interfaces that it implements. */
  readonly interfaceChoices: Choices
}

/** An interface whose view type is not known. */
export interface AnyInterfaceType extends InterfaceType<unknown> {
  readonly choices: Choices
}
