// How long SQLite's log grows before a commit copies it into the file, which everybody waits for. A
// long log is copied with less work in all, since pages that commit after commit changes are copied
// once; a short one in less time at once. docs/decisions/0045-checkpoints-in-a-thread.md
import type SqliteDatabase from 'better-sqlite3'

/** 32 MiB, where all the time is needed, and 2 MiB, where some of it is left. */
const [LONG_PAGES, SHORT_PAGES] = [8_000, 500]
/** The share of its time for which a thread works that has no time left. */
const BUSY = 0.75
/** Milliseconds for which a thread is looked at. */
const LOOK_MS = 1_000

/** Copies of one connection's log, in the thread that serves. */
export class LogCopies {
  readonly #connection: SqliteDatabase.Database
  #since = performance.eventLoopUtilization()
  #lookedAt = performance.now()
  #pages = 0

  constructor(connection: SqliteDatabase.Database) {
    this.#connection = connection
    this.#copyAt(SHORT_PAGES)
  }

  /** Looks at the log; call it outside of transactions, before a commit. */
  look(): void {
    const now = performance.now()
    if (now - this.#lookedAt < LOOK_MS) return
    const { utilization } = performance.eventLoopUtilization(this.#since)
    this.#since = performance.eventLoopUtilization()
    this.#lookedAt = now
    this.#copyAt(utilization < BUSY ? SHORT_PAGES : LONG_PAGES)
  }

  #copyAt(pages: number): void {
    if (pages === this.#pages) return
    this.#pages = pages
    this.#connection.pragma(`wal_autocheckpoint = ${pages}`)
  }
}
