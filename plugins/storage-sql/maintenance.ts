// Migration, backup and restore, once for both databases. docs/decisions/0006-backup.md
import { checkHeader, readBackup } from './backup-reader.ts'
import { writeBackup } from './backup-writer.ts'
import { refuseNewerSchema, schemaState, SCHEMA_NAMES, StorageRejected } from './migrations.ts'
import { removeAll, restorer } from './restore.ts'
import type { StorageMaintenance, SchemaState } from '../../runtime/index.ts'
import { inspectionOf } from './inspection.ts'
import type { Inspectable } from './inspection.ts'
import type { Target } from './restore.ts'
import { sizesOf } from './sizes.ts'

/**
 * The operations that differ between the two databases. All of it rejects with one line that names
 * the place.
 */
interface Administration {
  readonly location: string
  /**
   * Names of the schema changes that were applied; none where there is no data. Creates nothing.
   */
  applied(): Promise<readonly string[]>
  /** Brings the schema up to date. */
  migrate(): Promise<void>
  snapshot<T>(read: (snapshot: Inspectable) => Promise<T>): Promise<T>
  /** One transaction, which nobody sees before it ends well. */
  change<T>(write: (target: Target) => Promise<T>): Promise<T>
}

export function sqlMaintenance(administration: Administration): StorageMaintenance {
  const schema = async (): Promise<SchemaState> => stateOf(await administration.applied())
  return {
    location: administration.location,
    schema,
    migrate: async () => {
      const { state, pending } = await schema()
      if (state !== 'current') await administration.migrate()
      return pending
    },
    backup: (to, label) =>
      administration.snapshot(async (snapshot) => {
        requireCurrent(snapshot)
        return writeBackup(snapshot, to, label)
      }),
    restore: (from, facts) =>
      administration.change((target) => readBackup(from, restorer(target, facts))),
    checkBackup: checkHeader,
    replace: (from, facts) =>
      administration.change(async (target) => {
        await removeAll(target)
        if (from !== undefined) await readBackup(from, restorer(target, facts))
      }),
    inspect: (read) =>
      administration.snapshot(async (snapshot) => {
        requireCurrent(snapshot)
        return read(inspectionOf(snapshot))
      }),
    sizes: (keepUpdates) =>
      administration.snapshot(async (snapshot) => {
        requireCurrent(snapshot)
        return sizesOf(snapshot, keepUpdates)
      }),
  }
}

/** Throws StorageRejected where there is no data, or data of another version. */
function requireCurrent(snapshot: Inspectable): void {
  const { state, applied } = stateOf(snapshot.applied)
  if (state === 'none') throw new StorageRejected('it holds no data')
  if (state === 'newer') refuseNewerSchema(applied)
  if (state === 'older')
    throw new StorageRejected('its schema is older; "ledgerwright migrate" first')
}

function stateOf(applied: readonly string[]): SchemaState {
  const pending = SCHEMA_NAMES.filter((name) => !applied.includes(name))
  return { state: applied.length === 0 ? 'none' : schemaState(applied), applied, pending }
}
