// Making a folder with all that is above it.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it; one that is there is left alone. Throws what the file system says. Level by level,
 * because Node's own recursive form never returns where a file system refuses to make folders (/proc).
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (isFolder(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    if (!isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
