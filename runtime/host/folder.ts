// What the service writes is for its own user: folders have mode 700, files 600, whatever the umask
// is.
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger } from './log.ts'
import { messageOf } from './problem.ts'

const OWNER_ONLY = 0o700
/** Permissions of group and others. */
const OTHERS = 0o077
/** The mark of folders that are meant for everybody, such as /tmp. */
const STICKY = 0o1000

/**
 * Makes a folder and those above it, for this user only; one that is there is left alone. Throws
 * what the file system says. Level by level, because Node's own recursive form never returns where
 * a file system refuses to make folders (/proc).
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, OWNER_ONLY)
  } catch (error) {
    if (!isFolder(folder)) throw error
  }
}

/**
 * Takes away what group and others may do with files or folders of this user, and logs that it did.
 * What is not there is passed over. What cannot be changed (it is somebody else's, or a folder for
 * everybody) is logged and left as it is: that is no reason not to start.
 */
export function keepPrivate(paths: readonly string[], log: Logger): void {
  const user = process.geteuid?.()
  // Windows has no such modes.
  if (user === undefined) return
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined || (found.mode & OTHERS) === 0) continue
    const about = { path, mode: octal(found.mode) }
    const obstacle = obstacleTo(path, found, user) ?? tighten(path, found)
    if (obstacle === undefined)
      log.warn(about, 'other users had access to this path; the access was removed')
    else log.warn({ ...about, reason: obstacle }, 'other users have access to this path')
  }
}

function obstacleTo(path: string, { uid, mode }: Stats, user: number): string | undefined {
  if (uid !== user) return 'it belongs to another user'
  return (mode & STICKY) !== 0 || dirname(path) === path
    ? 'it is a folder for everybody'
    : undefined
}

/** Answers why it could not be done. */
function tighten(path: string, { mode }: Stats): string | undefined {
  try {
    chmodSync(path, mode & OWNER_ONLY)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8)
}

/** False for files too. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
