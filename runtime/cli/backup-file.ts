// The file of a backup: under its own name only once it is complete and on the disk.
import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { member } from '../host/member.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import { EXIT } from './outcome.ts'

/** Only its owner may read what is in it. */
const MODE = 0o600

/**
 * Has `write` write a file. Whatever goes wrong, an older file of this name is left as it was, and
 * nothing beside it.
 */
export async function writeWhole<T>(
  file: string,
  force: boolean,
  write: (to: Writable) => Promise<T>,
): Promise<T> {
  if (!force && existsSync(file))
    throw new CommandError(`${file} already exists; --force replaces it`)
  const unfinished = `${file}.${process.pid}.unfinished`
  const remove = (): void => rmSync(unfinished, { force: true })
  process.once('exit', remove)
  const handle = await open(unfinished, 'wx', MODE).catch((error: unknown) => {
    throw cannot('write', file, error)
  })
  const to = handle.createWriteStream({ flush: true })
  try {
    const result = await write(to)
    await rename(unfinished, file).catch((error: unknown) => {
      throw cannot('write', file, error)
    })
    await flushFolder(dirname(file))
    return result
  } finally {
    to.destroy()
    remove()
    process.off('exit', remove)
  }
}

/**
 * Removes what processes that were killed left unfinished in a folder. One that runs may still be
 * writing, this one is not yet: in a container every process has the same number.
 */
export function removeUnfinished(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const [, pid] = /\.(\d+)\.unfinished$/.exec(name) ?? []
    if (pid === undefined) continue
    if (Number(pid) === process.pid || !isRunning(Number(pid)))
      rmSync(join(folder, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return member(error, 'code') === 'EPERM'
  }
}

/** The bytes of a file. */
export async function readFrom(file: string): Promise<Readable> {
  const found = await stat(file).catch((error: unknown) => {
    throw cannot('read', file, error)
  })
  if (found.isDirectory()) throw new CommandError(`cannot read ${file}: it is a folder`, EXIT.usage)
  return createReadStream(file)
}

/** Flushes a folder so that a new name outlives a loss of power, if folders can be flushed. */
async function flushFolder(path: string): Promise<void> {
  try {
    const folder = await open(path)
    await folder.sync().finally(() => folder.close())
  } catch {
    return
  }
}

function cannot(what: 'read' | 'write', file: string, error: unknown): CommandError {
  return new CommandError(`cannot ${what} ${file}: ${messageOf(error)}`)
}
