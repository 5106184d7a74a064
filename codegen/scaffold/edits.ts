// Changes of hand-written files as they are gathered, by file.
import type { Module } from './module.ts'
import { applySplices, distinctSplices } from './splice.ts'
import type { Splice } from './splice.ts'

interface FileEdits {
  readonly module: Module
  readonly splices: Splice[]
}

/** By absolute path. */
export type Edits = Map<string, FileEdits>

/** Adds changes of one file. */
export function edit(edits: Edits, module: Module, ...splices: readonly Splice[]): void {
  const known = edits.get(module.file)
  if (known === undefined) edits.set(module.file, { module, splices: [...splices] })
  else known.splices.push(...splices)
}

/** New texts by absolute path, of files whose text changes. */
export function editedTexts(edits: Edits): ReadonlyMap<string, string> {
  const texts = [...edits.values()].map(({ module, splices }): readonly [string, string, string] => {
    return [module.file, module.text, applySplices(module.text, distinctSplices(splices))]
  })
  return new Map(texts.filter(([, before, after]) => before !== after).map(([file, , after]) => [file, after]))
}
