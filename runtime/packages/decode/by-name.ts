// Definitions by their names.
import { MalformedArchive } from '../archive/message.ts'

/** Throws MalformedArchive where two have one name. */
export function byName<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
  const named = new Map<string, T>()
  for (const item of items) {
    const name = nameOf(item)
    if (named.has(name)) throw new MalformedArchive(`${name} is defined twice`)
    named.set(name, item)
  }
  return named
}
