// The command `conform` with its options; what it does is loaded when it is called, so that help
// comes at once.
import type { Command } from 'commander'
import { requireFastCheck } from './fast-check.ts'
import type { ConformFlags } from './conform-flags.ts'

type Interruptible = (work: () => Promise<void>) => Promise<void>

/** Registers it. `interruptible` ends a command that the person interrupts. */
export function addConform(program: Command, interruptible: Interruptible): void {
  program
    .command('conform')
    .description('hold a server to its OpenAPI documents with generated requests')
    .requiredOption('--url <address>', 'address of the server')
    .option(
      '--spec <file...>',
      'its documents, as FILE or FILE=/prefix (default: those of this service)',
    )
    .option('--overlay <file...>', 'OpenAPI Overlays, applied in this order to every document')
    .option('--vocabulary <file>', 'word map under whose names the server speaks')
    .option('--token <text>', 'token that is sent where the documents want one')
    .option('--token-file <file>', 'file with the token; reports then never hold it')
    .option('--header <line...>', "sent with every request: 'Name: value'")
    .option('--runs <number>', 'requests at random for each operation and kind', '100')
    .option(
      '--extremes <number>',
      'at most so many requests with extreme values for each operation',
      '70',
    )
    .option('--seed <number>', 'seed of all that is random (default: another one each time)')
    .option('--only <operation...>', 'only these operations')
    .option('--skip <operation...>', 'not these operations')
    .option('--max-response-ms <number>', 'a slower answer is a finding')
    .option('--timeout-ms <number>', 'how long to wait for an answer', '30000')
    .option('--allow <what...>', 'OPERATION:STATUS that is no finding')
    .option('--report <what...>', 'write junit=FILE or json=FILE')
    .option('--seconds <number>', 'send nothing new after this time')
    .option('--read-only', 'send only GET and HEAD')
    .option('--fail-fast', 'end with the first violation')
    .option(
      '--cache <folder>',
      'where generated code is kept (default: a folder of the system for temporary files)',
    )
    .option('--parallel <number>', 'operations at a time', '8')
    .action((flags: ConformFlags) =>
      interruptible(async () => {
        requireFastCheck('conform')
        const { conform } = await import('./conform.ts')
        await conform(flags)
      }),
    )
}
