// The signing key of a data folder: made once, by whichever process comes first, readable by its
// owner only.
import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../runtime/index.ts'

const KEY_BYTES = 32

/**
 * Reads the key at `path`, making it first where there is none. The file appears whole or not at
 * all.
 */
export async function readOrMakeKey(path: string): Promise<Buffer> {
  return (await readKey(path)) ?? (await makeKey(path))
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text.trim(), 'base64url')
  if (key.length !== KEY_BYTES)
    throw new Error(`${path} is not a key of ${KEY_BYTES} bytes; remove it to get a new one`)
  return key
}

async function makeKey(path: string): Promise<Buffer> {
  makeFolder(dirname(path))
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
    // `link` refuses to replace a file, so of two processes that come at once both use the key of
    // the first.
    await link(draft, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  const key = await readKey(path)
  if (key === undefined) throw new Error(`${path} vanished while it was made`)
  return key
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
