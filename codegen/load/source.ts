// Reads one YAML or JSON file and can say the line and column of any JSON pointer in it.
import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { Finding } from '../findings.ts'
import type { SourcePlace } from '../ir.ts'
import { finding } from '../rules/document-rules.ts'
import { fields, text } from '../values.ts'
import { parseJson } from './json-text.ts'
import type { ParsedText, Path } from './parsed-text.ts'
import { tooLarge } from './too-large.ts'
import { parseYaml } from './yaml-text.ts'

export type { Path } from './parsed-text.ts'

export interface Source {
  /** Absolute path. */
  readonly file: string
  readonly bytes: Uint8Array
  readonly data: unknown
  readonly findings: readonly Finding[]
  place(path: Path): SourcePlace
}

/**
 * Reads and parses a file. Problems (unreadable, bad syntax, duplicate key) come back as findings,
 * never thrown.
 */
export function readSource(file: string): Source {
  const bytes = readBytes(file)
  if (bytes instanceof Error) return unreadSource(file, `cannot be read: ${bytes.message}`)
  const excess = tooLarge(bytes.length)
  if (excess !== undefined) return unreadSource(file, excess)
  try {
    return parseSource(file, bytes)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ...unreadSource(file, `cannot be read: ${reason}`), bytes }
  }
}

function readBytes(file: string): Uint8Array | Error {
  try {
    return readFileSync(file)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** File name without folder and extension. */
export function stemOf(file: string): string {
  return basename(file, extname(file)).replace(/\.openapi$/u, '')
}

/** The OpenAPI version text of a document; '' when it has none. */
export function openapiVersion(document: unknown): string {
  return text(fields(document)['openapi']) ?? ''
}

/** RFC 6901 text of a path. */
export function pointerOf(path: Path): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The path of an RFC 6901 text or of a fragment with one, `#/paths/~1a`. */
export function pathOf(pointer: string): Path {
  const names = pointer.replace(/^#?\/?/u, '')
  if (names === '') return []
  return names
    .split('/')
    .map((part) => percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Text of a reference; one that is not percent-encoded correctly is taken as written. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function parseSource(file: string, bytes: Uint8Array): Source {
  const { data, errors, place } = parseText(
    new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    bytes,
  )
  const findings = errors.map(({ code, message, line, column }): Finding => {
    const rule = code === 'DUPLICATE_KEY' ? 'duplicate-key' : 'syntax'
    return finding(rule, message, { file, line, column, pointer: '' })
  })
  const placeOf = (path: Path): SourcePlace => ({ file, ...place(path), pointer: pointerOf(path) })
  return { file, bytes, data: findings.length > 0 ? {} : data, findings, place: placeOf }
}

/** Parses YAML or JSON; `bytes` are those of the content, where they are at hand. */
export function parseText(content: string, bytes: Uint8Array = Buffer.from(content)): ParsedText {
  return parseJson(content, bytes) ?? parseYaml(content)
}

/** The stand-in of a file that was not read; the message says why. */
export function unreadSource(file: string, message: string): Source {
  const at = { file, line: 1, column: 1, pointer: '' }
  return {
    file,
    bytes: new Uint8Array(),
    data: {},
    findings: [finding('unreadable', message, at)],
    place: () => at,
  }
}
