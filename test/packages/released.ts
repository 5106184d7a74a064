// The released archives of the public network, which lie beside the repository on machines that
// have them: every package once, in memory.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { openPromise } from 'yauzl'
import { loadVocabulary } from '../../codegen/vocabulary/load.ts'
import { renamer } from '../../codegen/vocabulary/words.ts'
import { readArchive } from '../../runtime/packages/archive/archive.ts'
import type { Archive } from '../../runtime/packages/archive/archive.ts'
import { Packages } from '../../runtime/packages/decode/packages.ts'
import { ROOT } from '../support/service.ts'
import { path } from '../interfaces/ledger-kit.ts'

export const FOLDER = join(import.meta.dirname, '../../../shared/archives/dars')

/** The reason not to run a test that needs them; false where they are. */
export const skip = existsSync(FOLDER) ? false : `the released archives are not in ${FOLDER}`

export const dars: readonly string[] = skip === false ? readdirSync(FOLDER).toSorted() : []

const PRESET = join(ROOT, 'spec/presets/network-0.6.yaml')
export const { vocabulary } = loadVocabulary(PRESET)
const preset: unknown = parse(readFileSync(PRESET, 'utf8'))
const wireName = (name: string) => String(path(preset, 'configuration', 'wireNames', name))

/** Constants that contracts write, in the public network's words. */
export const contractNames = {
  instrumentId: wireName('instrumentId'),
  metadataKeyPrefix: wireName('metadataKeyPrefix'),
  coinMetadataKeyPrefix: wireName('coinMetadataKeyPrefix'),
}
/** A name in the public network's words. */
export const wire = renamer(vocabulary, 'module')

/** The word that begins the names of released packages; their modules have it with a capital. */
const [WORD = ''] = (dars[0] ?? '').split('-')

/** A released package, by the rest of its name. */
export const released = (name: string): string => `${WORD}-${name}`

/** A module of a released package, by the rest of its name. */
export const releasedModule = (name: string): string =>
  `${WORD.charAt(0).toUpperCase()}${WORD.slice(1)}.${name}`

const ID = /-([0-9a-f]{64})\.dalf$/

/** The archives in a DAR by package id, after those that are there already. */
export async function archivesIn(
  dar: string,
  known: ReadonlyMap<string, Archive> = new Map(),
): Promise<ReadonlyMap<string, Archive>> {
  const zip = await openPromise(join(FOLDER, dar))
  const archives = new Map(known)
  for await (const entry of zip.eachEntry()) {
    const [, packageId = ''] = ID.exec(entry.fileName) ?? []
    if (packageId === '' || archives.has(packageId)) continue
    const stream = await zip.openReadStreamPromise(entry)
    const archive = await readArchive(Buffer.concat(await Array.fromAsync(stream)))
    archives.set(archive.packageId, archive)
  }
  return archives
}

/** All of them, each package once. */
export async function allArchives(): Promise<ReadonlyMap<string, Archive>> {
  let all: ReadonlyMap<string, Archive> = new Map()
  for (const dar of dars) all = await archivesIn(dar, all)
  return all
}

export function programOf(archives: Iterable<Archive>): Packages {
  const program = new Packages()
  for (const archive of archives) program.add(archive)
  return program
}
