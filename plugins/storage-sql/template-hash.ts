// Ids of templates as the indexes have them.
import { createHash } from 'node:crypto'

const templateHashes = new Map<string, number>()

/** Four bytes that stand for a template's id in the indexes, where it would fill most of an entry. */
export function templateHash(templateId: string): number {
  const known = templateHashes.get(templateId)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(templateId).digest().readInt32BE()
  templateHashes.set(templateId, hash)
  return hash
}
