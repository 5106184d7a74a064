// The hand-written files of a project: which they are, and how one is read and written without a byte lost.
import { isUtf8 } from 'node:buffer'
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, statSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { compareText } from '../values.ts'

/** A folder of these names holds nothing that people write, whatever the project. */
const NOT_WRITTEN_BY_HAND: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'coverage'])
const TEST_FOLDERS = /(?:^|[/\\])(?:tests?|__tests__|__mocks__|bench)[/\\]/u
const TEST_FILE = /\.(?:test|spec|bench)\.[cm]?tsx?$/u

/** Absolute paths of all TypeScript files below a folder that are not generated, sorted. */
export function sourceFiles(root: string, out: string): readonly string[] {
  const found: string[] = []
  collect(root, out, found)
  return found.sort(compareText)
}

function collect(folder: string, out: string, found: string[]): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && !NOT_WRITTEN_BY_HAND.has(entry.name) && path !== out) collect(path, out, found)
    } else if (entry.isFile() && isSource(entry.name)) found.push(path)
  }
}

function isSource(name: string): boolean {
  return /\.[cm]?tsx?$/u.test(name) && !/\.d\.[cm]?ts$/u.test(name) && !/\.gen\.[cm]?ts$/u.test(name)
}

/** True for files that only tests use: doubles of handlers in them are nobody's handlers. */
export function isTestFile(root: string, file: string): boolean {
  const path = relative(root, file)
  return TEST_FILE.test(path) || TEST_FOLDERS.test(path)
}

/** True when a file is one of `places` or lies below one; both absolute. */
export function isWithin(file: string, places: readonly string[]): boolean {
  return places.some((place) => file === place || file.startsWith(place.endsWith('/') ? place : `${place}/`))
}

/** A file's text; undefined when it is no UTF-8, which would not survive being written. */
export function readText(file: string): string | undefined {
  const bytes = readFileSync(file)
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

/** Replaces a file whole, keeping its mode; through a symbolic link the file that it names. */
export function writeText(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : resolve(file)
  mkdirSync(dirname(target), { recursive: true })
  const draft = `${target}.${process.pid}.tmp`
  writeFileSync(draft, text, existsSync(target) ? { mode: statSync(target).mode } : {})
  renameSync(draft, target)
}
