// The command `diff`.
import type { Command } from 'commander'

/** Adds `diff` to the command line. */
export function registerDiff(program: Command): void {
  program.command('diff').description('say what a change of documents breaks')
}
