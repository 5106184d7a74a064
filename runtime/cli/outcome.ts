// How commands end: exit codes, and one line on standard error for a failure.
import type { ConfigProblem } from '../host/problem.ts'
import { maskUrls } from '../host/mask.ts'
import { printable } from '../host/printable.ts'
import { member } from '../host/member.ts'
import { CommandError, formatProblem, messageOf } from '../host/problem.ts'

/** Exit codes of every command. docs/commands.md */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  drift: 3,
  conformance: 4,
  interrupted: 130,
} as const

/**
 * Says what went wrong, without secrets of addresses, and sets the exit code; the event loop then
 * ends the process.
 */
export function fail(error: unknown): void {
  process.stderr.write(`ledgerwright: ${printable(maskUrls(messageOf(error)))}\n`)
  process.exitCode = error instanceof CommandError ? error.exitCode : EXIT.failed
}

/** All problems of a configuration as one line: the first in full, the others counted. */
export function configError(problems: readonly ConfigProblem[], exitCode: number): CommandError {
  const [first, ...others] = problems
  const more =
    others.length === 0 ? '' : ` (and ${others.length} more; "ledgerwright config check" lists all)`
  const text = first === undefined ? 'unknown problem' : formatProblem(first)
  return new CommandError(`configuration: ${text}${more}`, exitCode)
}

/**
 * Prints Node's warnings on one line each, but not the advice to add a package.json beside a
 * configuration or a plugin written as a module: nothing is wrong with such a file.
 */
export function tameWarnings(): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if (member(warning, 'code') === 'MODULE_TYPELESS_PACKAGE_JSON') return
    process.stderr.write(`${warning.name}: ${maskUrls(messageOf(warning))}\n`)
  })
}
