// The lock file: what the output was made from and by, so that an unchanged run is a comparison of
// hashes and nothing else.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { canonicalJson, readableJson, sha256Text } from '../json.ts'
import { compareText, fields, isFields, mapValues, text } from '../values.ts'
import type { Fields } from '../values.ts'
import type { InterfaceFingerprints } from './fingerprint.ts'
import type { ToolVersions } from './tools.ts'

/** Name of the lock file in the output folder. */
export const LOCK_FILE = 'codegen.lock.json'
const LOCK_VERSION = 1

interface Lock {
  readonly lockVersion: number
  readonly tools: ToolVersions
  /** Hash of the configuration. */
  readonly config: string
  /** Absent where there are none. */
  readonly plugins?: readonly {
    readonly name: string
    readonly version: string
    readonly order: number
  }[]
  /**
   * SHA-256 of every file that was read, with LF for line ends, by path relative to the output
   * folder.
   */
  readonly inputs: Readonly<Record<string, string>>
  readonly interfaces: Readonly<
    Record<string, InterfaceFingerprints & { readonly title: string; readonly version: string }>
  >
  /** SHA-256 of what the types of an interface were printed from. */
  readonly types: Readonly<Record<string, string>>
  /** SHA-256 of every file that was written, by path relative to the output folder. */
  readonly files: Readonly<Record<string, string>>
  /** How many faults cost a part of the documents; absent where none did. */
  readonly faults?: number
}

/**
 * What a former run left: hashes as plain texts, whatever its version. Files and interfaces are
 * those below the output folder: the lock may be of somebody else's making.
 */
export interface FormerLock {
  readonly tools: Fields
  readonly config: string
  readonly inputs: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
  readonly interfaces: Fields
  readonly types: Readonly<Record<string, string>>
  /** True where a part of the documents was left out. */
  readonly hasFaults: boolean
}

/** Text of the lock file. */
export function printLock(lock: Omit<Lock, 'lockVersion'>): string {
  return `${readableJson({ lockVersion: LOCK_VERSION, ...lock })}\n`
}

/** The lock of a former run; undefined when there is none that this version can read. */
export function readLock(out: string): FormerLock | undefined {
  const file = join(out, LOCK_FILE)
  if (!existsSync(file)) return undefined
  try {
    const data: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isFields(data) || data['lockVersion'] !== LOCK_VERSION) return undefined
    return {
      tools: fields(data['tools']),
      config: text(data['config']) ?? '',
      inputs: hashes(data['inputs']),
      files: onlyBelow(hashes(data['files'])),
      interfaces: onlyBelow(fields(data['interfaces'])),
      types: hashes(data['types']),
      hasFaults: data['faults'] !== undefined,
    }
  } catch {
    return undefined
  }
}

function hashes(value: unknown): Readonly<Record<string, string>> {
  return mapValues(fields(value), String)
}

function onlyBelow<T>(paths: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(paths).filter(
      ([path]) => !isAbsolute(path) && !path.split(/[/\\]/u).includes('..'),
    ),
  )
}

/** An input's key in the lock: relative to the output folder, with forward slashes. */
export function inputKey(out: string, file: string): string {
  return relative(out, file).replaceAll('\\', '/')
}

/** Hashes of inputs by key, sorted. */
export function inputHashes(
  out: string,
  inputs: readonly { readonly file: string; readonly bytes: Uint8Array }[],
): Readonly<Record<string, string>> {
  const entries = inputs.map(({ file, bytes }): [string, string] => [
    inputKey(out, file),
    sha256Text(bytes),
  ])
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)))
}

/**
 * True when tools, configuration, every input and every output are as the lock says. Reads bytes,
 * parses nothing but the lock.
 */
export function isCurrent(
  lock: FormerLock,
  out: string,
  tools: ToolVersions,
  config: string,
): boolean {
  return (
    isMadeBy(lock, tools) &&
    lock.config === config &&
    allMatch(lock.inputs, out) &&
    allMatch(lock.files, out)
  )
}

/** True when the former run was one of these tools. */
export function isMadeBy(lock: FormerLock, tools: ToolVersions): boolean {
  return canonicalJson(lock.tools) === canonicalJson(tools)
}

function allMatch(expected: Readonly<Record<string, string>>, out: string): boolean {
  return Object.entries(expected).every(([key, hash]) => {
    const file = resolve(out, key)
    return (
      statSync(file, { throwIfNoEntry: false })?.isFile() === true &&
      sha256Text(readFileSync(file)) === hash
    )
  })
}
