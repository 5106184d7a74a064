// Puts generated files on disk: refuses to touch what somebody else wrote or edited, leaves equal
// files alone, renames into place.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256Text } from '../json.ts'
import { compareText } from '../values.ts'
import { markerState } from './marker.ts'

/** Text by path relative to the output folder. */
export type OutputFiles = ReadonlyMap<string, string>

export interface WriteResult {
  /** Files that were not there before. */
  readonly written: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly unchanged: readonly string[]
  /** Files that stand in the way; when there is one, nothing was written. */
  readonly refused: readonly { readonly file: string; readonly reason: string }[]
}

type State = 'new' | 'same' | 'ours' | 'edited' | 'foreign' | 'linked'

/** Reasons why a file in such a state is left alone. */
const REASONS = [
  ['edited', 'was edited by hand'],
  ['foreign', 'was not generated'],
  ['linked', 'is behind a link'],
] as const

/** Compares files with the disk, writing nothing. `former` are the files of the run before. */
export function compareFiles(
  out: string,
  files: OutputFiles,
  former: readonly string[],
): WriteResult {
  const states = new Map([...files].map(([file, content]) => [file, stateOf(out, file, content)]))
  const stale = former
    .filter((file) => !files.has(file) && existsSync(join(out, file)))
    .sort(compareText)
  const staleStates = new Map(stale.map((file) => [file, stateOf(out, file, undefined)]))
  const having = (
    map: ReadonlyMap<string, State>,
    ...wanted: readonly State[]
  ): readonly string[] => {
    return [...map]
      .filter(([, state]) => wanted.includes(state))
      .map(([file]) => file)
      .sort(compareText)
  }
  return {
    written: having(states, 'new'),
    changed: having(states, 'ours'),
    unchanged: having(states, 'same'),
    removed: having(staleStates, 'ours'),
    refused: REASONS.flatMap(([state, reason]) =>
      [...having(states, state), ...having(staleStates, state)].map((file) => ({ file, reason })),
    ),
  }
}

/**
 * Writes what differs. All or nothing as far as refusals go; each file appears whole by a rename.
 */
export function writeFiles(
  out: string,
  files: OutputFiles,
  former: readonly string[],
): WriteResult {
  const result = compareFiles(out, files, former)
  if (result.refused.length > 0) return result
  removeDrafts(out, [...files.keys()])
  for (const file of [...result.written, ...result.changed])
    writeWhole(join(out, file), files.get(file) ?? '')
  for (const file of result.removed) rmSync(join(out, file))
  for (const folder of foldersOf(result.removed)) removeIfEmpty(join(out, folder))
  return result
}

/** How a file that is a source, and has no marker, compares with what it has to hold. */
export function sourceState({ file, bytes }: SourceFile): 'new' | 'same' | 'other' {
  if (!existsSync(file)) return 'new'
  return sha256Text(readFileSync(file)) === sha256Text(bytes) ? 'same' : 'other'
}

/** Writes such a file, whole, where it differs. */
export function writeSource({ file, bytes }: SourceFile): void {
  if (sourceState({ file, bytes }) !== 'same') writeWhole(file, Buffer.from(bytes).toString())
}

interface SourceFile {
  readonly file: string
  readonly bytes: Uint8Array
}

function stateOf(out: string, path: string, content: string | undefined): State {
  if (foldersAbove(path).some((folder) => isLink(join(out, folder)))) return 'linked'
  const file = join(out, path)
  if (!existsSync(file)) return 'new'
  const found = readFileSync(file, 'utf8')
  if (found === content || found.replaceAll('\r\n', '\n') === content) return 'same'
  const state = markerState(found)
  return state === 'intact' ? 'ours' : state
}

/** The folders that a file of the output stands in, below the output folder itself. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [...foldersAbove(folder), folder]
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function writeWhole(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, content)
  renameSync(draft, file)
}

/** Removes drafts of our files that a killed run left; those of a run under way stay. */
function removeDrafts(out: string, files: readonly string[]): void {
  const ours = new Set(files.map((file) => join(out, file)))
  for (const folder of new Set([...ours].map((file) => dirname(file)))) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder)) {
      const [, file = '', pid = ''] = /^(.+)\.(\d+)\.tmp$/u.exec(name) ?? []
      const isLeft = ours.has(join(folder, file)) && !isRunning(Number(pid))
      if (isLeft) rmSync(join(folder, name), { force: true })
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The folders that hold the files, deepest first. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = new Set(files.map((file) => dirname(file)).filter((folder) => folder !== '.'))
  return [...folders].sort((a, b) => b.length - a.length || compareText(a, b))
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
}
