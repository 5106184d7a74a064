// Released archives, for tests that run real code. They are no part of the project: where they are
// absent, tests with them are skipped, and say so.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openPromise } from 'yauzl'
import { readArchive } from '../../runtime/packages/archive/archive.ts'
import { Packages } from '../../runtime/packages/decode/packages.ts'
import { ROOT } from '../support/service.ts'
import type { Reference } from '../../runtime/packages/program/types.ts'

const FOLDER = resolve(ROOT, '../shared/archives/dars')

/** The reason why there is nothing to run; false if there is. */
export const missing = existsSync(FOLDER) ? false : `no released archives at ${FOLDER}`

/** Paths of the archives, the largest first. */
export function archives(): readonly string[] {
  const paths = readdirSync(FOLDER).map((name) => join(FOLDER, name))
  return paths.sort((a, b) => statSync(b).size - statSync(a).size)
}

/** The program of all packages in the archives. */
export async function programFrom(paths: readonly string[]): Promise<Packages> {
  const program = new Packages()
  for (const path of paths)
    for (const bytes of await packageFiles(path)) {
      const archive = await readArchive(bytes)
      if (!program.packages.has(archive.packageId)) program.add(archive)
    }
  return program
}

async function packageFiles(path: string): Promise<readonly Uint8Array[]> {
  const file = await openPromise(path, { lazyEntries: true })
  const packages: Uint8Array[] = []
  for await (const entry of file.eachEntry()) {
    if (!entry.fileName.endsWith('.dalf')) continue
    const chunks: Uint8Array[] = []
    for await (const chunk of await file.openReadStreamPromise(entry)) chunks.push(chunk)
    packages.push(Buffer.concat(chunks))
  }
  return packages
}

/** A top-level value by its module, whose first names may be left out. */
export function valueNamed(program: Packages, module: string, name: string): Reference {
  for (const { packageId, modules } of program.packages.values())
    for (const { name: full, values } of modules.values())
      if (`.${full}`.endsWith(`.${module}`) && values.has(name))
        return program.reference(packageId, full, name)
  throw new Error(`no package has ${module}.${name}`)
}
