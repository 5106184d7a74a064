// Field masks as the ledger reads them: which paths a resource knows, and what each one does.
// docs/ledger-rules.md, "Field masks" (both the interface's names and their snake_case forms are
// taken)
import { reasonText } from '../../errors/catalogue.ts'
import { shortKey, snakeCase } from '../../errors/text.ts'

/**
 * A mask that was read: tells for a leaf whether it is named itself, only through its parent, or
 * not at all.
 */
export class FieldMask {
  readonly #paths: ReadonlySet<string>

  constructor(paths: ReadonlySet<string>) {
    this.#paths = paths
  }

  /** The leaf itself is named: the request's value is taken even if it is the default. */
  names(leaf: string): boolean {
    return this.#paths.has(leaf)
  }

  /** A parent is named: only a value other than the default is taken. */
  covers(leaf: string): boolean {
    return [...this.#paths].some((path) => leaf.startsWith(`${path}.`))
  }

  /** The value to write: the request's where the mask reaches it, else what is stored. */
  pick<T>(leaf: string, requested: T | undefined, stored: T, fallback: T): T {
    if (this.names(leaf)) return requested ?? fallback
    return this.covers(leaf) && requested !== undefined && requested !== fallback
      ? requested
      : stored
  }
}

/**
 * Reads a mask against the paths that a resource knows (the interface's names, dotted); a text is
 * the reason of a refusal. Paths without effect (`id`, `metadata.resourceVersion`) belong to
 * `known` too.
 */
export function readFieldMask(
  paths: readonly string[],
  known: readonly string[],
): FieldMask | string {
  if (paths.length === 0) return reasonText('maskEmpty')
  const names = new Map(
    known.flatMap((path) => [
      [path, path],
      [snakeCase(path), path],
    ]),
  )
  const unknown = paths.find((path) => !names.has(path))
  if (unknown !== undefined) return reasonText('maskUnknownPath', { path: shortKey(unknown) })
  const read = paths.map((path) => names.get(path) ?? path)
  const duplicate = paths.find((_, index) => read.indexOf(read[index] ?? '') !== index)
  return duplicate === undefined
    ? new FieldMask(new Set(read))
    : reasonText('maskDuplicatePath', { path: shortKey(duplicate) })
}
