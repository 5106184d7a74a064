// Snapshots of a development network: backups in a folder of the data folder, each with the time
// that the ledger had then, which a simulated clock goes back to.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '../../host/folder.ts'
import type { StorageMaintenance } from '../../store/maintenance.ts'
import { removeUnfinished, writeWhole } from '../backup-file.ts'
import { productVersion } from '../version.ts'

/** A snapshot's facts besides its data. */
export interface Snapshot {
  readonly name: string
  /** The ledger's time, RFC 3339. */
  readonly time: string
}

/** A name that is a file's in every folder. */
export const SNAPSHOT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

const facts = z.object({ time: z.iso.datetime() })

/** The snapshots of a data folder. */
export class Snapshots {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'snapshots')
  }

  /** Removes what a killed process left; before the first snapshot is taken. */
  removeUnfinished(): void {
    removeUnfinished(this.#folder)
  }

  /** Snapshots by name, numbers as numbers. */
  async list(): Promise<readonly Snapshot[]> {
    if (!existsSync(this.#folder)) return []
    const names = (await readdir(this.#folder)).flatMap(
      (file) => /^(.+)\.json$/.exec(file)?.[1] ?? [],
    )
    const known = await Promise.all(names.map((name) => this.find(name)))
    return known
      .filter((one) => one !== undefined)
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  }

  /** Undefined where there is none of this name. */
  async find(name: string): Promise<Snapshot | undefined> {
    const path = join(this.#folder, `${name}.json`)
    if (!SNAPSHOT_NAME.test(name) || !existsSync(path)) return undefined
    return { name, ...facts.parse(JSON.parse(await readFile(path, 'utf8'))) }
  }

  /** The next number that no snapshot has. */
  async nextName(): Promise<string> {
    const numbers = (await this.list()).map(({ name }) =>
      /^\d{1,9}$/.test(name) ? Number(name) : 0,
    )
    return String(Math.max(0, ...numbers) + 1)
  }

  /** The file of its data. */
  fileOf(name: string): string {
    return join(this.#folder, `${name}.backup`)
  }

  /** Takes one; its facts come last, so that a snapshot that broke off is none. */
  async take(storage: StorageMaintenance, snapshot: Snapshot): Promise<void> {
    const { name, time } = snapshot
    await this.keep(storage, this.fileOf(name))
    await writeWhole(join(this.#folder, `${name}.json`), true, async (to) => {
      await new Promise<void>((resolve, reject) => {
        to.once('error', reject)
        to.end(`${JSON.stringify({ time })}\n`, resolve)
      })
    })
  }

  /** Writes the data alone, to a file of `fileOf`. */
  async keep(storage: StorageMaintenance, file: string): Promise<void> {
    makeFolder(this.#folder)
    const label = { product: productVersion(), taken: new Date().toISOString() }
    await writeWhole(file, true, (to) => storage.backup(to, label))
  }
}
