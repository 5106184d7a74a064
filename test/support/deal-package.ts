// A package with one template, of which there can be versions: what an owner has agreed to.
import { archiveOfText } from './dar-text.ts'
import type { ArchiveFile } from './dar-writer.ts'

/** `deals` in a version, whose template has these fields after its owner. */
export function deal(version: string, fields = '', name = 'deals'): ArchiveFile {
  const text = `record Deal ${['owner: Party', fields].filter(Boolean).join(', ')}\ntemplate Deal`
  return archiveOfText(name, version, text, { module: 'Deals' })
}
