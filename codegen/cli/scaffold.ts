// The command `scaffold`.
import type { Command } from 'commander'

/** Adds `scaffold` to the command line. */
export function registerScaffold(program: Command): void {
  program.command('scaffold').description('add handlers for new operations to hand-written files')
}
