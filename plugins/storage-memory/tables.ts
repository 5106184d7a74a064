// What the parts of the memory store share: the data, and the checks that come before every access.
import { storable, StoreUnavailable } from '../../runtime/index.ts'
import type {
  IdentityProviderRecord,
  PackageRecord,
  PartyRecord,
  RightRecord,
  StoredUpdate,
  UserRecord,
} from '../../runtime/index.ts'

export interface UserEntry {
  user: UserRecord
  rights: readonly RightRecord[]
}

export interface PackageEntry {
  record: PackageRecord
  readonly payload: Uint8Array
}

export interface Tables {
  readonly users: Map<string, UserEntry>
  readonly providers: Map<string, IdentityProviderRecord>
  readonly parties: Map<string, PartyRecord>
  readonly packages: Map<string, PackageEntry>
  readonly updates: Map<bigint, StoredUpdate>
  vettingVersion: bigint
  ledgerEnd: bigint
  prunedUpTo: bigint
  closed: boolean
}

export function emptyTables(): Tables {
  return {
    users: new Map(),
    providers: new Map(),
    parties: new Map(),
    packages: new Map(),
    updates: new Map(),
    vettingVersion: 0n,
    ledgerEnd: 0n,
    prunedUpTo: 0n,
    closed: false,
  }
}

/** True, or throws: the store is closed, or a text cannot be stored. */
export function checker(tables: Tables): (...texts: readonly string[]) => true {
  return (...texts) => {
    requireOpen(tables)
    storable(...texts)
    return true
  }
}

export function requireOpen(tables: Tables): void {
  if (tables.closed) throw new StoreUnavailable('The store is closed')
}

export function knownProvider(tables: Tables, id: string): boolean {
  return id === '' || tables.providers.has(id)
}
