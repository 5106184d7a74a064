// Says whether the bundle in dist/, or the wallet's page, was made of the sources as they are now: by
// their sizes and times, which a start can afford to read. Plain JavaScript: the entry asks before it is known
// whether this Node runs TypeScript.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The stamp's file, in the folder of what was made. */
const STAMP = 'sources.json'

/** Writes to `folder` what its content was made of: files and folders of `root` by their names. */
export function writeStamp(folder, root, names) {
  const states = names.map((name) => ({ name, ...stateOf(join(root, name)) }))
  writeFileSync(join(folder, STAMP), JSON.stringify(states))
}

/** True where all that the content of `folder` was made of is as it was. */
export function isUpToDate(folder, root) {
  const states = read(join(folder, STAMP))
  return states.length > 0 && states.every((then) => isSame(then, stateOf(join(root, then.name))))
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}

function stateOf(path) {
  const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? {}
  return { mtimeMs, size }
}

function isSame(then, now) {
  return then.mtimeMs === now.mtimeMs && then.size === now.size
}
