// What a server remembers of the ledger in its data folder, so that a database that went back while
// the server was stopped is noticed at the next start. docs/decisions/0025-one-history.md
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Link } from '../../engine/index.ts'
import { whole } from '../../store/stored-form.ts'
import { makeFolder } from '../../host/folder.ts'
import { member } from '../../host/member.ts'

/** Its name in the data folder. */
export const HISTORY_FILE = 'history.json'

const DRAFT = `.${HISTORY_FILE}-`
/** No write takes as long. */
const DRAFT_MS = 60_000
const OWNER_ONLY = 0o600
/** The newest links are all written, of older ones the first and every so many. */
const NEWEST = 64
const EVERY = 8

const shape = z.object({
  links: z.array(z.object({ offset: whole, recordTime: whole, updateId: z.string() })),
})

/**
 * The links, by offset; none where there is no file. Rejects with one line where the file cannot be
 * read.
 */
export async function readLinks(file: string): Promise<readonly Link[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (member(error, 'code') === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return []
  const read = shape.safeParse(parsed(text))
  if (read.success) return read.data.links
  throw new Error(
    `${file} cannot be read: what this server has seen of the ledger is not known; take it away to start without`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** All or nothing, and on the disk when it resolves. Other servers may share the folder. */
export async function writeLinks(file: string, links: readonly Link[]): Promise<void> {
  makeFolder(dirname(file))
  const kept = links.filter((_, index) => index >= links.length - NEWEST || index % EVERY === 0)
  const draft = join(dirname(file), `${DRAFT}${randomUUID()}`)
  try {
    const text = `${JSON.stringify(shape.encode({ links: kept }))}\n`
    await writeFile(draft, text, { flag: 'wx', mode: OWNER_ONLY, flush: true })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Removes what killed servers left half-written; another server on the folder may write now. */
export async function removeDrafts(file: string): Promise<void> {
  const folder = dirname(file)
  const names = await readdir(folder).catch((): string[] => [])
  const drafts = names.filter((name) => name.startsWith(DRAFT)).map((name) => join(folder, name))
  for (const draft of drafts) {
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < performance.timeOrigin - DRAFT_MS) await rm(draft, { force: true })
  }
}
