// Checks a plugin's options with the plugin's own validator (any Standard Schema) and says
// precisely what is wrong.
import type { StandardIssue, StandardSchemaV1 } from './standard-schema.ts'
import type { ConfigProblem } from './problem.ts'
import { maskUrls } from './mask.ts'
import { member } from './member.ts'
import { messageOf } from './problem.ts'
import { nearest } from './nearest.ts'

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

/**
 * Validates `value`; problems carry `path` joined with each issue's own, what was received and the
 * nearest key.
 */
export async function checkOptions<T>(
  schema: StandardSchemaV1<unknown, T>,
  value: unknown,
  path: string,
  plugin?: string,
): Promise<Checked<T>> {
  const about = plugin === undefined ? {} : { plugin }
  try {
    const result = await schema['~standard'].validate(value)
    if (result.issues === undefined) return { ok: true, value: result.value }
    const known = knownKeys(schema)
    return {
      ok: false,
      problems: result.issues.flatMap((issue) => describeIssue(issue, value, path, about, known)),
    }
  } catch (error) {
    return {
      ok: false,
      problems: [{ path, ...about, message: `the plugin's validator failed: ${messageOf(error)}` }],
    }
  }
}

type KeysAt = (path: readonly PropertyKey[]) => readonly string[]

function describeIssue(
  issue: StandardIssue,
  root: unknown,
  base: string,
  about: { readonly plugin?: string },
  known: KeysAt,
): ConfigProblem[] {
  const keys = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
  const unknown = unknownKeysOf(issue)
  if (unknown.length === 0) {
    const received = describeValue(valueAt(root, keys))
    return [{ path: joinPath(base, keys), ...about, message: messageIn(issue), received }]
  }
  return unknown.map((key) => {
    const near = nearest(key, known(keys))
    const found = near === undefined ? {} : { nearest: near }
    return { path: joinPath(base, [...keys, key]), ...about, message: 'unknown key', ...found }
  })
}

/**
 * The reason without what the host says itself; of a choice between forms, what each form lacks.
 */
function messageIn(issue: StandardIssue): string {
  const forms = issue.message === 'Invalid input' ? member(issue, 'errors') : undefined
  const lacks = (Array.isArray(forms) ? forms : []).map((form) =>
    formProblem(Array.isArray(form) ? form[0] : undefined),
  )
  if (lacks.length > 0) return lacks.join(', or ')
  return withoutReceived(issue.message)
}

function formProblem(issue: unknown): string {
  const path = member(issue, 'path')
  const text = withoutReceived(String(member(issue, 'message')))
  return Array.isArray(path) && path.length > 0 ? `${joinPath('', path)}: ${text}` : text
}

function withoutReceived(message: string): string {
  return message.replace(/^Invalid input: /, '').replace(/, received .*$/, '')
}

/**
 * Validators name unknown keys in a `keys` member of their issue; Standard Schema itself has no
 * word for it.
 */
function unknownKeysOf(issue: StandardIssue): readonly string[] {
  const keys = member(issue, 'code') === 'unrecognized_keys' ? member(issue, 'keys') : undefined
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
}

/**
 * The keys that a schema knows at a path, read from its JSON Schema where the library offers one.
 */
function knownKeys(schema: StandardSchemaV1): KeysAt {
  const json = jsonSchemaOf(schema)
  return (path) => {
    let node: unknown = json
    for (const key of path)
      node = member(member(node, 'properties'), String(key)) ?? member(node, 'items')
    const properties = member(node, 'properties')
    return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  }
}

function jsonSchemaOf(schema: StandardSchemaV1): unknown {
  const converter = member(member(schema['~standard'], 'jsonSchema'), 'input')
  if (typeof converter !== 'function') return undefined
  try {
    return Reflect.apply(converter, undefined, [{ target: 'draft-2020-12' }])
  } catch {
    return undefined
  }
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => member(value, key), root)
}

/** `server` + ['port'] is `server.port`, `auth` + [0, 'use'] is `auth[0].use`. */
export function joinPath(base: string, keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((text, key) => {
    if (typeof key === 'number' || /^\d+$/.test(String(key))) return `${text}[${String(key)}]`
    const name = key === '' ? '""' : String(key)
    return text === '' ? name : `${text}.${name}`
  }, base)
}

/** A value as a message shows it: short, never the content of objects. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  // Before it is cut: an address without its end does not show where its password ends.
  const text = typeof value === 'string' ? JSON.stringify(maskUrls(value)) : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
