// What a row of the table of JSON Schema's keywords says. Loaders, validators, arbitraries, diff,
// lint and docs/documents.md read their part of it and know no list of their own.
import type { FormName, ReadForm } from './forms.ts'

/** The types that have keywords of their own; an integer is a number. */
export type KeywordType = 'number' | 'string' | 'array' | 'object'

/**
 * What a keyword is for. `type`: says which type a value has; `values`: lists the values;
 * `composition`: puts schemas together; `rule`: narrows; `hint`: tells how to read a value;
 * `note`: is for readers; `place`: names places for references; `older`: stands for another
 * keyword; `unchecked`: known to the standard and not enforced by generated code.
 */
export type Role =
  'type' | 'values' | 'composition' | 'rule' | 'hint' | 'note' | 'place' | 'older' | 'unchecked'

/** A condition under which a value is wrong, and what the value must do. */
export interface Check {
  readonly fails: string
  readonly must: string
}

/**
 * Prints the check of a keyword's value for the variable `v`, whose type has been tested; undefined
 * where every value passes. `constant` names an expression that is worked out once.
 */
export type PrintCheck = (
  value: unknown,
  v: string,
  constant: (stem: string, expression: string) => string,
) => Check | undefined

/**
 * How a change reads and what its rules are called: `CODE-tightened` and `CODE-loosened` for a
 * `limit` or `multiple` (which has `CODE-changed` as well), `CODE-added` and `CODE-removed` for a
 * `text` (and `CODE-changed`) or `flag`, `CODE-changed` for a `value`.
 */
export type Change =
  | {
      readonly as: 'limit' | 'multiple' | 'text' | 'value'
      readonly code: string
      readonly noun: string
    }
  | { readonly as: 'flag'; readonly code: string; readonly added: string; readonly removed: string }

interface Row {
  readonly role: Role
  /** The form of its value. */
  readonly form: FormName
  /** The only type that it speaks of; absent where it speaks of any. */
  readonly of?: KeywordType
  /** It is part of the generator's own form. */
  readonly kept?: true
  /** It has a part in the printed type. */
  readonly typed?: true
  /** OpenAPI 3.0 does not have it. */
  readonly later?: true
  /** The stricter of two limits. */
  readonly stricter?: 'higher' | 'lower'
  /** The limit that limits nothing. */
  readonly idle?: 0
  /** The keyword that is the limit on the other side. */
  readonly upper?: string
  /** The keyword that is the same limit, itself excluded. */
  readonly strict?: string
  /** Name in the combinators of arbitrary.gen.ts. */
  readonly option?: string
  readonly change?: Change
}

/**
 * A keyword that looks at a value by itself. Its check is printed for values of its type, from what
 * the generator's own form keeps of it: a row whose check would never run does not compile.
 */
interface CheckedRow extends Row {
  readonly role: 'rule'
  readonly of: KeywordType
  readonly kept: true
  readonly form: ReadForm
  readonly check: PrintCheck
}

/** A keyword that is checked by code of its own, or not at all. */
interface OtherRow extends Row {
  readonly check?: never
}

export type Keyword = CheckedRow | OtherRow
