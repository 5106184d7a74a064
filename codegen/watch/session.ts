// `generate --watch` without its terminal: runs once, then again whenever an input has changed,
// until it is closed.
import type { GenerateOptions } from '../config.ts'
import { regenerate } from '../generate.ts'
import type { Report } from '../generate.ts'
import type { InputFile, Stages } from '../pipeline.ts'
import { bytesOf } from './fresh-modules.ts'
import type { FreshModules } from './fresh-modules.ts'
import { isUnchanged, rememberingStages } from './memory.ts'
import { watchFiles } from './watch-files.ts'
import type { FileWatch } from './watch-files.ts'

/**
 * One run. `changed` are the files that made it happen, absolute, none for the first;
 * `milliseconds` count from the first event.
 */
export interface WatchRun {
  readonly changed: readonly string[]
  readonly milliseconds: number
  /**
   * A text says why there was no run: a configuration that cannot be read, a foreign generator that
   * failed.
   */
  readonly outcome: Report | string
  /** How many files are watched from now on. */
  readonly watched: number
}

interface WatchInput {
  readonly modules: FreshModules
  /** The configuration, imported by `modules`; a text says what is wrong with it. */
  options(): Promise<GenerateOptions | string>
  done(run: WatchRun): void
}

/** Watches until closed. */
export class WatchSession {
  readonly #input: WatchInput
  readonly #watch: FileWatch
  #options: GenerateOptions | undefined
  #stages: Stages | undefined
  #inputs: readonly InputFile[] = []
  #isRunning = false
  #isClosed = false

  constructor(input: WatchInput) {
    this.#input = input
    this.#watch = watchFiles((since) => {
      void this.#wake(since)
    })
  }

  /** The first run. False when there is nothing to watch after it. */
  async start(): Promise<boolean> {
    await this.#runOnce(performance.now(), [])
    return this.#followed().length > 0
  }

  close(): void {
    this.#isClosed = true
    this.#watch.close()
  }

  async #wake(since: number): Promise<void> {
    if (this.#isRunning || this.#isClosed) return
    const changed = this.#changed()
    if (changed.length > 0) await this.#runOnce(since, changed)
    // What came into being is watched, even where it says the same.
    else this.#follow()
  }

  /**
   * Events during a run are not lost: what has changed meanwhile is waited for like any other save.
   */
  async #runOnce(since: number, changed: readonly string[]): Promise<void> {
    this.#isRunning = true
    try {
      await this.#run(since, changed)
    } finally {
      this.#isRunning = false
    }
    if (!this.#isClosed && this.#changed().length > 0) this.#watch.nudge()
  }

  async #run(since: number, changed: readonly string[]): Promise<void> {
    const outcome = await this.#outcome()
    this.#follow()
    const watched = this.#followed().length
    if (!this.#isClosed)
      this.#input.done({ changed, outcome, watched, milliseconds: performance.now() - since })
  }

  async #outcome(): Promise<Report | string> {
    try {
      const fault = await this.#configure()
      if (fault !== undefined || this.#options === undefined || this.#stages === undefined)
        return fault ?? 'no configuration'
      const { inputs, ...report } = await regenerate(this.#options, this.#stages)
      this.#inputs = inputs
      return report
    } catch (error) {
      // What was asked for once is not tried again until something changes.
      this.#inputs = this.#inputs.map(({ file }) => ({ file, bytes: bytesOf(file) }))
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** Reads the configuration where it has changed; while it is wrong, nothing is generated. */
  async #configure(): Promise<string | undefined> {
    const { files } = this.#input.modules
    if (this.#options !== undefined && files.every(isUnchanged)) return undefined
    this.#options = undefined
    this.#input.modules.settle()
    const options = await this.#input.options()
    if (typeof options === 'string') {
      this.#inputs = []
      return options
    }
    this.#options = options
    this.#stages = rememberingStages()
    return undefined
  }

  #changed(): readonly string[] {
    const all = [...this.#input.modules.files, ...this.#inputs]
    return [...new Set(all.filter((input) => !isUnchanged(input)).map(({ file }) => file))]
  }

  #followed(): readonly string[] {
    return [...new Set([...this.#input.modules.files, ...this.#inputs].map(({ file }) => file))]
  }

  #follow(): void {
    if (!this.#isClosed) this.#watch.follow(this.#followed())
  }
}
