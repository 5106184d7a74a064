// The command `conform` with its options; what it does is loaded when it is called, so that help
// comes at once.
import type { Command } from 'commander'
import { requireFastCheck } from './fast-check.ts'
import type { ConformFlags } from './conform-flags.ts'

/** Registers it. */
export function addConform(program: Command): void {
  program
    .command('conform')
    .description('test a server against its OpenAPI documents with generated requests')
    .requiredOption('--url <address>', 'address of the server')
    .option(
      '--spec <file...>',
      'its documents, as FILE or FILE=/prefix (default: those of this service)',
    )
    .option('--overlay <file...>', 'OpenAPI Overlays, applied in this order to every document')
    .option('--vocabulary <file>', 'vocabulary that the server uses')
    .option('--token <text>', 'token for operations that need one')
    .option('--token-file <file>', 'file with the token, which reports then omit')
    .option('--header <line...>', "sent with every request: 'Name: value'")
    .option('--runs <number>', 'random requests for each operation and kind', '100')
    .option(
      '--extremes <number>',
      'maximum of requests with extreme values for each operation',
      '70',
    )
    .option('--seed <number>', 'seed of random requests (default: a new one each time)')
    .option('--only <operation...>', 'test only these operations')
    .option('--skip <operation...>', 'skip these operations')
    .option('--max-response-ms <number>', 'report slower answers')
    .option('--timeout-ms <number>', 'time limit of an answer', '30000')
    .option('--allow <what...>', 'accept this status: OPERATION:STATUS')
    .option('--report <what...>', 'write junit=FILE or json=FILE')
    .option('--seconds <number>', 'send no new requests after this time')
    .option('--read-only', 'send only GET and HEAD')
    .option('--fail-fast', 'stop at the first violation')
    .option('--cache <folder>', 'folder for generated code (default: a temporary folder)')
    .option('--parallel <number>', 'concurrent operations', '8')
    .action(async (flags: ConformFlags) => {
      requireFastCheck('conform')
      const { conform } = await import('./conform.ts')
      await conform(flags)
    })
}
