// The command `lint`.
import type { Command } from 'commander'

/** Adds `lint` to the command line. */
export function registerLint(program: Command): void {
  program.command('lint').description('say what is wrong with documents')
}
