// The rules that every storage plugin follows when it commits: which texts and ranks it rejects,
// and what `decide` sees.
import { storable } from './rules.ts'
import type { CommitReads, CommitWrites, ContractRecord, FactRecord } from './contract-store.ts'

/** The largest rank, 38 digits: what SQL's exact numbers hold everywhere. */
export const MAX_RANK = 10n ** 38n - 1n

/** An entry of a database's index holds little; two ids and a short name fit. */
const MAX_KEY_BYTES = 1_000
const MAX_BYTES_PER_UNIT = 3

/** Throws a TypeError where `storable` does for one of the texts that a commit asks for. */
export function storableReads({ contractIds, commandKeys, facts }: CommitReads): void {
  for (const id of contractIds) storable(id)
  for (const key of commandKeys) storable(key)
  for (const { kind, key } of facts) storable(kind, key)
}

/**
 * Throws a TypeError where `storable` does for one of the texts that are not JSON, where an id,
 * owner or key has more than 1,000 bytes, or where a rank is negative or has more than 38 digits.
 */
export function storableWrites(writes: CommitWrites): void {
  for (const { updateId, seenBy = [] } of writes.updates) {
    storableKeys(updateId)
    storable(...seenBy)
  }
  for (const { contract, synchronizerId } of writes.creates) {
    storableContract(contract)
    storableKeys(synchronizerId)
  }
  for (const { contractId } of writes.archives) storableKeys(contractId)
  for (const { contractId, synchronizerId } of writes.assignments)
    storableKeys(contractId, synchronizerId)
  for (const { key, updateId } of writes.commands) storableKeys(key, updateId)
  for (const { name, account } of writes.totals) storableKeys(name, account)
  for (const { name, account } of writes.accruals) storableKeys(name, account)
  for (const { log, owner, id } of writes.logs) storableKeys(log, owner, id)
  for (const { kind, key } of writes.facts) storableKeys(kind, key)
}

function storableContract(contract: ContractRecord): void {
  const { contractId, templateId, packageName, key1, key2, key3, rank } = contract
  storableKeys(contractId, templateId, packageName, key1, key2, key3)
  for (const party of contract.signatories) storable(party)
  for (const party of contract.observers) storable(party)
  if (rank < 0n || rank > MAX_RANK)
    throw new TypeError(`The rank ${rank} has more than 38 digits or is negative`)
}

function storableKeys(...texts: readonly string[]): void {
  storable(...texts)
  if (texts.every(isShort)) return
  throw new TypeError(`An id, owner or key to store has more than ${MAX_KEY_BYTES} bytes`)
}

function isShort(text: string): boolean {
  return (
    text.length * MAX_BYTES_PER_UNIT <= MAX_KEY_BYTES || Buffer.byteLength(text) <= MAX_KEY_BYTES
  )
}

/** Bodies by kind, then key, as `decide` sees facts. */
export function factsByKind(
  facts: readonly FactRecord[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const byKind = new Map<string, Map<string, string>>()
  for (const { kind, key, body } of facts) {
    const byKey = byKind.get(kind) ?? new Map<string, string>()
    byKind.set(kind, byKey.set(key, body))
  }
  return byKind
}
