// Reads a backup line by line and hands its rows on in batches. Whatever is missing, altered or of
// somebody else ends it with BackupRejected, at the latest at the trailer: who takes the rows keeps
// them to himself until it has read everything.
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { assertHeader, BackupRejected, parse, readTrailer, tableLine } from './backup-format.ts'
import { SCHEMA_NAMES } from './migrations.ts'
import { SAVED_TABLES } from './tables.ts'
import type { Readable } from 'node:stream'
import type { BackupSummary, BackupTableSummary } from '../../runtime/index.ts'
import type { Table } from './tables.ts'

/** The taker of what is read. */
export interface Receiver {
  begin(): Promise<void>
  /** Rows of a table, which begin with the first, and tables come in their order. */
  rows(table: Table, rows: readonly (readonly unknown[])[]): Promise<void>
  /** Everything was there as it was written. */
  end(tables: readonly BackupTableSummary[]): Promise<void>
}

const BATCH_ROWS = 500
const BATCH_BYTES = 1_048_576
const NEWLINE = 10
/** Far above what a line takes; without a limit, few bytes of gzip could fill the memory. */
const HEADER_LIMIT = { bytes: 1_048_576, reason: 'was not written by this program' }
const LINE_LIMIT = { bytes: 67_108_864, reason: 'has a line of more than 64 MiB' }
const ROW = '['.charCodeAt(0)

/** Reads all of it. */
export async function readBackup(from: Readable, receiver: Receiver): Promise<BackupSummary> {
  let summary: BackupSummary | undefined
  try {
    await pipeline(from, createGunzip(), async (bytes: AsyncIterable<Buffer>) => {
      summary = await readLines(new Lines(bytes), receiver)
    })
  } catch (error) {
    throw rejectionOf(error)
  }
  if (summary === undefined) throw new BackupRejected('ends too early')
  return summary
}

/**
 * Reads the header alone and ends the stream. Throws BackupRejected where it is none, or one of a
 * later version.
 */
export async function checkHeader(from: Readable): Promise<void> {
  const gunzip = createGunzip()
  from.once('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  try {
    assertHeader((await headerLine(new Lines(gunzip))).toString())
  } catch (error) {
    throw rejectionOf(error)
  } finally {
    from.destroy()
    gunzip.destroy()
  }
}

async function headerLine(lines: Lines): Promise<Buffer> {
  const line = await lines.next(HEADER_LIMIT)
  if (line === undefined) throw new BackupRejected(HEADER_LIMIT.reason)
  return line
}

async function readLines(lines: Lines, receiver: Receiver): Promise<BackupSummary> {
  const line = await headerLine(lines)
  assertHeader(line.toString())
  await receiver.begin()
  const tables: BackupTableSummary[] = []
  for (const table of SAVED_TABLES) tables.push(await readTable(lines, table, receiver))
  const trailer = readTrailer(await lines.text())
  const hash = createHash('sha256').update(line).update('\n').digest('hex')
  if (trailer?.header !== hash || JSON.stringify(trailer.tables) !== JSON.stringify(tables))
    throw new BackupRejected(ALTERED)
  if ((await lines.next()) !== undefined) throw new BackupRejected(ALTERED)
  await receiver.end(tables)
  return { schema: SCHEMA_NAMES.at(-1) ?? '', tables }
}

const ALTERED = 'was altered after it was taken'

async function readTable(
  lines: Lines,
  table: Table,
  receiver: Receiver,
): Promise<BackupTableSummary> {
  if ((await lines.text()) !== tableLine(table.name)) throw new BackupRejected(ALTERED)
  const hash = createHash('sha256')
  let count = 0
  for (let batch = await readBatch(lines); batch.length > 0; batch = await readBatch(lines)) {
    for (const line of batch) hash.update(line).update('\n')
    await receiver.rows(
      table,
      batch.map((line) => rowOf(line, table)),
    )
    count += batch.length
  }
  return { name: table.name, rows: count, sha256: hash.digest('hex') }
}

/** The rows that come next; none at the end of the table. */
async function readBatch(lines: Lines): Promise<readonly Buffer[]> {
  const batch: Buffer[] = []
  let bytes = 0
  while (batch.length < BATCH_ROWS && bytes < BATCH_BYTES && (await lines.peek())?.[0] === ROW) {
    const line = await lines.next()
    if (line === undefined) break
    batch.push(line)
    bytes += line.length
  }
  return batch
}

function rowOf(line: Buffer, { columns }: Table): readonly unknown[] {
  const row = parse(line.toString())
  if (!Array.isArray(row) || row.length !== columns.length) throw new BackupRejected(ALTERED)
  return row
}

/**
 * Lines of a stream of bytes, one at a time. What follows the last newline is no line: such a text
 * was cut.
 */
class Lines {
  readonly #bytes: AsyncIterator<Buffer>
  #ready: Buffer[] = []
  #at = 0
  #rest: Buffer[] = []
  #restBytes = 0

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#bytes = bytes[Symbol.asyncIterator]()
  }

  /**
   * The next line without its newline; undefined at the end. Throws BackupRejected for a longer
   * one.
   */
  async next(limit = LINE_LIMIT): Promise<Buffer | undefined> {
    const line = await this.peek(limit)
    if (line !== undefined) this.#at += 1
    return line
  }

  /** The line that `next` answers next. */
  async peek({ bytes, reason } = LINE_LIMIT): Promise<Buffer | undefined> {
    while (this.#at === this.#ready.length) {
      if (this.#restBytes > bytes) throw new BackupRejected(reason)
      const { done, value } = await this.#bytes.next()
      if (done === true) return this.#rest.length === 0 ? undefined : cut()
      this.#split(value)
    }
    return this.#ready[this.#at]
  }

  /** The next line, which has to be there. */
  async text(): Promise<string> {
    return ((await this.next()) ?? cut()).toString()
  }

  #split(bytes: Buffer): void {
    this.#ready = []
    this.#at = 0
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#ready.push(Buffer.concat([...this.#rest, bytes.subarray(start, end)]))
      this.#rest = []
      this.#restBytes = 0
      start = end + 1
    }
    if (start === bytes.length) return
    this.#rest.push(bytes.subarray(start))
    this.#restBytes += bytes.length - start
  }
}

function cut(): never {
  throw new BackupRejected('ends too early')
}

/** The rejection for what gunzip says of bytes that are none of its own, damaged, or too few. */
function rejectionOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'Z_BUF_ERROR') return new BackupRejected('ends too early', { cause: error })
  if (code !== 'Z_DATA_ERROR') return error
  const isForeign = error instanceof Error && error.message === 'incorrect header check'
  return new BackupRejected(isForeign ? 'was not written by this program' : ALTERED, {
    cause: error,
  })
}
