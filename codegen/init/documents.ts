// The document of a new project and the files that it refers to: where they are now, where they go.
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { LoadedInterface } from '../load/load-interface.ts'

interface PlacedDocuments {
  /** The document itself, relative to the project, with slashes. */
  readonly spec: string
  /**
   * What is to be written, by path relative to the project; nothing when all of it is in the
   * project already.
   */
  readonly copies: ReadonlyMap<string, Uint8Array>
  /** The present place of each of them, absolute. */
  readonly origins: ReadonlyMap<string, string>
}

const FOLDER = 'spec'

/**
 * Finds places for a document and the files that it refers to below `spec/`, the same to each other
 * as they are now. Files that all stand in the project already stay there.
 */
export function placeDocuments(loaded: LoadedInterface, project: string): PlacedDocuments {
  // A file that could not be read has no bytes: it is no file to copy.
  const inputs = loaded.inputs.filter(({ bytes }) => bytes.length > 0)
  const files = inputs.map(({ file }) => file)
  const root = files[0] ?? ''
  if (files.every((file) => isBelow(file, project)))
    return { spec: slashed(relative(project, root)), copies: new Map(), origins: new Map() }
  const common = files.map(dirname).reduce(commonFolder)
  const placeOf = (file: string): string =>
    `${FOLDER}/${slashed(relative(common, file)) || basename(file)}`
  return {
    spec: placeOf(root),
    copies: new Map(inputs.map(({ file, bytes }) => [placeOf(file), bytes])),
    origins: new Map(files.map((file) => [placeOf(file), file])),
  }
}

/**
 * Files that a document refers to and that stand neither near it, below the parent of its folder,
 * nor below the current folder: whoever wrote the document chose them, not who uses it.
 */
export function filesFarAway({ inputs }: LoadedInterface): readonly string[] {
  const [root, ...others] = inputs.map(({ file }) => file)
  const near = dirname(dirname(root ?? ''))
  return others.filter((file) => !isBelow(file, near) && !isBelow(file, process.cwd()))
}

function isBelow(file: string, folder: string): boolean {
  const path = relative(folder, file)
  return !path.startsWith('..') && !isAbsolute(path)
}

function commonFolder(a: string, b: string): string {
  const [left, right] = [a.split(sep), b.split(sep)]
  const end = left.findIndex((part, index) => part !== right[index])
  const common = left.slice(0, end === -1 ? left.length : end)
  return common.length > 1 ? common.join(sep) : join(common[0] ?? '', sep)
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}
