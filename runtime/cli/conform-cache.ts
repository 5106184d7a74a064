// Generated code of a conformance run: kept in a folder named by what it was made from, so that a second run finds it done.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError } from '../host/problem.ts'

export type Files = ReadonlyMap<string, string>

const PRIVATE = 0o700

/** The folder with the files that `make` yields, made now or by an earlier run with the same `key`. */
export async function cachedFiles(cache: string | undefined, key: string, make: () => Promise<Files>): Promise<string> {
  const root = cache ?? ownFolder()
  const folder = join(root, key)
  if (existsSync(folder)) return folder
  mkdirSync(root, { recursive: true })
  const staging = mkdtempSync(join(root, 'new-'))
  try {
    writeAll(staging, await make())
    renameSync(staging, folder)
  } catch (error) {
    rmSync(staging, { recursive: true, force: true })
    // Another run was quicker.
    if (!existsSync(folder)) throw error
  }
  return folder
}

function writeAll(folder: string, files: Files): void {
  for (const [file, text] of [...files, ['package.json', '{ "type": "module" }\n'] as const]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

/** What is in it is run as code, so nobody else may have made it. */
function ownFolder(): string {
  const user = process.getuid?.()
  const folder = join(tmpdir(), `ledgerwright-conform-${user ?? 'user'}`)
  mkdirSync(folder, { recursive: true, mode: PRIVATE })
  const { uid, mode } = lstatSync(folder)
  const isOwn = user === undefined || (lstatSync(folder).isDirectory() && uid === user && (mode & 0o077) === 0)
  if (!isOwn) throw new CommandError(`${folder} belongs to somebody else: name another folder with --cache`)
  return folder
}
