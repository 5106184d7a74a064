// Which code the printed types of templates ask for, so that what is missing does not compile, and
// the names by which it is found.
import type { Choice, ChoiceRules, ChoiceType, Codec, Template } from './template.ts'

type Members<D, K extends string> = D extends Readonly<Record<K, infer C>> ? C : unknown

type OwnChoices<D> = Omit<Members<D, 'choices'>, 'Archive'>

type Bound<T, C> = {
  readonly [Name in keyof C]: C[Name] extends ChoiceType<infer A, infer R> ? Choice<T, A, R> : never
}

/**
 * A choice for every one that the printed type `D` of a template has, by itself or by its
 * interfaces; `Archive` comes by itself. A type that is written by hand and names no choices takes
 * any.
 */
export type ChoicesOf<T, D> = D extends { readonly choices: unknown }
  ? Bound<T, OwnChoices<D> & Members<D, 'interfaceChoices'>>
  : Readonly<Record<string, Choice<T, unknown, unknown>>>

/** A choice for every one that the template has by itself. */
export type OwnChoicesOf<T, D> = Bound<T, OwnChoices<D>>

/** The same as rules. */
export type OwnRulesOf<T, D> = {
  readonly [Name in keyof OwnChoices<D>]: OwnChoices<D>[Name] extends ChoiceType<infer A, infer R>
    ? ChoiceRules<T, A, R>
    : never
}

/** The payload of a contract of the printed type. */
export type PayloadOf<D> = D extends { readonly payload: Codec<infer T> } ? T : never

/** `DevNet_Tap` is `DevNetTap`. */
type Joined<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Joined<Rest>>}`
  : Name

/** The name without its template or interface before the first `_`. */
type Bare<Name extends string> = Name extends `${string}_${infer Rest}` ? Rest : Name

type ConstantOf<
  Owner extends string,
  Name extends string,
> = `${Uncapitalize<Owner>}${Capitalize<Joined<Bare<Name>>>}`

/** Templates and choices as `Coin Coin_Expire`. */
type Pairs<D> = {
  readonly [N in keyof D & string]: `${N} ${keyof ChoicesOf<PayloadOf<D[N]>, D[N]> & string}`
}[keyof D & string]

type ChoiceIn<D, N, C> = N extends keyof D
  ? C extends keyof ChoicesOf<PayloadOf<D[N]>, D[N]>
    ? ChoicesOf<PayloadOf<D[N]>, D[N]>[C]
    : never
  : never

/**
 * A constant for every template of the printed types `D` and for every choice of those that are not
 * in `R`.
 */
export type CodeOf<D, R extends keyof D> = {
  readonly [N in keyof D & string as Uncapitalize<N>]: Template<PayloadOf<D[N]>, D[N]>
} & {
  readonly [
    P in Pairs<Omit<D, R>> as P extends `${infer N} ${infer C}` ? ConstantOf<N, C> : never
  ]: P extends `${infer N} ${infer C}` ? ChoiceIn<D, N, C> : never
}

/** The name of a choice's constant, as above. */
export function constantOf(owner: string, choice: string): string {
  const bare = choice.slice(choice.indexOf('_') + 1)
  return uncapitalised(owner) + bare.split('_').map(capitalised).join('')
}

export function uncapitalised(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
