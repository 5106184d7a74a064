// The command `init`.
import type { Command } from 'commander'

/** Adds `init` to the command line. */
export function registerInit(program: Command): void {
  program.command('init').description('make a project from an OpenAPI document')
}
