// What a project tells the generator: which documents, where the output goes.

export interface GenerateConfig {
  /** One document an interface. `name` replaces `x-interface.name`, else the file's stem. */
  readonly interfaces: readonly { readonly spec: string; readonly name?: string }[]
  /** Output folder; the generator owns the files in it that bear its marker. */
  readonly out: string
  /** Catalogue of error codes, printed as errors.gen.ts: each top-level key becomes a constant. */
  readonly errors?: string
  /** Replaceable names of the wire, printed as wire-names.gen.ts in the same way. */
  readonly wireNames?: string
  /** Contract templates, printed as contracts.gen.ts: types, codecs and descriptions. */
  readonly contracts?: string
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
