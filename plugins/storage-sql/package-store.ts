// Packages in SQL. Payloads are written first, in pieces and in transactions of their own, where
// nobody looks for them; one short transaction then makes the packages visible. Pieces that a
// refused or killed upload left are the first ones of the next upload of the same package, because
// the id is the hash of the payload.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { distinctPackages, packageTexts, storable, verifiedPayload } from '../../runtime/index.ts'
import { bytesOf, call, flagOf, int64Of, textOf, touched } from './database.ts'
import { STATEMENTS } from './statements.ts'
import type { Database, Row, Work } from './database.ts'
import type { PackageRecord, PackageStore, PackageUpload } from '../../runtime/index.ts'

/**
 * The contract's limit for a piece that is handed out, and what one transaction writes of payloads
 * at least.
 */
const PIECE_BYTES = 1024 * 1024

interface Piece {
  readonly packageId: string
  readonly number: number
  readonly bytes: Uint8Array
}

export function packageStore(database: Database): PackageStore {
  return {
    list: async () =>
      (await database.once(STATEMENTS.listPackages)).map((row) => textOf(row, 'package_id')),
    get: async (ids) => {
      storable(...ids)
      return getPackages(database, ids)
    },
    named: async (names) => {
      storable(...names)
      return (await database.once(STATEMENTS.packagesNamed, names)).map(packageOf)
    },
    payloadStream: async (id) => {
      storable(id)
      const [found] = await getPackages(database, [id])
      return found && readPieces(database, found)
    },
    vettingVersion: async () => vettingVersionOf(await database.once(STATEMENTS.vettingVersion)),
    upload: async (packages, vet, expectedVetting) => {
      storable(...packageTexts(packages), ...vet)
      return upload(database, packages, vet, expectedVetting)
    },
  }
}

async function upload(
  database: Database,
  packages: readonly PackageUpload[],
  vet: readonly string[],
  expectedVetting: bigint,
): Promise<'stored' | 'stale' | 'missing'> {
  const uploaded = distinctPackages(packages)
  const known = await knownIds(database, [...uploaded.map(({ packageId }) => packageId), ...vet])
  const fresh = uploaded.filter(({ packageId }) => !known.has(packageId))
  const there = new Set([...known, ...fresh.map(({ packageId }) => packageId)])
  if (!vet.every((id) => there.has(id))) return 'missing'
  const vetting = vettingVersionOf(await database.once(STATEMENTS.vettingVersion))
  if (vet.length > 0 && vetting !== expectedVetting) return 'stale'
  await writePayloads(database, fresh)
  return database.transact(() => publish(fresh, vet, expectedVetting))
}

async function knownIds(database: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await database.once(STATEMENTS.knownPackages, ids)
  return new Set(rows.map((row) => textOf(row, 'package_id')))
}

/**
 * Small payloads share a transaction, large ones have several, with turns for other requests in
 * between.
 */
async function writePayloads(
  database: Database,
  packages: readonly PackageUpload[],
): Promise<void> {
  let pieces: Piece[] = []
  let size = 0
  for (const each of packages) {
    for (const piece of piecesOf(each.packageId, await verifiedPayload(each))) {
      pieces.push(piece)
      size += piece.bytes.length
      if (size < PIECE_BYTES) continue
      await writePieces(database, pieces)
      await nextTurn()
      pieces = []
      size = 0
    }
  }
  await writePieces(database, pieces)
}

async function writePieces(database: Database, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return
  await database.transact(function* () {
    for (const { packageId, number, bytes } of pieces)
      yield* call(STATEMENTS.insertPiece, packageId, number, bytes)
  })
}

function* piecesOf(packageId: string, payload: Uint8Array): Generator<Piece> {
  for (let number = 0; number * PIECE_BYTES < payload.length; number += 1) {
    yield {
      packageId,
      number,
      bytes: payload.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES),
    }
  }
}

function* publish(
  fresh: readonly PackageUpload[],
  vet: readonly string[],
  expectedVetting: bigint,
): Work<'stored' | 'stale'> {
  if (vet.length > 0 && vettingVersionOf(yield* call(STATEMENTS.lockVetting)) !== expectedVetting)
    return 'stale'
  for (const { packageId, name, version, size, summary } of fresh) {
    yield* call(STATEMENTS.insertPackage, packageId, name, version, size, summary)
  }
  if (vet.length === 0) return 'stored'
  const changed = yield* call(STATEMENTS.vetPackages, vet)
  if (touched(changed)) yield* call(STATEMENTS.raiseVetting)
  return 'stored'
}

async function getPackages(
  database: Database,
  ids: readonly string[],
): Promise<readonly PackageRecord[]> {
  return (await database.once(STATEMENTS.getPackages, ids)).map(packageOf)
}

async function* readPieces(
  database: Database,
  { packageId, size }: PackageRecord,
): AsyncGenerator<Uint8Array> {
  let read = 0
  for (let number = 0; read < size; number += 1) {
    const [row = {}] = await database.once(STATEMENTS.readPiece, packageId, number)
    const bytes = bytesOf(row, 'bytes')
    read += bytes.length
    yield bytes
  }
}

function vettingVersionOf([row = {}]: readonly Row[]): bigint {
  return int64Of(row, 'version')
}

function packageOf(row: Row): PackageRecord {
  return {
    packageId: textOf(row, 'package_id'),
    name: textOf(row, 'name'),
    version: textOf(row, 'version'),
    size: Number(int64Of(row, 'size')),
    summary: textOf(row, 'summary'),
    vetted: flagOf(row, 'vetted'),
  }
}
