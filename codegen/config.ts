// What a project tells the generator: which documents, what to do with them before, where the
// output goes.
import { parsePlugins } from './plugin.ts'
import type { GeneratorPlugin } from './plugin.ts'
import { fields, given, isFields, items, text, texts } from './values.ts'

/** One document, and what is done to it before it is generated from. */
export interface InterfaceConfig {
  /** The OpenAPI document. */
  readonly spec: string
  /** Replaces `x-interface.name`, else the file's stem. */
  readonly name?: string
  /** OpenAPI Overlay documents, applied in this order to the document as it is written. */
  readonly overlays?: readonly string[]
  /** Word map: the interface is generated under other names (docs/vocabulary.md). */
  readonly vocabulary?: string
  /**
   * `false` leaves out arbitraries.gen.ts, on which example answers and the generated tests of a
   * project rest.
   */
  readonly arbitraries?: boolean
  /**
   * Generates from the webhooks and callbacks of the document, as an interface of its own, in place
   * of its paths; its name is the document's with `-webhooks`.
   */
  readonly webhooks?: boolean
}

/** An archive of the contract language. */
export interface PackageConfig {
  /** The archive: its main package is generated, and what of others that leads to. */
  readonly archive: string
}

/** The export of codegen.config.ts. Paths are relative to its folder. */
export interface GenerateConfig {
  /** One document an interface. */
  readonly interfaces: readonly InterfaceConfig[]
  /** Output folder; the generator owns the files in it that bear its marker. */
  readonly out: string
  /** Catalogue of error codes, printed as errors.gen.ts: each top-level key becomes a constant. */
  readonly errors?: string
  /** Replaceable names of the wire, printed as wire-names.gen.ts in the same way. */
  readonly wireNames?: string
  /** Contract templates, printed as contracts.gen.ts: types, codecs and descriptions. */
  readonly contracts?: string
  /** Archives, whose types are printed below `packages`. */
  readonly packages?: readonly PackageConfig[]
  /**
   * Files or folders with hand-written handlers, for `ledgerwright scaffold`; the whole project
   * when absent.
   */
  readonly handlers?: readonly string[]
  /** Hooks of the team's own, in this order. */
  readonly plugins?: readonly GeneratorPlugin[]
  /** Faults that otherwise cost an operation, an answer or a rule are errors. */
  readonly strict?: boolean
}

/** A configuration and the folder that its paths are relative to. */
export interface GenerateOptions {
  readonly config: GenerateConfig
  /** Absolute; the current folder when absent. */
  readonly root?: string
}

/** Gives codegen.config.ts its type. */
export function defineConfig(config: GenerateConfig): GenerateConfig {
  return config
}

/** The configuration that a module exports; a text says what is wrong with it. */
export function parseConfig(value: unknown): GenerateConfig | string {
  if (!isFields(value)) return 'exports no `config`'
  const out = text(value['out'])
  if (out === undefined) return '`out` must be a folder'
  const packages = items(value['packages']).map((one) => text(fields(one)['archive']))
  const archives = packages.filter((one) => one !== undefined)
  if (archives.length < packages.length) return '`packages` must be a list of { archive }'
  const interfaces = items(value['interfaces']).map(parseInterface)
  const known = interfaces.filter((one) => one !== undefined)
  if (known.length + archives.length === 0 || known.length < interfaces.length) {
    return '`interfaces` must be a list of { spec, name?, overlays?, vocabulary? }'
  }
  const plugins = parsePlugins(value['plugins'])
  if (typeof plugins === 'string') return plugins
  const handlers = texts(value['handlers'])
  return {
    interfaces: known,
    out,
    ...given({
      errors: text(value['errors']),
      wireNames: text(value['wireNames']),
      contracts: text(value['contracts']),
    }),
    ...(archives.length === 0 ? {} : { packages: archives.map((archive) => ({ archive })) }),
    ...(handlers.length === 0 ? {} : { handlers }),
    ...(plugins.length === 0 ? {} : { plugins }),
    ...(value['strict'] === true ? { strict: true } : {}),
  }
}

function parseInterface(value: unknown): InterfaceConfig | undefined {
  if (!isFields(value)) return undefined
  const spec = text(value['spec'])
  const overlays = texts(value['overlays'])
  if (spec === undefined) return undefined
  return {
    spec,
    ...given({ name: text(value['name']), vocabulary: text(value['vocabulary']) }),
    ...(overlays.length === 0 ? {} : { overlays }),
    ...(value['arbitraries'] === false ? { arbitraries: false } : {}),
    ...(value['webhooks'] === true ? { webhooks: true } : {}),
  }
}
