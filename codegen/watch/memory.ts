// What one run of the pipeline leaves to the next: files by their content, interfaces by their
// files, texts by their interface.
import { readFileSync } from 'node:fs'
import { rememberedTypes } from '../emit/hey-api.ts'
import { emitInterface } from '../emit/interface.ts'
import { emitPluginFiles } from '../emit/plugin-files.ts'
import type { EmittedFiles } from '../emit/plugin-files.ts'
import type { InterfaceIr } from '../ir.ts'
import { canonicalJson } from '../json.ts'
import { loadInterface } from '../load/load-interface.ts'
import type { LoadedInterface, LoadOptions } from '../load/load-interface.ts'
import { readSource } from '../load/source.ts'
import type { Source } from '../load/source.ts'
import type { InputFile, Stages } from '../pipeline.ts'
import { fingerprints } from '../plan/fingerprint.ts'

/**
 * Stages of the pipeline that remember. One for one configuration: the same plugins run for as long
 * as it lives.
 */
export function rememberingStages(): Stages {
  const read = sourceReader()
  const types = rememberedTypes()
  const interfaces = new Map<string, LoadedInterface>()
  const prints = new WeakMap<InterfaceIr, ReturnType<typeof fingerprints>>()
  return {
    read,
    load: (file, options) => {
      const key = keyOf(file, options)
      const known = interfaces.get(key)
      if (known?.inputs.every(isUnchanged) === true) return known
      const loaded = loadInterface(file, { ...options, read })
      interfaces.set(key, loaded)
      return loaded
    },
    emit: onceEach((loaded, hasArbitraries) => emitInterface(loaded, hasArbitraries, types)),
    emitPlugins: emitPluginsOnce(),
    fingerprints: (ir) => {
      const known = prints.get(ir) ?? fingerprints(ir)
      prints.set(ir, known)
      return known
    },
  }
}

/** True while a file holds what was read of it; one that could not be read holds nothing. */
export function isUnchanged({ file, bytes }: InputFile): boolean {
  try {
    return readFileSync(file).equals(bytes)
  } catch {
    return bytes.length === 0
  }
}

function keyOf(
  file: string,
  { name, overlays, vocabulary, webhooks, isStrict }: LoadOptions,
): string {
  return canonicalJson({ file, name, overlays, vocabulary, webhooks, isStrict })
}

function sourceReader(): (file: string) => Source {
  const known = new Map<string, Source>()
  return (file) => {
    const before = known.get(file)
    if (before !== undefined && isUnchanged(before)) return before
    const source = readSource(file)
    known.set(file, source)
    return source
  }
}

/** Calls once for each interface, unless the call fails. */
function onceEach<T>(
  work: (loaded: LoadedInterface, hasArbitraries: boolean) => Promise<T>,
): (loaded: LoadedInterface, hasArbitraries: boolean) => Promise<T> {
  const done = new WeakMap<LoadedInterface, { readonly result: T }>()
  return async (loaded, hasArbitraries) => {
    const known = done.get(loaded) ?? { result: await work(loaded, hasArbitraries) }
    done.set(loaded, known)
    return known.result
  }
}

function emitPluginsOnce(): Stages['emitPlugins'] {
  const done = new WeakMap<LoadedInterface, EmittedFiles>()
  return async (plugins, loaded) => {
    const known = done.get(loaded) ?? (await emitPluginFiles(plugins, loaded))
    done.set(loaded, known)
    return known
  }
}
