// The flags that all commands with a configuration share. Loads nothing, so that help and usage
// errors come at once.
import type { Command } from 'commander'

export interface Flags {
  readonly port?: string
  readonly host?: string
  readonly data?: string
  readonly config?: string
  readonly profile?: string
  readonly empty?: true
  readonly acceptClock?: true
  /** One of several nodes, by name. */
  readonly node?: string
}

/** Adds `--config`, `--data` and `--profile`; with `address` also `--host` and `--port`. */
export function withFlags(command: Command, address: boolean): Command {
  if (address) {
    command.option('--port <number>', 'port to listen on (PORT, server.port)')
    command.option('--host <address>', 'address to listen on (HOST, server.host)')
  }
  return command
    .option('--data <folder>', 'folder for all data of the service (data)')
    .option('--config <file>', 'configuration file (default: ledgerwright.config.* in this folder)')
    .option('--profile <name>', 'dev, production or localnet (profile)')
}
