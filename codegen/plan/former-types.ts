// The types of a former run: printing types costs more than anything else that a run does, and few
// changes of a document change one. They are taken from the output where the lock says that they
// are what the same tools printed of the same schemas.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownTypes } from '../emit/hey-api.ts'
import { typesFile } from '../emit/interface.ts'
import { sha256 } from '../json.ts'
import { withoutMark } from '../write/marker.ts'
import { isMadeBy } from './lock.ts'
import type { FormerLock } from './lock.ts'
import type { ToolVersions } from './tools.ts'

interface Former {
  /** Absolute output folder. */
  readonly out: string
  readonly tools: ToolVersions
  readonly lock?: FormerLock | undefined
}

/** Looks types up in what a former run left. */
export function formerTypes({ out, tools, lock }: Former): KnownTypes {
  if (lock === undefined || !isMadeBy(lock, tools)) return () => undefined
  return (name, hash) => {
    if (lock.types[name] !== hash) return undefined
    const file = typesFile(name)
    const path = join(out, file)
    if (!existsSync(path)) return undefined
    const content = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
    return sha256(content) === lock.files[file] ? withoutMark(content) : undefined
  }
}
