// Reads the configuration with the flags of the command line on top.
import { resolve } from 'node:path'
import type { ConfigResult } from '../host/config/configuration.ts'
import type { Flags } from './flags.ts'
import type { Layer } from '../host/config/layers.ts'
import { loadConfiguration } from '../host/config/configuration.ts'
import { nest, readText } from '../host/config/environment.ts'
import { defaultPlugins } from './built-in.ts'
import { presetFolder } from './spec-folder.ts'

/** Reads file, environment and flags of this process. */
export async function readSettings(flags: Flags): Promise<ConfigResult> {
  return await loadConfiguration({
    folder: resolve('.'),
    file: flags.config,
    env: process.env,
    flags: flagLayers(flags),
    plugins: defaultPlugins,
    presets: presetFolder(),
  })
}

function flagLayers(flags: Flags): readonly Layer[] {
  const layer = (name: string, path: readonly string[], value: unknown): Layer[] =>
    value === undefined ? [] : [{ origin: `flag --${name}`, values: nest(path, value) }]
  return [
    ...layer('profile', ['profile'], flags.profile),
    ...layer('data', ['data'], flags.data),
    ...layer('host', ['server', 'host'], flags.host),
    ...layer('empty', ['empty'], flags.empty),
    ...layer('accept-ahead', ['ledger', 'acceptAhead'], flags.acceptAhead),
    ...layer(
      'port',
      ['server', 'port'],
      flags.port === undefined ? undefined : readText(flags.port),
    ),
  ]
}
