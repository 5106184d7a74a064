// Writes a backup: rows as they come from the database, a piece at a time, so that memory holds a
// few megabytes however much there is, and no faster than the receiver takes them.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { headerLine, tableLine, trailerLine } from './backup-format.ts'
import { written } from './backup-values.ts'
import { SCHEMA_NAMES } from './migrations.ts'
import { SAVED_TABLES } from './tables.ts'
import type { Writable } from 'node:stream'
import type { BackupLabel, BackupSummary, BackupTableSummary } from '../../runtime/index.ts'
import type { Table } from './tables.ts'

/** All data as of one moment. */
export interface Snapshot {
  readonly applied: readonly string[]
  /**
   * Rows in the order of the primary key, with the columns as the table lists them; some at a time.
   */
  rows(table: Table): AsyncIterable<readonly (readonly unknown[])[]>
}

/** Length of a piece of text before it is compressed. */
const PIECE_BYTES = 262_144
/** Twice as fast as the usual level, for files that are a tenth larger. */
const GZIP_LEVEL = 4

/** Writes everything and ends the stream. */
export async function writeBackup(
  snapshot: Snapshot,
  to: Writable,
  label: BackupLabel,
): Promise<BackupSummary> {
  const tables: BackupTableSummary[] = []
  await pipeline(
    Readable.from(pieces(snapshot, label, tables)),
    createGzip({ level: GZIP_LEVEL }),
    to,
  )
  return { schema: SCHEMA_NAMES.at(-1) ?? '', tables }
}

/** The text of the backup; adds what it has written to `done`. */
async function* pieces(
  snapshot: Snapshot,
  label: BackupLabel,
  done: BackupTableSummary[],
): AsyncGenerator<Buffer> {
  const header = `${headerLine(label)}\n`
  yield Buffer.from(header)
  for (const table of SAVED_TABLES) {
    yield Buffer.from(`${tableLine(table.name)}\n`)
    done.push(yield* tablePieces(snapshot, table))
  }
  yield Buffer.from(
    `${trailerLine({ header: createHash('sha256').update(header).digest('hex'), tables: done })}\n`,
  )
}

async function* tablePieces(
  snapshot: Snapshot,
  table: Table,
): AsyncGenerator<Buffer, BackupTableSummary> {
  const hash = createHash('sha256')
  let rows = 0
  let text = ''
  const piece = (): Buffer => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    text = ''
    return bytes
  }
  for await (const some of snapshot.rows(table)) {
    for (const row of some) {
      text += `${rowLine(table, row)}\n`
      rows += 1
      if (text.length >= PIECE_BYTES) yield piece()
    }
  }
  yield piece()
  return { name: table.name, rows, sha256: hash.digest('hex') }
}

function rowLine({ columns }: Table, row: readonly unknown[]): string {
  return JSON.stringify(columns.map(({ kind }, index) => written(kind, row[index])))
}
