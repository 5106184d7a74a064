// The files of an SQLite database: made for this user alone, and refused where one of them is there
// without what belongs to it. SQLite itself takes an empty file for a new database, and a log
// without its file for one that can go.
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { makeFolder } from '../../runtime/index.ts'
import { StorageRejected } from './migrations.ts'
import { forMs, retry } from './retry.ts'

/**
 * Files that SQLite writes beside one: the log and its index, and before the log is on, the
 * journal.
 */
const BESIDE = ['-wal', '-shm', '-journal']
/** Files without which the file is not what was committed. */
const LOGS = ['-wal', '-journal']
/** The way on for who has nothing to put back. */
const OTHERWISE = 'or remove what is left to start anew or to restore a backup'
/** Sizes of pages are multiples of this, whoever made the file. */
const SECTOR_BYTES = 512
/** A new file is filled by one call, which another process may see begun. */
const FILLED_WITHIN_MS = 250

/**
 * All files of a database; those that are there have the same mode as the first, which SQLite sees
 * to.
 */
export function filesOf(file: string): readonly string[] {
  return [file, ...BESIDE.map((end) => file + end)]
}

/** Makes file and folder where they are missing. Rejects as `refuseHalf` throws. */
export async function makeDatabase(file: string): Promise<void> {
  makeFolder(dirname(file))
  refuseLostFile(file)
  if (!existsSync(file) && fill(file)) return
  await retry(
    async () => refuseEmpty(file),
    forMs(FILLED_WITHIN_MS, (error) => error instanceof StorageRejected),
  )
}

/** Throws StorageRejected where the file is empty, or where its log is there without it. */
export function refuseHalf(file: string): void {
  refuseLostFile(file)
  refuseEmpty(file)
}

/**
 * Whether the file was cut; to be asked before it is opened. A kill may leave a part of a page,
 * which is whole in the log.
 */
export function endsWithinPage(file: string): boolean {
  return (sizeOf(file) ?? 0) % SECTOR_BYTES !== 0 && !LOGS.some((end) => hasBytes(file + end))
}

/** False where another process was faster. A file that could not be filled is gone again. */
function fill(file: string): boolean {
  const connection = new SqliteDatabase(':memory:')
  try {
    writeFileSync(file, connection.serialize(), { flag: 'wx', mode: 0o600, flush: true })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    rmSync(file, { force: true })
    throw error
  } finally {
    connection.close()
  }
}

function refuseEmpty(file: string): void {
  if (sizeOf(file) !== 0) return
  throw new StorageRejected(
    `it is empty, where a database was expected; put the file back, ${OTHERWISE}`,
  )
}

function refuseLostFile(file: string): void {
  if (sizeOf(file) !== undefined) return
  const log = LOGS.map((end) => file + end).find(hasBytes)
  if (log === undefined) return
  throw new StorageRejected(
    `it is missing, but its log ${log} is there, with the last of what was written; ` +
      `put the file back beside it, ${OTHERWISE}`,
  )
}

function hasBytes(path: string): boolean {
  return (sizeOf(path) ?? 0) > 0
}

/** Undefined where there is no file; what is no file has a size that passes. */
function sizeOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined || found.isFile() ? found?.size : SECTOR_BYTES
}
