// Prints validators.gen.ts: per component schema and per root one straight-line check and, where decoding changes a value, one lift.
// Names: checkName(n) = `check_…`, liftName(n) = `lift_…`; printed as `check_X(value: unknown, issues: Issue[], depth?: number): void`
// and `lift_X(value: unknown, depth?: number): unknown` (both fit WireMedia). Issues say in: 'body' and have pointers relative to
// the value ('' itself, '/a/0'; a missing property is pointed at itself). Imports only `../validation.gen.ts` = validationSupport().
import { readFileSync } from 'node:fs'
import type { InterfaceIr, Schema } from '../ir.ts'

/** A schema that gets a function of its own under a name that no component schema has. */
export interface ValidatorRoot {
  readonly name: string
  readonly schema: Schema
}

/** Name of the file beside the interface folders that `validationSupport` belongs into. */
export const VALIDATION_SUPPORT_FILE = 'validation.gen.ts'

/** Text of the helpers that printed validators import, for `<out>/validation.gen.ts`; also has `placeIssues` for parameters. */
export function validationSupport(): string {
  return readFileSync(new URL('./support/validation.ts', import.meta.url), 'utf8')
}

/** Identifier of the printed check function of a component schema or root; characters outside [A-Za-z0-9_] are hex-coded. */
export function checkName(name: string): string {
  return `check_${identifier(name)}`
}

/** Identifier of the printed lift function. It exists exactly where `hasLift` holds; call it where `needsLift` holds. */
export function liftName(name: string): string {
  return `lift_${identifier(name)}`
}

function identifier(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/gu, (char) => `$${char.codePointAt(0)?.toString(16) ?? ''}`)
}

/** True when an int64 stands somewhere in the schema: its text must then be read and written without loss. */
export function hasInt64(_ir: InterfaceIr, _schema: Schema): boolean {
  return false
}

/** True when decoding changes values of the schema (an int64 or a default somewhere); WireMedia.lift is then to be given. */
export function needsLift(_ir: InterfaceIr, _schema: Schema): boolean {
  return false
}

/** Text of validators.gen.ts (without marker line) for all component schemas of `ir` and the given roots. */
export function printValidators(_ir: InterfaceIr, _roots: readonly ValidatorRoot[]): string {
  return ''
}
