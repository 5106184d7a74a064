// Which servers work on a file at this moment. Each has an empty file of its own beside it and
// holds the operating system's lock on that one, by SQLite, for as long as it lives: a lock ends
// with its process, however that ends, so none is ever left.
import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import type { OtherServer } from '../../runtime/index.ts'

const MARK = '-server-'
const NAME = /^(\d+)-(\d+)$/
const TRIES = 10

/** This server among those of a file. */
export interface Membership {
  /** Other servers that were there, oldest first. */
  readonly others: readonly OtherServer[]
  leave(): void
}

/**
 * Enters this process as a server of the file and looks who else is. Throws where no file can be
 * made and locked beside it.
 */
export function joinServers(file: string): Membership {
  const [path, connection] = enter(file)
  return {
    others: othersOf(file, path),
    leave: () => {
      connection.close()
      rmSync(path, { force: true })
    },
  }
}

/**
 * Whoever looks between the file and its lock takes it for one that was left, and removes it: then
 * the next try has another.
 */
function enter(file: string): readonly [path: string, connection: SqliteDatabase.Database] {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const path = `${file}${MARK}${process.pid}-${Date.now() + tries}`
    closeSync(openSync(path, 'a', 0o600))
    const connection = lock(path)
    if (connection !== undefined && existsSync(path)) return [path, connection]
    connection?.close()
  }
  throw new Error('no file beside it can be locked')
}

/** Removes what is left of servers that have ended. */
function othersOf(file: string, own: string): readonly OtherServer[] {
  const prefix = basename(file) + MARK
  const found = readdirSync(dirname(file)).flatMap((name): OtherServer[] => {
    const [, pid, sinceMs] = name.startsWith(prefix)
      ? (NAME.exec(name.slice(prefix.length)) ?? [])
      : []
    const path = join(dirname(file), name)
    if (pid === undefined || path === own || isLeft(path)) return []
    return [{ pid: Number(pid), since: new Date(Number(sinceMs)).toISOString() }]
  })
  return found.toSorted((one, other) => one.since.localeCompare(other.since))
}

function isLeft(path: string): boolean {
  const connection = lock(path)
  if (connection === undefined) return !existsSync(path)
  rmSync(path, { force: true })
  connection.close()
  return true
}

/** Undefined where another process has it, or where the file is gone. */
function lock(path: string): SqliteDatabase.Database | undefined {
  let connection: SqliteDatabase.Database | undefined
  try {
    connection = new SqliteDatabase(path, { timeout: 0, fileMustExist: true })
    connection.exec('begin exclusive')
    return connection
  } catch {
    connection?.close()
    return undefined
  }
}
