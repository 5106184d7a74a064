// The rules of order, text and sets that all storage plugins share, as pure functions.
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  FactName,
  CommitFacts,
  ContractRecord,
  IdentityProviderRecord,
  PackageUpload,
  PartyGrant,
  PartyRecord,
  RightRecord,
  UserRecord,
  WalletOpening,
} from './store.ts'

/** `code` of StoreUnavailable: a plugin of another installation has its own copy of the class. */
export const STORE_UNAVAILABLE = 'STORE_UNAVAILABLE'

/** `code` of StoreConflict. */
export const STORE_CONFLICT = 'STORE_CONFLICT'

/** `code` of CommitRejected. */
export const COMMIT_REJECTED = 'COMMIT_REFUSED'

const HASH_PIECE_BYTES = 4 * 1024 * 1024

/**
 * The data cannot be reached right now: connection lost, file locked, disk full, store closed.
 * Answered as unavailable.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
  readonly code = STORE_UNAVAILABLE
}

/**
 * There is no room to write: nothing was written, and reads go on. Also `isFull` says so, for
 * plugins of another installation.
 */
export class StorageFull extends StoreUnavailable {
  override readonly name: string = 'StorageFull'
  readonly isFull = true

  constructor(reason: string, options?: ErrorOptions) {
    super(`storage-full: ${reason}; writes are refused until there is space`, options)
  }
}

/** Whether an error says that there is no room to write, in the store or on this machine's disk. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isOnDisk = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  return isOnDisk || ('isFull' in error && error.isFull === true)
}

/**
 * A commit wrote nothing, because it does not fit what is stored: it archives a contract that is
 * not active, assigns one that is not there, or writes an id, offset or record time for the second
 * time.
 */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict'
  readonly code = STORE_CONFLICT
}

/**
 * A commit wrote nothing, because something does not hold that always must: a clock that may be
 * believed, the one end of the ledger, or its one history. `invariant` names it. Answered as
 * unavailable: the server is not fit to commit until somebody looks.
 */
export class CommitRejected extends Error {
  override readonly name = 'CommitRejected'
  readonly code = COMMIT_REJECTED
  readonly invariant: 'record-time' | 'ledger-end' | 'history'

  constructor(invariant: CommitRejected['invariant'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.invariant = invariant
  }
}

/** `code` of SnapshotPruned. */
export const SNAPSHOT_PRUNED = 'SNAPSHOT_PRUNED'

/**
 * What was active at an offset is no longer known, because the ledger is pruned up to a later one:
 * maybe since the reader began. Where no service says it in its interface's own words, it is
 * answered as unavailable.
 */
export class SnapshotPruned extends Error {
  override readonly name = 'SnapshotPruned'
  readonly code = SNAPSHOT_PRUNED
  readonly prunedUpTo: bigint

