// A DAR as a file: a zip whose manifest says which entries are archives, and which is the main one.
// docs/ledger-rules.md, "Packages"
import { MANIFEST_ENTRY, readManifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { UnreadableDar } from './unreadable-dar.ts'
import { openZip } from './zip.ts'
import type { Zip, ZipLimits } from './zip.ts'

const MAX_MANIFEST_BYTES = 1024 * 1024

/** An open DAR; whoever opened it closes its zip. */
export interface DarFile extends Manifest {
  readonly zip: Zip
}

/**
 * Opens the DAR at `path`; every archive of its manifest is among the entries. `format`: what the
 * manifest's attribute Format must be; any, when absent. Throws UnreadableDar.
 */
export async function openDar(path: string, limits: ZipLimits, format?: string): Promise<DarFile> {
  const zip = await openZip(path, limits)
  try {
    return { zip, ...(await manifestOf(zip, format)) }
  } catch (problem) {
    zip.close()
    throw problem
  }
}

async function manifestOf(zip: Zip, format: string | undefined): Promise<Manifest> {
  if (!zip.has(MANIFEST_ENTRY)) throw invalid(zip, `No ${MANIFEST_ENTRY}`)
  const bytes = await zip.read(MANIFEST_ENTRY, MAX_MANIFEST_BYTES)
  const manifest = parsed(zip, bytes, format)
  const absent = manifest.archives.find((name) => !zip.has(name))
  if (absent === undefined) return manifest
  const facts = { name: absent, entries: zip.names }
  throw new UnreadableDar('INVALID_ZIP_ENTRY', facts, `there is no entry ${absent}`)
}

function parsed(zip: Zip, bytes: Uint8Array, format: string | undefined): Manifest {
  try {
    return readManifest(bytes, format)
  } catch (problem) {
    throw problem instanceof Error ? invalid(zip, problem.message) : problem
  }
}

function invalid(zip: Zip, throwable: string): UnreadableDar {
  return new UnreadableDar('INVALID_DAR', { entries: zip.names, throwable }, throwable)
}
