// The words in which a prepared transaction names templates, choices and fields: clients that are
// served under a vocabulary read it in theirs, and sign what they read.

/** Names in one direction. */
export interface Words {
  /** `<package>:<Module>:<Entity>` */
  template(id: string): string
  /** The word for a package. */
  package(name: string): string
  /** The word for a choice or a variant. */
  name(name: string): string
  /** The word for a member of a value of `of`, a template or a choice. */
  field(name: string, of: string): string
  /** A value of `of` in JSON. */
  payload(value: unknown, of: string): unknown
}

/** `inward` takes back what `outward` does. */
export interface WireWords {
  readonly outward: Words
  readonly inward: Words
}

const same: Words = {
  template: (id) => id,
  package: (name) => name,
  name: (name) => name,
  field: (name) => name,
  payload: (value) => value,
}

/** The product's own words. */
export const OWN_WORDS: WireWords = { outward: same, inward: same }
