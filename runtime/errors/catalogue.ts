// The generated error catalogue under short names: codes, categories and the texts of reasons.
// spec/errors.yaml
import {
  categories,
  codes,
  details,
  operations,
  reasons,
  redacted,
  texts,
  where,
} from '../../generated/errors.gen.ts'

export { categories, codes, details, operations, redacted, texts, where }

export type ErrorCode = keyof typeof codes
/** Every HTTP status that an error of the catalogue can have. */
export type ErrorStatus =
  | (typeof categories)[keyof typeof categories]['http']
  | Extract<CodeEntry, { httpStatus: number }>['httpStatus']
type CodeEntry = (typeof codes)[ErrorCode]
export type ReasonName = keyof typeof reasons
export type Facts = Readonly<Record<string, string>>

/** Fills the `{placeholders}` of a template; a fact that is missing leaves nothing. */
export function fill(template: string, facts: Facts): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '')
}

/** @example reasonText('maskUnknownPath', { path: 'nope' }) */
export function reasonText(name: ReasonName, facts: Facts = {}): string {
  return fill(reasons[name], facts)
}
