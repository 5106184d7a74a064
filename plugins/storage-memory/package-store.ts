// Packages in memory. Payloads are read before anything is written, then all is written in one turn
// of the event loop.
import {
  compareUtf8,
  distinctPackages,
  packageTexts,
  verifiedPayload,
} from '../../runtime/index.ts'
import { checker, requireOpen } from './tables.ts'
import type { PackageRecord, PackageStore, PackageUpload } from '../../runtime/index.ts'
import type { PackageEntry, Tables } from './tables.ts'

const PIECE_BYTES = 1024 * 1024

export function packageStore(tables: Tables): PackageStore {
  const { packages } = tables
  const check = checker(tables)
  const records = (wanted: (record: PackageRecord) => boolean): readonly PackageRecord[] =>
    [...packages.values()]
      .map(({ record }) => record)
      .filter(wanted)
      .sort((a, b) => compareUtf8(a.packageId, b.packageId))
  return {
    list: async () => check() && records(() => true).map(({ packageId }) => packageId),
    get: async (ids) => check(...ids) && records(({ packageId }) => ids.includes(packageId)),
    named: async (names) => check(...names) && records(({ name }) => names.includes(name)),
    payloadStream: async (id) => {
      check(id)
      const entry = packages.get(id)
      return entry && piecesOf(entry.payload)
    },
    vettingVersion: async () => check() && tables.vettingVersion,
    upload: async (uploads, vet, expectedVetting) => {
      check(...packageTexts(uploads), ...vet)
      return upload(tables, uploads, vet, expectedVetting)
    },
  }
}

async function upload(
  tables: Tables,
  uploads: readonly PackageUpload[],
  vet: readonly string[],
  expectedVetting: bigint,
): Promise<'stored' | 'stale' | 'missing'> {
  const fresh = distinctPackages(uploads).filter(({ packageId }) => !tables.packages.has(packageId))
  const there = new Set([...tables.packages.keys(), ...fresh.map(({ packageId }) => packageId)])
  if (!vet.every((id) => there.has(id))) return 'missing'
  const isStale = (): boolean => vet.length > 0 && tables.vettingVersion !== expectedVetting
  if (isStale()) return 'stale'
  const entries: PackageEntry[] = []
  for (const each of fresh) entries.push(await entryOf(each))
  requireOpen(tables)
  if (isStale()) return 'stale'
  for (const entry of entries) keep(tables, entry)
  markVetted(tables, vet)
  return 'stored'
}

async function entryOf(upload: PackageUpload): Promise<PackageEntry> {
  const { packageId, name, version, size, summary } = upload
  const payload = Uint8Array.from(await verifiedPayload(upload))
  return { record: { packageId, name, version, size, summary, vetted: false }, payload }
}

/** Somebody may have stored it while the payloads were read. */
function keep({ packages }: Tables, entry: PackageEntry): void {
  const { packageId } = entry.record
  if (!packages.has(packageId)) packages.set(packageId, entry)
}

function markVetted(tables: Tables, vet: readonly string[]): void {
  const changed = vet
    .flatMap((id) => tables.packages.get(id) ?? [])
    .filter(({ record }) => !record.vetted)
  for (const entry of changed) entry.record = { ...entry.record, vetted: true }
  if (changed.length > 0) tables.vettingVersion += 1n
}

async function* piecesOf(payload: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < payload.length; start += PIECE_BYTES)
    yield payload.slice(start, start + PIECE_BYTES)
}
