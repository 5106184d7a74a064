// The flags that all commands with a configuration share, and reading the configuration with them.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { ConfigResult } from '../host/config/configuration.ts'
import type { Layer } from '../host/config/layers.ts'
import { loadConfiguration } from '../host/config/configuration.ts'
import { nest, readText } from '../host/config/environment.ts'

export interface Flags {
  readonly port?: string
  readonly host?: string
  readonly data?: string
  readonly config?: string
  readonly profile?: string
}

/** Adds `--config`, `--data` and `--profile`; with `address` also `--host` and `--port`. */
export function withFlags(command: Command, address: boolean): Command {
  if (address) {
    command.option('--port <number>', 'port to listen on (PORT, server.port)')
    command.option('--host <address>', 'address to listen on (HOST, server.host)')
  }
  return command
    .option('--data <folder>', 'folder of everything that the service writes (data)')
    .option('--config <file>', 'configuration file (default: ledgerwright.config.* in this folder)')
    .option('--profile <name>', 'dev or production (profile)')
}

/** Reads file, environment and flags of this process. */
export async function readSettings(flags: Flags): Promise<ConfigResult> {
  return await loadConfiguration({
    folder: resolve('.'), file: flags.config, env: process.env, flags: flagLayers(flags),
  })
}

function flagLayers(flags: Flags): readonly Layer[] {
  const layer = (name: string, path: readonly string[], value: unknown): Layer[] =>
    value === undefined ? [] : [{ origin: `flag --${name}`, values: nest(path, value) }]
  return [
    ...layer('profile', ['profile'], flags.profile),
    ...layer('data', ['data'], flags.data),
    ...layer('host', ['server', 'host'], flags.host),
    ...layer('port', ['server', 'port'], flags.port === undefined ? undefined : readText(flags.port)),
  ]
}
