// The generated error catalogue under short names: codes, categories and the texts of reasons. spec/errors.yaml
import { categories, codes, details, operations, reasons, redacted, texts, where } from '../../generated/errors.gen.ts'

export { categories, codes, details, operations, redacted, texts, where }

export type ErrorCode = keyof typeof codes
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
