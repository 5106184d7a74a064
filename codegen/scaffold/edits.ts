// Changes of hand-written files as they are gathered, by file.
import type { Module } from './module.ts'
import { applySplices, distinctSplices } from './splice.ts'
import type { Splice } from './splice.ts'

/** A file and what changes in it, each change once. */
interface FileEdits {
  readonly module: Module
  readonly splices: readonly Splice[]
}

/** By absolute path. */
export type Edits = Map<string, FileEdits>

/** Adds changes of one file. */
export function edit(edits: Edits, module: Module, ...splices: readonly Splice[]): void {
  const known = edits.get(module.file)
  edits.set(module.file, { module, splices: distinctSplices([...known?.splices ?? [], ...splices]) })
}

/** New texts by absolute path, of files whose text changes. */
export function editedTexts(edits: Edits): ReadonlyMap<string, string> {
  const texts = [...edits.values()].map(({ module, splices }): readonly [string, string, string] => {
    return [module.file, module.text, applySplices(module.text, splices)]
  })
  return new Map(texts.filter(([, before, after]) => before !== after).map(([file, , after]) => [file, after]))
}
