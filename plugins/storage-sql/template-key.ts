// Templates as the indexes have them.
import { createHash } from 'node:crypto'

const templateKeys = new Map<string, number>()

/**
 * Four bytes that stand for a template (`templateOf`) in the indexes, where it would fill most of
 * an entry.
 */
export function templateKey(template: string): number {
  const known = templateKeys.get(template)
  if (known !== undefined) return known
  const key = createHash('sha256').update(template).digest().readInt32BE()
  templateKeys.set(template, key)
  return key
}
