// Reads an archive and can say why it cannot be read. docs/decisions/0057
import { readFileSync } from 'node:fs'
import type { Finding } from '../findings.ts'
import { finding } from '../rules/document-rules.ts'
import { languageVersions, readArchive } from '../../runtime/packages/archive/archive.ts'
import type { Archive } from '../../runtime/packages/archive/archive.ts'
import { openDar } from '../../runtime/packages/archive/dar-file.ts'
import type { DarFile } from '../../runtime/packages/archive/dar-file.ts'
import { MalformedArchive } from '../../runtime/packages/archive/message.ts'
import { UnreadableDar } from '../../runtime/packages/archive/unreadable-dar.ts'
import { defaultZipLimits } from '../../runtime/packages/archive/zip.ts'

export interface LoadedArchive {
  /** Absolute path. */
  readonly file: string
  readonly bytes: Uint8Array
  /** Each package once, the main one first; none with errors. */
  readonly packages: readonly Archive[]
  readonly findings: readonly Finding[]
}

/** Reads all packages of an archive. What is wrong with it comes back as a finding. */
export async function loadArchive(file: string): Promise<LoadedArchive> {
  let bytes = new Uint8Array()
  try {
    bytes = readFileSync(file)
    return { file, bytes, packages: await packagesIn(file), findings: [] }
  } catch (problem) {
    return { file, bytes, packages: [], findings: [archiveFinding(file, problem)] }
  }
}

/** The finding for what reading an archive threw; anything else is thrown again. */
export function archiveFinding(file: string, problem: unknown): Finding {
  const at = { file, line: 1, column: 1, pointer: '' }
  if (problem instanceof UnreadableDar || problem instanceof MalformedArchive)
    return finding('bad-archive', `not an archive that can be read: ${problem.message}`, at)
  if (problem instanceof Error && 'syscall' in problem)
    return finding('unreadable', `cannot be read: ${problem.message}`, at)
  throw problem
}

async function packagesIn(file: string): Promise<readonly Archive[]> {
  const dar = await openDar(file, defaultZipLimits)
  try {
    const packages = new Map<string, Archive>()
    for (const name of [dar.main, ...dar.archives]) {
      const archive = await entry(dar, name)
      packages.set(archive.packageId, archive)
    }
    return [...packages.values()]
  } finally {
    dar.zip.close()
  }
}

async function entry({ zip }: DarFile, name: string): Promise<Archive> {
  const archive = await readArchive(await zip.read(name, defaultZipLimits.maxEntryBytes))
  const { packageId, languageVersion } = archive
  if (languageVersions.includes(languageVersion)) return archive
  throw new MalformedArchive(
    `package ${packageId} is of language version ${languageVersion}; known are ${languageVersions.join(', ')}`,
  )
}
