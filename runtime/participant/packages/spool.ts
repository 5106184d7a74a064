// Uploads on disk: a DAR is read by position, so its bytes wait in a file that only this process
// can read, never in memory.
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../host/folder.ts'

const PREFIX = 'upload-'

export interface SpooledFile {
  readonly path: string
  /** Size in bytes. */
  readonly size: number
  remove(): Promise<void>
}

class TooLarge extends Error {}

interface SpoolOptions {
  readonly folder: string
  /** Name of the new file; no other upload has it. */
  readonly name: string
  readonly maxBytes: number
}

/**
 * Writes a body into a new file under `folder`, which is made when absent. Undefined when the body
 * has more than `maxBytes`; the rest of it is then not read. Whatever ends badly leaves no file;
 * errors of body and disk are thrown.
 *
 * @example const file = await spool(request, { folder: join(dataFolder, 'uploads'), name:
 *   newName(), maxBytes: 256 * 1024 * 1024 })
 */
export async function spool(
  body: AsyncIterable<Uint8Array>,
  { folder, name, maxBytes }: SpoolOptions,
): Promise<SpooledFile | undefined> {
  makeFolder(folder)
  const path = join(folder, `${PREFIX}${name}.dar`)
  const remove = (): Promise<void> => rm(path, { force: true })
  let size = 0
  try {
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          size += chunk.length
          if (size > maxBytes) throw new TooLarge()
          yield chunk
        }
      },
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    )
  } catch (problem) {
    await remove()
    if (problem instanceof TooLarge) return undefined
    throw problem
  }
  return { path, size, remove }
}

/** A name for an upload of this process, by which a later start knows that its owner has ended. */
export function ownName(name: string): string {
  return `${process.pid}@${hostname()}@${name}`
}

/**
 * Removes what killed processes left in the folder: uploads whose owner has ended, and all begun
 * before `beforeMs` (since 1970). Other young ones may belong to another server on the same folder.
 */
export async function removeLeftUploads(folder: string, beforeMs: number): Promise<void> {
  const names = await readdir(folder).catch((): string[] => [])
  await Promise.all(
    names
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => removeLeft(join(folder, name), beforeMs)),
  )
}

async function removeLeft(path: string, beforeMs: number): Promise<void> {
  const { birthtimeMs } = await stat(path).catch(() => ({ birthtimeMs: beforeMs }))
  if (birthtimeMs < beforeMs || ownerHasEnded(basename(path), birthtimeMs))
    await rm(path, { force: true })
}

/** Unknown, and so false, for names without an owner and owners on other machines. */
function ownerHasEnded(name: string, begunMs: number): boolean {
  const [owner = '', machine] = name.slice(PREFIX.length).split('@')
  if (machine !== hostname()) return false
  // In a container each start has the same number as the one before.
  if (Number(owner) === process.pid) return begunMs < performance.timeOrigin
  return !isRunning(Number(owner))
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
