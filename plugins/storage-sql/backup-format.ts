// The lines of a backup, which is JSON text in gzip: a header; for each table a line with its name
// and one line a row; a trailer with what was written. docs/decisions/0006-backup.md
import { z } from 'zod'
import { SCHEMA_NAMES } from './migrations.ts'
import { backupTables } from './backup-tables.ts'
import type { BackupLabel, BackupTableSummary } from '../../runtime/index.ts'
import type { BackupTable } from './backup-tables.ts'

const FORMAT = 1

const HEADER = z.object({
  backup: z.literal('ledgerwright'),
  format: z.int(),
  schema: z.array(z.string()),
  tables: z.unknown(),
})

const TRAILER = z.strictObject({
  end: z.literal('backup'),
  header: z.string(),
  tables: z.array(z.strictObject({ name: z.string(), rows: z.int(), sha256: z.string() })),
})

/** Why a backup is not restored. */
export class BackupRejected extends Error {
  override readonly name = 'BackupRejected'

  /** `reason` reads on from "the backup". */
  constructor(reason: string, options?: ErrorOptions) {
    super(`the backup ${reason}; nothing was restored`, options)
  }
}

export interface Header {
  /** Schema changes of the storage that it was taken from. */
  readonly applied: readonly string[]
  readonly tables: readonly BackupTable[]
}

export function headerLine(applied: readonly string[], { product, taken }: BackupLabel): string {
  const tables = describe(backupTables(applied))
  return JSON.stringify({
    backup: 'ledgerwright',
    format: FORMAT,
    product,
    taken,
    schema: applied,
    tables,
  })
}

/** By name, key, and name and kind of each column. */
function describe(tables: readonly BackupTable[]) {
  return tables.map(({ name, key, columns }) => ({
    name,
    key,
    columns: columns.map((column) => `${column.name} ${column.kind}`),
  }))
}

/** Throws BackupRejected for what is no header, or one of a later version. */
export function readHeader(line: string): Header {
  const read = HEADER.safeParse(parse(line))
  if (!read.success) throw new BackupRejected('was not written by this program')
  const { format, schema: applied } = read.data
  if (format !== FORMAT || applied.some((name) => !SCHEMA_NAMES.includes(name))) {
    throw new BackupRejected(
      'was taken by a newer version of this program ' +
        `(format ${format}, schema ${applied.at(-1) ?? ''}), use that one`,
    )
  }
  const tables = backupTables(applied)
  const isWhole =
    applied.length > 0 && SCHEMA_NAMES.slice(0, applied.length).join() === applied.join()
  const isOurs = JSON.stringify(read.data.tables) === JSON.stringify(describe(tables))
  if (!isWhole || !isOurs) throw new BackupRejected('was altered after it was taken (its header)')
  return { applied, tables }
}

export function tableLine(name: string): string {
  return JSON.stringify({ table: name })
}

interface Trailer {
  /** SHA-256 of the header's line. */
  readonly header: string
  readonly tables: readonly BackupTableSummary[]
}

export function trailerLine({ header, tables }: Trailer): string {
  return JSON.stringify({ end: 'backup', header, tables })
}

/** Undefined for what is no trailer. */
export function readTrailer(line: string): Trailer | undefined {
  return TRAILER.safeParse(parse(line)).data
}

/** Undefined for what is not JSON. */
export function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
