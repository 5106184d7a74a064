// Where the commands of the generator get their configuration from: flags, or the file
// codegen.config.ts.
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { parseConfig } from '../config.ts'
import type { GenerateConfig, GenerateOptions, InterfaceConfig } from '../config.ts'
import { given, isFields } from '../values.ts'

/** Name of the configuration where none is given. */
export const CONFIG_FILE = 'codegen.config.ts'

export interface ConfigFlags {
  readonly spec?: readonly string[]
  readonly archive?: readonly string[]
  readonly out?: string
  readonly config?: string
  readonly overlay?: readonly string[]
  readonly vocabulary?: string
  readonly strict?: true
}

/** The help of `--strict`. */
export const STRICT = 'fail instead of leaving out an operation, a response or a rule'

/** Adds the flags that name documents, output and configuration. */
export function withConfigFlags(command: Command): Command {
  return command
    .option('--spec <file...>', 'OpenAPI 3 documents, YAML or JSON; needs --out')
    .option('--archive <file...>', 'archives of packages; needs --out')
    .option('--out <dir>', 'output folder')
    .option('--config <file>', `configuration file (default: ${CONFIG_FILE})`)
    .option('--overlay <file...>', 'OpenAPI Overlays, applied in this order to every document')
    .option('--vocabulary <file>', 'word map whose names the generated code uses')
    .option('--strict', STRICT)
}

/**
 * Options from flags or from the configuration file, which `importFile` imports; a text says what
 * is wrong.
 */
export async function optionsOf(
  flags: ConfigFlags,
  importFile = importOnce,
): Promise<GenerateOptions | string> {
  const options = await plainOptionsOf(flags, importFile)
  if (typeof options === 'string') return options
  const interfaces = options.config.interfaces.map((one) => withPatches(one, flags))
  const strict = flags.strict === true ? { strict: true } : {}
  return { ...options, config: { ...options.config, ...strict, interfaces } }
}

/**
 * Overlays of the command line come after those of the configuration, a vocabulary replaces the
 * configured one.
 */
function withPatches(one: InterfaceConfig, { overlay, vocabulary }: ConfigFlags): InterfaceConfig {
  return {
    ...one,
    ...(overlay === undefined
      ? {}
      : { overlays: [...(one.overlays ?? []), ...overlay.map((file) => resolve(file))] }),
    ...(vocabulary === undefined ? {} : { vocabulary: resolve(vocabulary) }),
  }
}

async function importConfig(
  file: string,
  importFile: typeof importOnce,
): Promise<GenerateConfig | string> {
  try {
    const module = await importFile(file)
    return parseConfig(isFields(module) ? (module['config'] ?? module['default']) : undefined)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function importOnce(file: string): Promise<unknown> {
  return import(pathToFileURL(file).href)
}

async function plainOptionsOf(
  flags: ConfigFlags,
  importFile: typeof importOnce,
): Promise<GenerateOptions | string> {
  if (flags.spec !== undefined || flags.archive !== undefined) {
    if (flags.out === undefined)
      return `${flags.spec === undefined ? '--archive' : '--spec'} needs --out DIR`
    return {
      config: {
        interfaces: (flags.spec ?? []).map((spec) => ({ spec: resolve(spec) })),
        ...given({ packages: flags.archive?.map((archive) => ({ archive: resolve(archive) })) }),
        out: resolve(flags.out),
      },
    }
  }
  const file = resolve(flags.config ?? CONFIG_FILE)
  if (!existsSync(file))
    return `no ${relative(process.cwd(), file)} here: give --spec FILE... --out DIR, or write one`
  const config = await importConfig(file, importFile)
  if (typeof config === 'string') return `${relative(process.cwd(), file)}: ${config}`
  return {
    config: flags.out === undefined ? config : { ...config, out: resolve(flags.out) },
    root: resolve(file, '..'),
  }
}
