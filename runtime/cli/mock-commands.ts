// The command `mock` with its options; what it does is loaded when it is called.
import type { Command } from 'commander'
import { requireFastCheck } from './fast-check.ts'
import type { MockFlags } from './mock.ts'

/** Registers it. */
export function addMock(program: Command): void {
  program
    .command('mock <file...>')
    .description(
      'serve OpenAPI documents without an implementation, with examples and generated values',
    )
    .option('--port <number>', 'port to listen on; 0 takes a free one', '4010')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <number>', 'seed of the generated values', '1')
    .option('--random', 'new values for each request')
    .option('--stateless', 'keep no state')
    .option(
      '--no-cors',
      'answer only pages of the same origin, under the addresses of this machine',
    )
    .option('--overlay <file...>', 'OpenAPI Overlays, applied in this order to every document')
    .option('--cache <folder>', 'folder for generated code (default: a temporary folder)')
    .action(async (files: readonly string[], flags: MockFlags) => {
      requireFastCheck('mock')
      const { mock } = await import('./mock.ts')
      await mock(files, flags)
    })
}
