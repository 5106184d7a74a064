// Generated code that commands run here, in a folder named after its inputs, so that a second run
// need not generate it again.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError, messageOf } from '../host/problem.ts'

export type Files = ReadonlyMap<string, string>

const PRIVATE = 0o700
const OTHERS_WRITE = 0o022

/**
 * The folder with the files that `make` yields, made now or by an earlier run with the same `key`.
 * What others can write is not run: it is made again, and where it cannot be taken away that is a
 * CommandError.
 */
export async function cachedFiles(
  cache: string | undefined,
  key: string,
  make: () => Promise<Files>,
): Promise<string> {
  const root = cache ?? ownFolder()
  const folder = join(root, key)
  if (existsSync(folder)) {
    if (isPrivate(folder)) return folder
    takeAway(folder)
  }
  mkdirSync(root, { recursive: true, mode: PRIVATE })
  const staging = mkdtempSync(join(root, 'new-'))
  try {
    writeAll(staging, await make())
    renameSync(staging, folder)
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    // Another run was quicker.
    if (!existsSync(folder) || !isPrivate(folder)) throw error
  }
  return folder
}

/** A folder of this user, not a link to one, in which nobody else can write. */
function isPrivate(folder: string): boolean {
  const user = process.getuid?.()
  const found = lstatSync(folder)
  return (
    found.isDirectory() &&
    (user === undefined || (found.uid === user && (found.mode & OTHERS_WRITE) === 0))
  )
}

function takeAway(folder: string): void {
  try {
    rmSync(folder, { recursive: true })
  } catch (error) {
    throw new CommandError(
      `other users can write to ${folder}, so its code is not run, and it cannot be removed: ${messageOf(error)}`,
    )
  }
}

function writeAll(folder: string, files: Files): void {
  for (const [file, text] of [...files, ['package.json', '{ "type": "module" }\n'] as const]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

/**
 * Below a folder in which everybody may write: one that somebody else has made, or can write in, is
 * not used.
 */
function ownFolder(): string {
  const folder = join(tmpdir(), `ledgerwright-conform-${process.getuid?.() ?? 'user'}`)
  mkdirSync(folder, { recursive: true, mode: PRIVATE })
  if (!isPrivate(folder))
    throw new CommandError(`${folder} belongs to another user: name another folder with --cache`)
  return folder
}
