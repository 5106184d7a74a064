// handlers.lock.json: what the types of every operation were when its handlers were last
// scaffolded, so that a change is told once.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readableJson } from '../json.ts'
import { fields, isFields, mapValues, text } from '../values.ts'
import { markerState, markJson } from '../write/marker.ts'
import type { TypePrints } from './prints.ts'

/**
 * Name of the file in the output folder. `generate` and `check` know only files that they wrote
 * themselves, so they leave it.
 */
export const HANDLERS_LOCK = 'handlers.lock.json'
const LOCK_VERSION = 2

/**
 * An operation as it was. One that is gone from the document stays while there is a handler for it.
 */
export interface LockedOperation extends TypePrints {
  readonly method: string
  readonly path: string
}

/** Locked operations by interface, then operation id. */
export type HandlersLock = Readonly<Record<string, Readonly<Record<string, LockedOperation>>>>

export interface ReadHandlersLock {
  readonly lock: HandlersLock
  /** The file's text, '' when there is none. */
  readonly text: string
  /** True when something else stands in its place, which must not be overwritten. */
  readonly isForeign: boolean
}

/**
 * Reads the lock of an output folder. One that cannot be read (a merge left its marks in it) counts
 * as none.
 */
export function readHandlersLock(out: string): ReadHandlersLock {
  const file = join(out, HANDLERS_LOCK)
  if (!existsSync(file)) return { lock: {}, text: '', isForeign: false }
  const content = readFileSync(file, 'utf8')
  return { lock: parseLock(content), text: content, isForeign: markerState(content) === 'foreign' }
}

/** Text of the lock, with marker. */
export function printHandlersLock(lock: HandlersLock): string {
  return markJson(`${readableJson({ handlersLockVersion: LOCK_VERSION, interfaces: lock })}\n`)
}

function parseLock(content: string): HandlersLock {
  try {
    const data: unknown = JSON.parse(content)
    if (!isFields(data) || data['handlersLockVersion'] !== LOCK_VERSION) return {}
    const interfaces = Object.entries(fields(data['interfaces']))
    return Object.fromEntries(
      interfaces.map(([name, operations]) => [name, parseOperations(operations)]),
    )
  } catch {
    return {}
  }
}

function parseOperations(value: unknown): Readonly<Record<string, LockedOperation>> {
  return mapValues(fields(value), parseOperation)
}

function parseOperation(value: unknown): LockedOperation {
  const member = (key: string): string => text(fields(value)[key]) ?? ''
  return {
    method: member('method'),
    path: member('path'),
    parameters: member('parameters'),
    body: member('body'),
    replies: member('replies'),
  }
}
