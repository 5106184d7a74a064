// What a development network can do that no real one can: be remembered, taken back, begun anew or
// from a backup. Everything is closed, the storage's data replaced in one transaction, and
// everything opened again: no cache outlives that, and no change goes past the contract engine.
import { rm, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyFact } from '../../economy/network/copies.ts'
import { HISTORY_FILE } from '../../economy/network/history-file.ts'
import { isoOf, nowMs } from '../../host/clock.ts'
import { messageOf } from '../../host/problem.ts'
import type { StorageMaintenance } from '../../store/maintenance.ts'
import { readFrom } from '../backup-file.ts'
import { openServer } from '../opened.ts'
import type { Opened, ServerParts } from '../opened.ts'
import { maintenanceFor } from '../storage.ts'
import { SNAPSHOT_NAME, Snapshots } from './snapshots.ts'
import type { Snapshot } from './snapshots.ts'

/** How long a database may be away, as while it restarts, before the service ends. */
const PATIENCE_MS = 60_000
const PAUSE_MS = 500

/** The served node, and the way to serve another. */
export interface Stage<P> {
  opened(): Opened<P>
  /** Closes nothing itself: `change` does, once no request is in flight any more. */
  serve(change: () => Promise<Opened<P>>): Promise<void>
}

/** The reason why an operation was not carried out; nothing has changed. */
export class DevelopmentRejection extends Error {
  override readonly name = 'DevelopmentRejection'
  readonly status: 400 | 404 | 409 | 503

  constructor(status: DevelopmentRejection['status'], message: string) {
    super(message)
    this.status = status
  }
}

/** The source of the data that replaces all there is; a new network if absent. */
interface Source {
  readonly file?: string
  /** The file is what there was just now, and no copy of it. */
  readonly isSame?: true
  /** Time that a simulated clock shows then, RFC 3339; the system's time if absent. */
  readonly time?: string
}

type Replace = NonNullable<StorageMaintenance['replace']>

/** Every method throws DevelopmentRejection; one at a time changes anything. */
export class DevelopmentControl<P> {
  readonly #parts: ServerParts<P>
  readonly #stage: Stage<P>
  readonly #snapshots: Snapshots
  #isBusy = false

  constructor(parts: ServerParts<P>, stage: Stage<P>) {
    this.#parts = parts
    this.#stage = stage
    this.#snapshots = new Snapshots(parts.config.values.data)
    this.#snapshots.removeUnfinished()
  }

  snapshots(): Promise<readonly Snapshot[]> {
    return this.#snapshots.list()
  }

  /** Remembers the network as it is now: under the name, or else the next number. */
  snapshot(name?: string): Promise<Snapshot> {
    return this.#alone(async () => {
      if (name !== undefined && !SNAPSHOT_NAME.test(name))
        throw new DevelopmentRejection(400, 'a name has 1 to 64 characters of a-z, 0-9 and -')
      if (name !== undefined && (await this.#snapshots.find(name)) !== undefined)
        throw new DevelopmentRejection(409, `snapshot ${name} already exists`)
      const storage = await this.#storage()
      const taken = {
        name: name ?? (await this.#snapshots.nextName()),
        time: isoOf(nowMs(this.#stage.opened().ledgerClock)),
      }
      await this.#snapshots.take(storage, taken)
      return taken
    })
  }

  /** The network is what it was at the snapshot, which stays. */
  revert(name: string): Promise<Snapshot> {
    return this.#alone(async () => {
      const snapshot = await this.#snapshots.find(name)
      if (snapshot === undefined)
        throw new DevelopmentRejection(404, `there is no snapshot ${name}`)
      await this.#change({ file: this.#snapshots.fileOf(name), time: snapshot.time })
      return snapshot
    })
  }

  /** The network begins anew. */
  reset(): Promise<void> {
    return this.#alone(() => this.#change({}))
  }

  /** The network is that of a backup, a file on this machine. */
  fork(file: string): Promise<void> {
    return this.#alone(async () => {
      if (!isAbsolute(file))
        throw new DevelopmentRejection(400, 'the file of the backup must be an absolute path')
      await this.#change({ file })
    })
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) throw new DevelopmentRejection(409, 'another command is changing the network')
    this.#isBusy = true
    try {
      return await work()
    } finally {
      this.#isBusy = false
    }
  }

  async #storage(): Promise<StorageMaintenance> {
    const storage = await maintenanceFor(this.#parts.config)
    if (storage === undefined)
      throw new DevelopmentRejection(409, 'this storage cannot be saved and restored')
    return storage
  }

  async #change(source: Source): Promise<void> {
    const storage = await this.#storage()
    const { replace } = storage
    if (replace === undefined)
      throw new DevelopmentRejection(409, 'the storage cannot replace its data')
    if (this.#stage.opened().others.length > 0)
      throw new DevelopmentRejection(409, 'another server uses the same data')
    if (source.file !== undefined) await assertBackup(storage, source.file)
    let refused: DevelopmentRejection | undefined
    const isRefused = (status: 409 | 503, error: unknown): void => {
      refused = new DevelopmentRejection(status, messageOf(error))
    }
    await this.#stage
      .serve(async () => {
        const before = { time: isoOf(nowMs(this.#stage.opened().ledgerClock)) }
        await this.#stage.opened().close()
        const kept = this.#snapshots.fileOf('.before')
        try {
          await this.#snapshots.keep(storage, kept)
        } catch (error) {
          isRefused(503, error)
          return await patiently(() => this.#open(before))
        }
        try {
          return await this.#begin(replace, source)
        } catch (error) {
          isRefused(409, error)
          return await patiently(() =>
            this.#begin(replace, { ...before, file: kept, isSame: true }),
          )
        } finally {
          await rm(kept, { force: true })
        }
      })
      .catch((error: unknown) => {
        this.#parts.log.error({ err: error }, 'the network could not be opened again')
        this.#parts.onFatal()
        throw error
      })
    if (refused !== undefined) throw refused
  }

  /**
   * Opens the network of a source, in the place of the one that there is. It is another ledger:
   * what was signed for either is not valid in the other.
   */
  async #begin(replace: Replace, source: Source): Promise<Opened<P>> {
    await this.#forget()
    const { file, isSame } = source
    if (file === undefined) await replace()
    else await replace(await readFrom(file), isSame === true ? [] : [copyFact()])
    return this.#open(source)
  }

  /** Forgets on purpose what this server has seen: data that lacks it is no loss. */
  #forget(): Promise<void> {
    return rm(join(this.#parts.config.values.data, HISTORY_FILE), { force: true })
  }

  #open({ time }: Source): Promise<Opened<P>> {
    return openServer(
      this.#parts,
      time === undefined ? undefined : BigInt(Date.parse(time)) * 1_000n,
    )
  }
}

/** Retries until it is done: a database may be away for a while. Rejects if that takes too long. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await act()
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}

/** Asserts a backup, so that no requests are turned away for another file or one without an end. */
async function assertBackup(storage: StorageMaintenance, file: string): Promise<void> {
  try {
    const found = await stat(file)
    if (!found.isFile()) throw new Error(`cannot read ${file}: it is not a file`)
    await storage.checkBackup?.(await readFrom(file))
  } catch (error) {
    throw new DevelopmentRejection(400, messageOf(error))
  }
}
