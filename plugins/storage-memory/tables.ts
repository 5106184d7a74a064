// What the parts of the memory store share: the data, and the checks that come before every access.
import { storable, StoreUnavailable } from '../../runtime/index.ts'
import type {
  Clock,
  CommitWrites,
  IdentityProviderRecord,
  PackageRecord,
  PartyRecord,
  RightRecord,
  Total,
  UpdateRecord,
  UserRecord,
} from '../../runtime/index.ts'
import { Commands } from './commands.ts'
import { Facts } from './facts.ts'
import type { Accruals } from './accruals.ts'
import type { ContractEntry, TemplateContracts } from './active-index.ts'

/** Of rows that are looked at before others have their turn. */
export const SLICE = 1_000

export interface UserEntry {
  user: UserRecord
  rights: readonly RightRecord[]
  /** The party of the user's wallet. */
  wallet?: string
  /** By provider and name, with a NUL in between. */
  readonly notes: Map<string, string>
}

export interface PackageEntry {
  record: PackageRecord
  readonly payload: Uint8Array
}

/** Times in milliseconds of a clock that only goes forward; 0 is none. */
export interface Lease {
  readonly holder: string
  readonly endsAt: number
  readonly wisher: string
  readonly wishEndsAt: number
}

export interface LogTable {
  lines: CommitWrites['logs'][number][]
  /** Of each id: how many lines the log had before it, pruned ones too. */
  readonly numbers: Map<string, number>
  /** Lines that are pruned. */
  pruned: number
}

export interface Tables {
  readonly clock: Clock
  readonly users: Map<string, UserEntry>
  readonly providers: Map<string, IdentityProviderRecord>
  readonly parties: Map<string, PartyRecord>
  readonly packages: Map<string, PackageEntry>
  readonly updates: Map<bigint, UpdateRecord>
  readonly updateOffsets: Map<string, bigint>
  /** Offsets that a party sees, in order; and who sees an offset, as far as it is not pruned. */
  readonly sightings: Map<string, bigint[]>
  readonly seenBy: Map<bigint, readonly string[]>
  readonly contracts: Map<string, ContractEntry>
  /** In the order of creation. */
  allContracts: ContractEntry[]
  lastSequence: bigint
  /** By `templateOf`. */
  readonly templates: Map<string, TemplateContracts>
  /** By name and account, with a NUL in between; accruals too, logs by log and owner. */
  readonly totals: Map<string, Total>
  readonly accruals: Map<string, Accruals>
  readonly logs: Map<string, LogTable>
  readonly facts: Facts
  readonly commands: Commands
  readonly leases: Map<string, Lease>
  vettingVersion: bigint
  ledgerEnd: bigint
  recordTime: bigint
  prunedUpTo: bigint
  closed: boolean
}

export function emptyTables(clock: Clock): Tables {
  return {
    clock,
    users: new Map(),
    providers: new Map(),
    parties: new Map(),
    packages: new Map(),
    updates: new Map(),
    updateOffsets: new Map(),
    sightings: new Map(),
    seenBy: new Map(),
    contracts: new Map(),
    allContracts: [],
    lastSequence: 0n,
    templates: new Map(),
    totals: new Map(),
    accruals: new Map(),
    logs: new Map(),
    facts: new Facts(),
    commands: new Commands(),
    leases: new Map(),
    vettingVersion: 0n,
    ledgerEnd: 0n,
    recordTime: 0n,
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

/** A user; one of another provider than `inProvider` counts as none. */
export function entryOf({ users }: Tables, id: string, inProvider?: string): UserEntry | undefined {
  const entry = users.get(id)
  return inProvider === undefined || entry?.user.identityProviderId === inProvider
    ? entry
    : undefined
}

export function knownProvider(tables: Tables, id: string): boolean {
  return id === '' || tables.providers.has(id)
}