  constructor(prunedUpTo: bigint) {
    super(`The ledger is pruned up to ${prunedUpTo}`)
    this.prunedUpTo = prunedUpTo
  }
}

/** Whether a store says that a snapshot is pruned, whichever installation's class it throws. */
export function isSnapshotPruned(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === SNAPSHOT_PRUNED
}

/** The body of a fact among those that a commit has read; undefined where there is none. */
export function bodyIn(
  { facts }: Pick<CommitFacts, 'facts'>,
  { kind, key }: FactName,
): string | undefined {
  return facts.get(kind)?.get(key)
}

/**
 * The template of a contract, whatever the version of its package: `<package
 * name>:<Module>:<Entity>`. Contracts are found by it.
 */
export function templateOf({
  templateId,
  packageName,
}: Pick<ContractRecord, 'templateId' | 'packageName'>): string {
  return packageName + templateId.slice(Math.max(templateId.indexOf(':'), 0))
}

/**
 * Negative, zero or positive as `a` comes before, with or after `b` in the byte order of their
 * UTF-8 forms.
 */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Whether two records of a provider say the same. */
export function sameProvider(one: IdentityProviderRecord, other: IdentityProviderRecord): boolean {
  const { id, isDeactivated, issuer, jwksUrl, audience } = one
  return (
    id === other.id &&
    isDeactivated === other.isDeactivated &&
    issuer === other.issuer &&
    jwksUrl === other.jwksUrl &&
    audience === other.audience
  )
}

/** Order of a user's rights: by kind, then party, both by bytes. */
export function compareRights(a: RightRecord, b: RightRecord): number {
  return compareUtf8(a.kind, b.kind) || compareUtf8(a.party, b.party)
}

/**
 * Throws a TypeError unless every text can be stored everywhere: no NUL and no lone surrogate.
 * Annotations are exempt, because they are stored as JSON.
 */
export function storable(...texts: readonly string[]): void {
  requireStorable(texts)
}

/** Likewise, for very many. */
export function requireStorable(texts: readonly string[]): void {
  for (const text of texts)
    if (!text.isWellFormed() || text.includes('\0'))
      throw new TypeError('A text to store has a NUL or a lone surrogate')
}

/**
 * The rights among `asked` that are in `held` (or, with `wanted` false, that are not), each once,
 * in the order asked.
 */
export function pickRights(
  asked: readonly RightRecord[],
  held: readonly RightRecord[],
  wanted: boolean,
): readonly RightRecord[] {
  const heldKeys = new Set(held.map(rightKey))
  const byKey = new Map(
    asked.map(({ kind, party }) => [rightKey({ kind, party }), { kind, party }]),
  )
  return [...byKey].filter(([key]) => heldKeys.has(key) === wanted).map(([, right]) => right)
}

/** Whether both name the same rights, in any order, each once. */
export function sameRights(one: readonly RightRecord[], other: readonly RightRecord[]): boolean {
  return one.length === other.length && pickRights(one, other, false).length === 0
}

/** The right that goes with a new party. */
export function actAsRight(party: string): RightRecord {
  return { kind: 'CanActAs', party }
}

/** The texts of a new party and its grant that `storable` must let through. */
export function partyTexts(
  { party, identityProviderId, topology }: Omit<PartyRecord, 'resourceVersion'>,
  grantTo: PartyGrant | undefined,
): readonly string[] {
  return [
    party,
    identityProviderId,
    topology,
    ...(grantTo === undefined ? [] : [grantTo.userId, grantTo.inProvider ?? '']),
  ]
}

/**
 * Whether a party may be given as a wallet's: one that this node signs for, and that no identity
 * provider administers.
 */
export function fitsWallet({
  isLocal,
  topology,
  identityProviderId,
}: Omit<PartyRecord, 'resourceVersion'>): boolean {
  return isLocal && topology === '' && identityProviderId === ''
}

/** The user that a wallet's opening makes. */
export function newWalletUser(
  id: string,
  identityProviderId: string,
): Omit<UserRecord, 'resourceVersion'> {
  return {
    id,
    identityProviderId,
    primaryParty: '',
    isDeactivated: false,
    primaryPartyAuthentication: false,
    annotations: {},
  }
}

/** The texts of a wallet's opening that `storable` must let through. */
export function openingTexts({
  userId,
  identityProviderId,
  party,
}: WalletOpening): readonly string[] {
  const texts = 'fresh' in party ? partyTexts(party.fresh, undefined) : [party.given]
  return [userId, identityProviderId, ...texts]
}

/** The texts of packages that `storable` must let through. */
export function packageTexts(packages: readonly PackageUpload[]): readonly string[] {
  return packages.flatMap(({ packageId, name, version, summary }) => [
    packageId,
    name,
    version,
    summary,
  ])
}

/** Each package once, in the byte order of the ids. */
export function distinctPackages(packages: readonly PackageUpload[]): readonly PackageUpload[] {
  const byId = new Map(packages.map((each) => [each.packageId, each]))
  return [...byId.values()].sort((a, b) => compareUtf8(a.packageId, b.packageId))
}

/** Reads a payload; throws a TypeError unless size and SHA-256 are what the record says. */
export async function verifiedPayload(upload: PackageUpload): Promise<Uint8Array> {
  const { packageId, size } = upload
  const payload = await upload.readPayload()
  const fits = payload.length === size && (await sha256(payload)) === packageId
  if (!fits) throw new TypeError(`The payload of package ${packageId} is another one`)
  return payload
}

/** Piece by piece, because 64 MB at once would hold up every other request. */
async function sha256(payload: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let start = 0; start < payload.length; start += HASH_PIECE_BYTES) {
    hash.update(payload.subarray(start, start + HASH_PIECE_BYTES))
    await nextTurn()
  }
  return hash.digest('hex')
}

function rightKey(right: RightRecord): string {
  return JSON.stringify([right.kind, right.party])
}
