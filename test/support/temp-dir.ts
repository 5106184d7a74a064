// Folders that are gone when the test ends.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A fresh empty folder, and how to remove it. */
export async function tempDir(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'ledgerwright-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
