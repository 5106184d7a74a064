// Says when one of many files may have changed. Folders are watched, since editors replace files;
// events may come twice, late or not at all, so a look at sizes and times every second makes up for
// those that are lost.
import { statSync, watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Saving is several events: this long without one ends it. */
const QUIET_MS = 20
/** Milliseconds after which a writer without a pause is not waited for. */
const PATIENCE_MS = 200
const LOOK_MS = 1000

export interface FileWatch {
  /** The files to watch from now on, absolute; they need not exist. */
  follow(files: readonly string[]): void
  /** Acts as if there had been an event now. */
  nudge(): void
  close(): void
}

interface Folder {
  readonly inode: number
  readonly watcher: FSWatcher
}

/**
 * Calls `changed` with the time of the first event, by performance.now(), when files may have
 * changed.
 */
export function watchFiles(changed: (since: number) => void): FileWatch {
  return new FolderWatch(changed)
}

class FolderWatch implements FileWatch {
  readonly #changed: (since: number) => void
  readonly #folders = new Map<string, Folder>()
  readonly #look: NodeJS.Timeout
  #stamps = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined
  #since: number | undefined

  constructor(changed: (since: number) => void) {
    this.#changed = changed
    this.#look = setInterval(() => {
      this.#lookAround()
    }, LOOK_MS)
  }

  follow(files: readonly string[]): void {
    this.#stamps = new Map(files.map((file) => [file, stampOf(file)]))
    const wanted = new Set(files.map((file) => nearestFolder(dirname(file))))
    for (const [folder, { watcher, inode }] of this.#folders) {
      if (wanted.has(folder) && inodeOf(folder) === inode) continue
      watcher.close()
      this.#folders.delete(folder)
    }
    for (const folder of wanted) if (!this.#folders.has(folder)) this.#open(folder)
  }

  nudge(): void {
    this.#notice()
  }

  close(): void {
    clearInterval(this.#look)
    clearTimeout(this.#timer)
    for (const { watcher } of this.#folders.values()) watcher.close()
    this.#folders.clear()
  }

  #open(folder: string): void {
    const inode = inodeOf(folder)
    if (inode === undefined) return
    try {
      const watcher = watch(folder, (_, name) => {
        if (name === null || this.#concerns(folder, name)) this.#notice()
      })
      watcher.on('error', () => {
        watcher.close()
      })
      this.#folders.set(folder, { inode, watcher })
    } catch {
      // Without a watcher, say because there are too many, looking around is left.
    }
  }

  /** A name is a followed file, or a folder on the way to one. */
  #concerns(folder: string, name: string): boolean {
    const path = join(folder, basename(name))
    return [...this.#stamps.keys()].some(
      (file) => file === path || file.startsWith(`${path}/`) || file.startsWith(`${path}\\`),
    )
  }

  #notice(): void {
    const now = performance.now()
    this.#since ??= now
    const wait = Math.max(0, Math.min(QUIET_MS, this.#since + PATIENCE_MS - now))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#tell()
    }, wait)
  }

  #tell(): void {
    const since = this.#since ?? performance.now()
    this.#since = undefined
    this.#changed(since)
  }

  #lookAround(): void {
    const files = [...this.#stamps]
    const isLost = [...this.#folders].some(([folder, { inode }]) => inodeOf(folder) !== inode)
    if (isLost || files.some(([file, stamp]) => stampOf(file) !== stamp)) {
      this.follow(files.map(([file]) => file))
      this.#notice()
    }
  }
}

function nearestFolder(folder: string): string {
  const parent = dirname(folder)
  return inodeOf(folder) !== undefined || parent === folder ? folder : nearestFolder(parent)
}

function inodeOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.ino
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`
}
