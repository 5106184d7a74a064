// Changes of hand-written files as insertions and replacements at places: whatever lies between
// them is never written anew.
import type ts from 'typescript'
import type { Module } from './module.ts'

/** Replaces `length` characters (0 for an insertion) at offset `at` of the text as it was. */
export interface Patch {
  readonly at: number
  readonly length: number
  readonly text: string
}

/** An insertion. */
export function insertion(at: number, text: string): Patch {
  return { at, length: 0, text }
}

/** Another text in place of a node's. */
export function patchOver({ tree }: Module, node: ts.Node, text: string): Patch {
  const at = node.getStart(tree)
  return { at, length: node.end - at, text }
}

/**
 * The text with all patches done. Insertions at one place come in the given order. Throws when two
 * replacements overlap.
 */
function applyPatches(text: string, patches: readonly Patch[]): string {
  const ordered = patches.toSorted((a, b) => a.at - b.at || a.length - b.length)
  let done = 0
  const parts: string[] = []
  for (const { at, length, text: added } of ordered) {
    if (at < done) throw new Error(`two changes of one place of a file, at ${at}`)
    parts.push(text.slice(done, at), added)
    done = at + length
  }
  return parts.join('') + text.slice(done)
}

/** Patches of which each stands once: two ways may lead to the same renaming. */
function distinctPatches(patches: readonly Patch[]): readonly Patch[] {
  return [
    ...new Map(
      patches.map((patch) => [`${patch.at} ${patch.length} ${patch.text}`, patch]),
    ).values(),
  ]
}

/** A file and what changes in it, each change once. */
interface FileEdits {
  readonly module: Module
  readonly patches: readonly Patch[]
}

/** Edits by absolute path. */
export type Edits = Map<string, FileEdits>

/** Adds changes of one file. */
export function edit(edits: Edits, module: Module, ...patches: readonly Patch[]): void {
  const known = edits.get(module.file)
  edits.set(module.file, {
    module,
    patches: distinctPatches([...(known?.patches ?? []), ...patches]),
  })
}

/** New texts by absolute path, of files whose text changes. */
export function editedTexts(edits: Edits): ReadonlyMap<string, string> {
  const texts = [...edits.values()].map(
    ({ module, patches }): readonly [string, string, string] => {
      return [module.file, module.text, applyPatches(module.text, patches)]
    },
  )
  return new Map(
    texts.filter(([, before, after]) => before !== after).map(([file, , after]) => [file, after]),
  )
}
