// Loads the documents of a configuration as every command sees them: patched, renamed and changed
// by the same plugins.
import { resolve } from 'node:path'
import type { GenerateConfig, GenerateOptions, InterfaceConfig } from '../config.ts'
import { loadInterface } from './load-interface.ts'
import type { LoadedInterface, LoadOptions } from './load-interface.ts'
import { given } from '../values.ts'

/** All interfaces of a configuration, in its order. Never throws for what documents say. */
export function loadConfigured({
  config,
  root = process.cwd(),
}: GenerateOptions): readonly LoadedInterface[] {
  return config.interfaces.map((one) =>
    loadInterface(resolve(root, one.spec), loadOptions(config, root, one)),
  )
}

/** A configuration's options for one interface; its paths are relative to `root`. */
export function loadOptions(
  { plugins = [], strict }: GenerateConfig,
  root: string,
  { name, overlays, vocabulary, webhooks }: InterfaceConfig,
): LoadOptions {
  return {
    ...given({ name }),
    plugins,
    ...(strict === true ? { isStrict: true } : {}),
    ...given({ webhooks }),
    ...(overlays === undefined ? {} : { overlays: overlays.map((file) => resolve(root, file)) }),
    ...(vocabulary === undefined ? {} : { vocabulary: resolve(root, vocabulary) }),
  }
}
