// A package with one template, of which there can be versions: what an owner has agreed to.
import { archive, PARTY } from './dar-writer.ts'
import type { ArchiveFile, FieldSpec } from './dar-writer.ts'

/** `deals` in a version, whose template has these fields after its owner. */
export function deal(version: string, fields: readonly FieldSpec[]): ArchiveFile {
  return archive({
    name: 'deals',
    version,
    modules: [
      {
        name: 'Deals',
        dataTypes: [{ name: 'Deal', serializable: true, record: [['owner', PARTY], ...fields] }],
        templates: [{ name: 'Deal' }],
      },
    ],
  })
}
