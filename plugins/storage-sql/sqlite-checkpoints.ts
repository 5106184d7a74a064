// SQLite's log is copied into the file by a thread of its own: in the thread that serves, the pages
// of a long log would keep everybody waiting for as long as they take. Commits go on meanwhile.
// docs/decisions/0045-checkpoints-in-a-thread.md
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** About as many pages of the log. */
const ROWS = 1_000
/** From here, and from wherever in a bundle this is. */
const THREAD = join(
  import.meta.dirname,
  `../../plugins/storage-sql/sqlite-checkpoint-thread${extname(import.meta.filename)}`,
)
const HEAP_MB = 16

/** What the thread is asked for. */
export type Asked = 'copy' | 'close'

/** Asks the thread to copy the log whenever enough has been written. It starts when it has to. */
export class Checkpoints {
  readonly #file: string
  /** Rows written when the log was copied last. */
  #copied = 0
  #thread: Worker | undefined
  #hasFailed = false

  /** @param file the database */
  constructor(file: string) {
    this.#file = file
  }

  /** @param rows all that this connection has written so far */
  written(rows: number): void {
    if (rows - this.#copied < ROWS || this.#hasFailed) return
    this.#copied = rows
    this.#thread ??= this.#start()
    this.#ask('copy')
  }

  /** Resolves when the thread has let go of the file. */
  async close(): Promise<void> {
    const thread = this.#thread
    if (thread === undefined) return
    const left = new Promise((resolve) => thread.once('exit', resolve))
    this.#ask('close')
    thread.ref()
    await left
  }

  #ask(asked: Asked): void {
    this.#thread?.postMessage(asked)
  }

  #start(): Worker {
    const thread = new Worker(THREAD, {
      workerData: this.#file,
      // What is meant for the process, such as modules to load first, is not for its thread.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 1 },
    })
    thread.unref()
    thread.once('exit', () => {
      this.#thread = undefined
    })
    // Commits copy the log themselves then, once it is long.
    thread.once('error', () => {
      this.#hasFailed = true
    })
    return thread
  }
}
