// Knows which plugin the running code belongs to, so that an error nobody caught is laid at the
// right door.
import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** Runs `work`, and everything that it starts, on behalf of the plugin `id`. */
export function onBehalfOf<T>(id: string, work: () => T): T {
  return current.run(id, work)
}

/** The plugin that the running code belongs to, or undefined for the host's own. */
function responsible(): string | undefined {
  return current.getStore()
}

/**
 * Reports errors that nobody caught, with the responsible plugin where it is known. Answers the way
 * to stop watching.
 */
export function watchUncaught(
  report: (error: unknown, plugin: string | undefined) => void,
): () => void {
  const listener = (error: unknown): void => report(error, responsible())
  process.on('uncaughtException', listener)
  process.on('unhandledRejection', listener)
  return () => {
    process.off('uncaughtException', listener)
    process.off('unhandledRejection', listener)
  }
}
