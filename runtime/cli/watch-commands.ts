// `status` and `doctor` with their options; what they do is loaded when one of them is called, so
// that a health check of a container costs little.
import { Option } from 'commander'
import type { Command } from 'commander'
import { withFlags } from './flags.ts'
import type { DoctorFlags } from './doctor/doctor.ts'
import type { StatusFlags } from './status/status.ts'

/** Registers them. */
export function addWatch(program: Command): void {
  withFlags(program.command('status'), true)
    .description(
      'show whether a running service is healthy, and its backlog; exit code 1 if it is not healthy',
    )
    .option('--node <name>', 'one of several nodes (default: the first)')
    .option('--url <address>', 'address of the service (default: from the configuration)')
    .option('--metrics <address>', 'address of its metrics (default: from the configuration)')
    .addOption(
      new Option('-o, --output <form>', 'output format')
        .choices(['text', 'json', 'env'])
        .default('text'),
    )
    .option('--sizes', "sizes of the storage's tables instead, and what pruning would free")
    .option('--json', 'as JSON')
    .action(async (flags: StatusFlags) => (await import('./status/status.ts')).printStatus(flags))
  withFlags(program.command('doctor'), true)
    .description('check this installation and suggest fixes; exit code 1 if there is a fault')
    .option('--json', 'as JSON')
    .action(async (flags: DoctorFlags) => (await import('./doctor/doctor.ts')).examine(flags))
}
