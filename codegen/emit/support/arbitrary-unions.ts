// Kinds made of other kinds: variants, values that pass a printed check, examples of the document.
import type { Problem } from './validation.ts'
import { sift, typeFlaw } from './arbitrary.ts'
import type { JsonType, Kind, TextPlace, ValueOf } from './arbitrary.ts'

/** A printed check of validators.gen.ts. */
export type Check = (value: unknown, problems: Problem[]) => void

export interface UnionOptions {
  /** JSON types of all variants together; any where absent. */
  readonly types?: readonly JsonType[]
  /** A flawed value of one variant may fit another, so that only wrong types are flaws. */
  readonly blurred?: true
}

/** True when the check has nothing against the value. */
export function admits(check: Check, value: unknown): boolean {
  const problems: Problem[] = []
  check(value, problems)
  return problems.length === 0
}

/** Values of one of several kinds. */
export function union<K extends readonly Kind<unknown>[]>(
  kinds: readonly [...K],
  options?: UnionOptions,
): Kind<ValueOf<K[number]>>
export function union(
  kinds: readonly Kind<unknown>[],
  { types, blurred }: UnionOptions = {},
): Kind<unknown> {
  return {
    valid: (at) => {
      const known = kinds.map((kind) => kind.valid(at)).filter((one) => one !== undefined)
      return known.length === 0 ? undefined : at.fc.oneof(...known)
    },
    flaws: (at) => [
      ...(types === undefined ? [] : typeFlaw(at, ...types)),
      ...(blurred === true || at.text !== undefined
        ? []
        : kinds.flatMap((kind) => kind.flaws({ ...at, keepsType: true }))),
    ],
  }
}

/** The values of a kind that a check lets pass, for rules that no combinator makes values for. */
export function only<T>(kind: Kind<T>, check: Check): Kind<T> {
  return {
    valid: (at) => {
      const values = kind.valid(at)
      return values === undefined
        ? undefined
        : sift(values, (value) => admits(check, value), check.name)
    },
    flaws: (at) => kind.flaws(at),
  }
}

/** Now and then one of the document's examples, as far as they fit. */
export function withExamples<T>(
  kind: Kind<T>,
  check: Check,
  ...examples: readonly unknown[]
): Kind<T> {
  const fits = (value: unknown): value is T => admits(check, value)
  return {
    valid: (at) => {
      const values = kind.valid(at)
      const fitting = examples.filter(fits)
      if (values === undefined || fitting.length === 0) return values
      return at.fc.oneof(
        { weight: 5, arbitrary: values },
        { weight: 1, arbitrary: at.fc.constantFrom(...fitting) },
      )
    },
    flaws: (at) => kind.flaws(at),
  }
}

/** A parameter, which travels as text at a place. */
export function asText<T>(kind: Kind<T>, text: TextPlace): Kind<T> {
  return {
    valid: (at) => kind.valid({ ...at, text }),
    flaws: (at) => kind.flaws({ ...at, text }),
  }
}
