// `migrate`, `backup`, `restore` and `verify` with their options; what they do is loaded when one
// of them is called.
import type { Command } from 'commander'
import type { Flags } from './flags.ts'
import { withFlags } from './flags.ts'

/** Adds the commands to the program; `interruptible` is its way to run one. */
export function addMaintenance(
  program: Command,
  interruptible: (work: () => Promise<void>) => Promise<void>,
): void {
  const load = () => import('./maintenance.ts')
  withFlags(program.command('migrate'), false)
    .option('--check', 'change nothing; exit code 3 if there is something to do')
    .description('bring the schema of the storage up to date')
    .action((flags: Flags & { readonly check?: true }) =>
      interruptible(async () => (await load()).migrate(flags)),
    )
  withFlags(program.command('backup'), false)
    .requiredOption('--to <file>', 'file to write, or - for standard output')
    .option('--force', 'replace the file if it is there')
    .description('write all data of the storage to a file, also while servers run on it')
    .action((flags: Flags & { readonly to: string; readonly force?: true }) =>
      interruptible(async () => (await load()).backup(flags)),
    )
  withFlags(program.command('restore'), false)
    .requiredOption('--from <file>', 'file of a backup, or - for standard input')
    .description('read a backup into empty storage; of the same database or another')
    .action((flags: Flags & { readonly from: string }) =>
      interruptible(async () => (await load()).restore(flags)),
    )
  withFlags(program.command('verify'), false)
    .option('--json', 'as JSON')
    .description(
      'check all data of the storage against itself, also while servers run on it; exit code 1 if something is wrong',
    )
    .action((flags: Flags & { readonly json?: true }) =>
      interruptible(async () => {
        const { verify } = await import('./verify.ts')
        await verify(flags)
      }),
    )
}
