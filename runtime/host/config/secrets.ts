// Secrets stand in the configuration as references: `{ env: NAME }` or `{ file: PATH }`. They are
// read once, at the end, and what they named is never printed.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConfigProblem } from '../problem.ts'
import { joinPath } from '../options.ts'
import { isTree } from './layers.ts'

/** The section whose `file` is a file to work with, and no reference. */
const WORD_MAP = 'vocabulary'

interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative files are looked up here. */
  readonly folder: string
}

interface Revealed {
  readonly values: unknown
  /** Paths of the values that were references. */
  readonly secrets: ReadonlySet<string>
  /** The files among them, absolute, by those paths. */
  readonly files: ReadonlyMap<string, string>
  readonly problems: readonly ConfigProblem[]
}

/** Replaces every reference by what it names. */
export function revealSecrets(values: unknown, sources: SecretSources): Revealed {
  const secrets = new Set<string>()
  const files = new Map<string, string>()
  const problems: ConfigProblem[] = []
  const reveal = (value: unknown, path: string): unknown => {
    if (Array.isArray(value))
      return value.map((item, index) => reveal(item, joinPath(path, [index])))
    if (!isTree(value)) return value
    const reference = path === WORD_MAP ? undefined : referenceIn(value)
    if (reference === undefined) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, reveal(item, joinPath(path, [key]))]),
      )
    }
    secrets.add(path)
    if (reference.from === 'file') files.set(path, resolve(sources.folder, reference.name))
    const text = read(reference, sources)
    if (text === undefined) problems.push({ path, message: missing(reference) })
    return text
  }
  return { values: reveal(values, ''), secrets, files, problems }
}

interface Reference {
  readonly from: 'env' | 'file'
  readonly name: string
}

function referenceIn(value: Readonly<Record<string, unknown>>): Reference | undefined {
  const entries = Object.entries(value)
  const [from, name] = entries[0] ?? []
  if (entries.length !== 1 || typeof name !== 'string') return undefined
  return from === 'env' || from === 'file' ? { from, name } : undefined
}

function read(reference: Reference, sources: SecretSources): string | undefined {
  if (reference.from === 'env') return sources.env[reference.name]
  try {
    return readFileSync(resolve(sources.folder, reference.name), 'utf8').replace(/\r?\n$/, '')
  } catch {
    return undefined
  }
}

function missing(reference: Reference): string {
  return reference.from === 'env'
    ? `the environment variable ${reference.name} that it refers to is not set`
    : `the file ${reference.name} that it refers to cannot be read`
}

/** Whether a key's name says that its value should not be shown. */
export function soundsSecret(path: string): boolean {
  return /(password|passphrase|secret|token|private[-_]?key|api[-_]?key|credential|authorization)s?$/i.test(
    path,
  )
}
