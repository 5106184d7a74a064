// `migrate`, `backup`, `restore` and `verify` with their options; what they do is loaded when one
// of them is called.
import type { Command } from 'commander'
import type { Flags } from './flags.ts'
import type { RestoreFlags } from './maintenance.ts'
import { withFlags } from './flags.ts'

/** Adds the commands to the program. */
export function addMaintenance(program: Command): void {
  const load = () => import('./maintenance.ts')
  withFlags(program.command('migrate'), false)
    .option('--check', 'only list pending changes; exit code 3 if there are any')
    .description('update the storage schema')
    .action(async (flags: Flags & { readonly check?: true }) => (await load()).migrate(flags))
  withFlags(program.command('backup'), false)
    .requiredOption('--to <file>', 'file to write, or - for standard output')
    .option('--force', 'replace an existing file')
    .description('write all data to a file; servers can keep running')
    .action(async (flags: Flags & { readonly to: string; readonly force?: true }) =>
      (await load()).backup(flags),
    )
  withFlags(program.command('restore'), false)
    .requiredOption('--from <file>', 'file of a backup, or - for standard input')
    .option('--in-place', 'it takes the place of its original, which is gone: keep its ids')
    .option(
      '--copy',
      'its original goes on: draw other ids for synchronizer and participants (the default)',
    )
    .description('restore a backup into empty storage, on either database')
    .action(async (flags: RestoreFlags) => (await load()).restore(flags))
  withFlags(program.command('verify'), false)
    .option('--json', 'as JSON')
    .description(
      'check the consistency of all data; servers can keep running; exit code 1 if there is a problem',
    )
    .action(async (flags: Flags & { readonly json?: true }) =>
      (await import('./verify.ts')).verify(flags),
    )
}
