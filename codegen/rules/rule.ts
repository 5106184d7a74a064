// How all tables of rules are written, for findings and for changes: the words of the rules that
// judge alike, below their verdict.
import { mapValues } from '../values.ts'

export interface Wording {
  /** A finding's rule says why it matters, a change's what happened to its subject. */
  readonly says: string
}

/** The rules of a verdict, by their codes: what each says. */
export function rules<V extends object, N extends string>(
  verdict: V,
  says: Readonly<Record<N, string>>,
): Readonly<Record<N, V & Wording>>
export function rules(verdict: object, says: Readonly<Record<string, string>>): object {
  return mapValues(says, (words) => ({ ...verdict, says: words }))
}

/** Names by what a table says of them: those with the same cells share a row. */
export function sharedRows<T>(
  entries: readonly (readonly [name: string, T])[],
  cellsOf: (one: T) => string,
): readonly { readonly cells: string; readonly names: string }[] {
  const rows = Map.groupBy(entries, ([, one]) => cellsOf(one))
  return Array.from(rows, ([cells, same]) => ({
    cells,
    names: same.map(([name]) => `\`${name}\``).join(', '),
  }))
}
