// DARs as a test hands them in: written to a file, as uploads are, and read.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { LedgerError } from '../../runtime/errors/errors.ts'
import { readDar } from '../../runtime/participant/packages/index.ts'
import type { Dar, DarOptions } from '../../runtime/participant/packages/index.ts'
import { FORMAT, manifest, zip } from '../support/dar-writer.ts'
import type { ArchiveFile, EntrySpec } from '../support/dar-writer.ts'
import { tempDir } from '../support/temp-dir.ts'

const folder = await tempDir()
after(() => folder.remove())

/** A file of the test's folder. */
export const fileOf = (...names: readonly string[]): string => join(folder.path, ...names)

export async function read(
  bytes: Uint8Array,
  options: Partial<DarOptions> = {},
): Promise<Dar | LedgerError> {
  await writeFile(fileOf('upload.dar'), bytes)
  return readDar(fileOf('upload.dar'), { manifestFormat: FORMAT, ...options })
}

/** The part of a good DAR that the callback picks. */
export async function good<T>(
  bytes: Uint8Array,
  look: (dar: Dar) => T | Promise<T>,
  options: Partial<DarOptions> = {},
): Promise<T> {
  const dar = await read(bytes, options)
  if (dar instanceof LedgerError) assert.fail(`${dar.code} ${JSON.stringify(dar.params)}`)
  try {
    return await look(dar)
  } finally {
    dar.close()
  }
}

/** The facts of the error that a DAR must be refused with. */
export async function rejection(
  bytes: Uint8Array,
  code: string,
  options: Partial<DarOptions> = {},
): Promise<LedgerError['params']> {
  const error = await read(bytes, options)
  if (!(error instanceof LedgerError)) {
    error.close()
    assert.fail(`must be refused with ${code}`)
  }
  assert.equal(error.code, code, JSON.stringify(error.params))
  return error.params
}

/** A test of nothing else than that a DAR is refused. */
export async function refuses(...asked: Parameters<typeof rejection>): Promise<void> {
  await rejection(...asked)
}

/** A zip whose manifest is this. */
export function withManifest(text: string | Buffer, ...entries: readonly EntrySpec[]): Buffer {
  return zip([{ name: 'META-INF/MANIFEST.MF', data: Buffer.from(text) }, ...entries])
}

/** A zip that lists a package, and has other entries as they are given. */
export function listing({ name }: ArchiveFile, ...entries: readonly EntrySpec[]): Buffer {
  return withManifest(manifest({ 'Main-Dalf': name, Dalfs: name, Format: FORMAT }), ...entries)
}
