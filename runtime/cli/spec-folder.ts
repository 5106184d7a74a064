// Where the product's own documents are: beside the sources, or beside what was built of them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../host/problem.ts'

/** Undefined where they are not installed. */
function found(): string | undefined {
  return ['../../spec', '../../../spec']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path))
}

/** The folder of the documents. Throws CommandError, with `advice`, where there is none. */
export function specFolder(advice = ''): string {
  const folder = found()
  if (folder === undefined)
    throw new CommandError(`the documents of this service are missing${advice}`)
  return folder
}

/** Folder of the word maps that ship with the product; undefined where it is not installed. */
export function presetFolder(): string | undefined {
  const folder = found()
  return folder === undefined ? undefined : join(folder, 'presets')
}
