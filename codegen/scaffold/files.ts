// The hand-written files of a project: which they are, and how one is read and written without a
// byte lost.
import { isUtf8 } from 'node:buffer'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { compareText } from '../values.ts'

/** A folder of these names holds nothing that people write, whatever the project. */
const NOT_WRITTEN_BY_HAND: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'coverage',
])
const TEST_FOLDERS = /(?:^|[/\\])(?:tests?|__tests__|__mocks__|bench)[/\\]/u
/** Bits of a file's mode. */
const ANYBODY_WRITES = 0o222
const TEST_FILE = /\.(?:test|spec|bench)\.[cm]?tsx?$/u

/**
 * Absolute paths of all TypeScript files in `places` (files or folders, what is not there left out)
 * that are not generated, sorted.
 */
export function sourceFiles(places: readonly string[], out: string): readonly string[] {
  const found = new Set<string>()
  for (const place of places.filter((one) => existsSync(one))) {
    if (statSync(place).isDirectory()) collect(place, out, found)
    else found.add(place)
  }
  return [...found].sort(compareText)
}

function collect(folder: string, out: string, found: Set<string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && !NOT_WRITTEN_BY_HAND.has(entry.name) && path !== out)
        collect(path, out, found)
    } else if (entry.isFile() && isSource(entry.name)) found.add(path)
  }
}

function isSource(name: string): boolean {
  return (
    /\.[cm]?tsx?$/u.test(name) && !/\.d\.[cm]?ts$/u.test(name) && !/\.gen\.[cm]?ts$/u.test(name)
  )
}

/** True for files that only tests use: doubles of handlers in them are nobody's handlers. */
export function isTestFile(root: string, file: string): boolean {
  const path = relative(root, file)
  return TEST_FILE.test(path) || TEST_FOLDERS.test(path)
}

/** True when a file is one of `places` or lies below one; both absolute. */
export function isWithin(file: string, places: readonly string[]): boolean {
  return places.some(
    (place) => file === place || file.startsWith(place.endsWith('/') ? place : `${place}/`),
  )
}

/** A file's text; undefined when it is not UTF-8, which would not survive being written. */
export function readText(file: string): string | undefined {
  const bytes = readFileSync(file)
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

/** A file as it is to be. */
export interface Change {
  /** Absolute. */
  readonly file: string
  /** The text that was read; undefined for a file that is not there yet. */
  readonly before: string | undefined
  readonly after: string
}

/**
 * Why a change cannot be written now; undefined when it can. New files stand in one of `places`,
 * links followed.
 */
export function obstacleTo(
  { file, before, after }: Change,
  places: readonly string[],
): string | undefined {
  // Another run may have done the same.
  if (existsSync(file) && readText(file) === after) return undefined
  if (before === undefined) {
    if (existsSync(file)) return 'has been made while this ran: run it again'
    return isWithin(realPlace(file), places.map(realPlace))
      ? undefined
      : 'would be outside of the project: name the folder in `handlers`'
  }
  if (!existsSync(file) || readText(file) !== before)
    return 'was changed while this ran: run it again'
  // Replacing a file asks the folder for leave, not the file.
  return (statSync(file).mode & ANYBODY_WRITES) === 0 ? 'is read-only' : undefined
}

/** The target of a path, links followed as far as it is there. */
function realPlace(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return dirname(path) === path ? path : join(realPlace(dirname(path)), basename(path))
}

/**
 * Replaces files whole, keeping modes; through a symbolic link the file that it names. All texts
 * are on the disk before one appears.
 */
export function writeChanges(changes: readonly Change[]): void {
  const drafts: [draft: string, target: string][] = []
  try {
    for (const { file, after } of changes) {
      const target = realPlace(file)
      mkdirSync(dirname(target), { recursive: true })
      const draft = `${target}.${process.pid}.tmp`
      drafts.push([draft, target])
      writeFileSync(draft, after, existsSync(target) ? { mode: statSync(target).mode } : {})
    }
    for (const [draft, target] of drafts) renameSync(draft, target)
  } finally {
    for (const [draft] of drafts) rmSync(draft, { force: true })
  }
}
