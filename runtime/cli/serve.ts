// `serve`: runs the service until a signal ends it. One line when it cannot start,
// and exit code 2 where the configuration is the reason, else 1.
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'
import type { Flags } from './flags.ts'
import type { CreateServices, RunningServer } from './server.ts'
import { EXIT, configError, fail } from './outcome.ts'
import { readSettings } from './settings.ts'

/**
 * npm and the terminal both pass Ctrl-C on; what follows the first signal this closely is the same
 * one.
 */
const SAME_SIGNAL_MS = 1_000

/**
 * By how much V8 enlarges its young space when much in it survives. All that a start loads
 * survives, once: space enlarged for that would be kept for good, about 10 MB of it, and make no
 * start faster.
 */
const YOUNG_SPACE_GROWTH = {
  starting: '--semi-space-growth-factor=1',
  serving: '--semi-space-growth-factor=2',
} as const

/** Serves the services of this product. */
export async function serve(flags: Flags): Promise<void> {
  setFlagsFromString(YOUNG_SPACE_GROWTH.starting)
  const { createServices } = await import('../interfaces/index.ts')
  await serveWith(flags, createServices)
}

/**
 * Serves what `createServices` makes. Returns once requests are answered; the process lives on
 * until a signal.
 */
export async function serveWith<P>(flags: Flags, createServices: CreateServices<P>): Promise<void> {
  const signals = watchSignals()
  const [{ startServer }, { openLog }, read] = await Promise.all([
    import('./server.ts'),
    import('./log.ts'),
    readSettings(flags),
  ])
  if (!read.ok) throw configError(read.problems, EXIT.usage)
  const { logger, flush } = openLog(read.config.values.log)
  const onFatal = (): void => {
    process.exitCode = EXIT.failed
    signals.end()
  }
  try {
    const { config } = read
    const { node: only } = flags
    const server = await startServer({ config, log: logger, only, createServices, onFatal })
    process.stdout.write(server.banner)
    signals.onEnd(() => void stop(server, flush))
    module.flushCompileCache()
    setFlagsFromString(YOUNG_SPACE_GROWTH.serving)
  } catch (error) {
    fail(error)
    flush()
    process.exit()
  }
}

async function stop(server: RunningServer, flush: () => void): Promise<void> {
  await server.stop()
  flush()
  process.exit()
}

interface Signals {
  /** Says what to do at the end; at once if a signal came while the service started. */
  onEnd(action: () => void): void
  /** Ends the service as a signal does. */
  end(): void
}

/** The first SIGINT or SIGTERM ends the service cleanly, a later one at once. */
function watchSignals(): Signals {
  let action: (() => void) | undefined
  let firstMs: number | undefined
  const end = (): void => {
    if (firstMs !== undefined) {
      if (performance.now() - firstMs > SAME_SIGNAL_MS) process.exit(EXIT.interrupted)
      return
    }
    firstMs = performance.now()
    action?.()
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  return {
    end,
    onEnd: (given) => {
      action = given
      if (firstMs !== undefined) given()
    },
  }
}
