// What a run of `generate` changes for those who use the interface: the documents that the last run
// left are compared with the new ones before they are overwritten.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasErrors } from '../findings.ts'
import { loadInterface } from '../load/load-interface.ts'
import type { LoadedInterface } from '../load/load-interface.ts'
import { diffInterfaces } from './diff-interfaces.ts'
import { wholeChange } from './interfaces.ts'
import type { InterfaceChanges } from './change.ts'

/**
 * Changes by interface; none for interfaces that are the same. `files`: what is about to be
 * written, by path relative to the output folder. `former`: names of the interfaces that the last
 * run wrote. What is gone is placed in the new document, where it stood: the old one will not be
 * there to look at.
 */
export function committedChanges(
  out: string,
  interfaces: readonly LoadedInterface[],
  files: ReadonlyMap<string, string>,
  former: readonly string[],
): readonly InterfaceChanges[] {
  const kept = interfaces.flatMap((after) => {
    const { name } = after.ir
    if (!former.includes(name))
      return [{ interface: name, changes: [wholeChange(after, 'interface-added')] }]
    const before =
      isWritten(out, name) &&
      readFileSync(documentIn(out, name), 'utf8') !== files.get(`${name}/${DOCUMENT}`)
        ? loadInterface(documentIn(out, name), { name })
        : undefined
    if (before === undefined || hasErrors(before.findings)) return []
    const changes = diffInterfaces({ ...before, locate: after.locate }, after)
    return changes.length === 0 ? [] : [{ interface: name, changes }]
  })
  const gone = former.filter(
    (name) => isWritten(out, name) && !interfaces.some(({ ir }) => ir.name === name),
  )
  return [
    ...kept,
    ...gone.map((name) => {
      return {
        interface: name,
        changes: [wholeChange(loadInterface(documentIn(out, name), { name }), 'interface-removed')],
      }
    }),
  ]
}

const DOCUMENT = 'openapi.json'

function documentIn(out: string, name: string): string {
  return join(out, name, DOCUMENT)
}

function isWritten(out: string, name: string): boolean {
  return existsSync(documentIn(out, name))
}
