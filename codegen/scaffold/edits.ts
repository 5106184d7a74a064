// Changes of hand-written files as they are gathered, by file.
import type { Module } from './module.ts'
import { applyPatches, distinctPatches } from './patch.ts'
import type { Patch } from './patch.ts'

/** A file and what changes in it, each change once. */
interface FileEdits {
  readonly module: Module
  readonly patches: readonly Patch[]
}

/** By absolute path. */
export type Edits = Map<string, FileEdits>

/** Adds changes of one file. */
export function edit(edits: Edits, module: Module, ...patches: readonly Patch[]): void {
  const known = edits.get(module.file)
  edits.set(module.file, { module, patches: distinctPatches([...known?.patches ?? [], ...patches]) })
}

/** New texts by absolute path, of files whose text changes. */
export function editedTexts(edits: Edits): ReadonlyMap<string, string> {
  const texts = [...edits.values()].map(({ module, patches }): readonly [string, string, string] => {
    return [module.file, module.text, applyPatches(module.text, patches)]
  })
  return new Map(texts.filter(([, before, after]) => before !== after).map(([file, , after]) => [file, after]))
}
