// The lines of a backup, which is JSON text in gzip: a header; for each table a line with its name
// and one line a row; a trailer with what was written. docs/decisions/0006-backup.md
import { z } from 'zod'
import { SCHEMA_NAMES } from './migrations.ts'
import { SAVED_TABLES } from './tables.ts'
import type { BackupLabel, BackupTableSummary } from '../../runtime/index.ts'

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

/** A backup that is not restored, and why. */
export class BackupRejected extends Error {
  override readonly name = 'BackupRejected'

  /** `reason` reads on from "the backup". */
  constructor(reason: string, options?: ErrorOptions) {
    super(`the backup ${reason}; nothing was restored`, options)
  }
}

/** The tables of a backup as its header names them. */
const DESCRIBED = SAVED_TABLES.map(({ name, key, columns }) => ({
  name,
  key,
  columns: columns.map((column) => `${column.name} ${column.kind}`),
}))

/** The header of a backup of a storage whose schema is up to date. */
export function headerLine({ product, taken }: BackupLabel): string {
  return JSON.stringify({
    backup: 'ledgerwright',
    format: FORMAT,
    product,
    taken,
    schema: SCHEMA_NAMES,
    tables: DESCRIBED,
  })
}

/** Throws BackupRejected for what is no header, or one of a later version. */
export function assertHeader(line: string): void {
  const read = HEADER.safeParse(parse(line))
  if (!read.success) throw new BackupRejected('was not written by this program')
  const { format, schema: applied } = read.data
  if (format !== FORMAT || applied.some((name) => !SCHEMA_NAMES.includes(name))) {
    throw new BackupRejected(
      'was taken by a newer version of this program ' +
        `(format ${format}, schema ${applied.at(-1) ?? ''}), use that one`,
    )
  }
  const isOurs =
    applied.join() === SCHEMA_NAMES.join() &&
    JSON.stringify(read.data.tables) === JSON.stringify(DESCRIBED)
  if (!isOurs) throw new BackupRejected('was altered after it was taken (its header)')
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
