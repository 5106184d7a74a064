// Finds the plugin that the running code belongs to, so that an uncaught error is attributed to it.
import { AsyncLocalStorage } from 'node:async_hooks'

/** A plugin as a host has it: another host of the process may have one of the same id. */
export interface Owner {
  /** `kind/name`. */
  readonly id: string
}

const current = new AsyncLocalStorage<Owner>()

/** Tests of the watching hosts for their own plugins. */
const watching = new Set<(owner: Owner) => boolean>()

/** Runs `work`, and everything that it starts, on behalf of a plugin. */
export function onBehalfOf<T>(owner: Owner, work: () => T): T {
  return current.run(owner, work)
}

/**
 * Reports errors that nobody caught, with the responsible plugin where it is known, unless it is
 * another host's. Answers the way to stop watching.
 *
 * @param owns whether a plugin is one of this host's
 */
export function watchUncaught(
  owns: (owner: Owner) => boolean,
  report: (error: unknown, owner: Owner | undefined) => void,
): () => void {
  const listener = (error: unknown): void => {
    const owner = current.getStore()
    const isKnown = owner !== undefined && [...watching].some((ofHost) => ofHost(owner))
    if (owner === undefined || !isKnown || owns(owner)) report(error, owner)
  }
  watching.add(owns)
  process.on('uncaughtException', listener)
  process.on('unhandledRejection', listener)
  return () => {
    watching.delete(owns)
    process.off('uncaughtException', listener)
    process.off('unhandledRejection', listener)
  }
}
