// What is known of a document's text once it has been parsed.

export type Path = readonly string[]

/** A parser's result for a text. Lines and columns count from 1. */
export interface ParsedText {
  readonly data: unknown
  readonly errors: readonly (TextPlace & { readonly code: string; readonly message: string })[]
  /** The place of the key that a path ends in, or of the nearest ancestor that exists. */
  place(path: Path): TextPlace
}

export interface TextPlace {
  readonly line: number
  readonly column: number
}
