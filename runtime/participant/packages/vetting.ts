// The vetted packages of this node, and changes of them. Packages of our own contracts are always
// vetted, because their code is part of the program; uploaded packages permanently after their
// vetting. docs/ledger-rules.md, "Packages"
import type { PackageRecord, PackageStore, Store } from '../../store/store.ts'
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, LedgerError, ledgerError } from '../../errors/errors.ts'
import type { NodeIdentity } from '../node.ts'
import { untilWritten } from '../identity/optimistic.ts'
import type { PackageAdmin } from './package-admin.ts'
import { storedSummary } from '../../packages/summary/summary.ts'
import { byName, named, ownNamed } from './named-package.ts'
import type { NamedPackage } from './named-package.ts'

/** Everything that is vetted, at one moment. */
export interface VettedSet {
  /** Rises with each change; 1 before the first. */
  readonly serial: number
  /** Packages by name, version and id. */
  readonly packages: readonly NamedPackage[]
}

/** Names packages; '' matches every one. */
export type PackageRef = NamedPackage

/** One change of what is vetted. */
export interface VettingChange {
  readonly kind: 'vet' | 'unvet'
  readonly packages: readonly PackageRef[]
}

export interface VettingRequest {
  readonly changes: readonly VettingChange[]
  readonly dryRun: boolean
  /** The serial that the caller takes for the last; undefined is any. */
  readonly expectedSerial: number | undefined
  readonly allowUnvettedDependencies: boolean
  readonly allowIncompatible: boolean
}

/** The vetted packages of a node. */
export interface VettedAt extends VettedSet {
  readonly participantUid: string
}

/** A node beside this one. */
export interface OtherNode {
  readonly participantUid: string
  readonly packages: Pick<PackageStore, 'get' | 'list' | 'named' | 'vettingVersion'>
}

interface VettingOptions {
  readonly store: Pick<Store, 'packages' | 'parties'>
  /** `PAR::name::fingerprint` of each node of the ledger that hosts a party. */
  readonly hostsOf: (party: string) => Promise<readonly string[]>
  /** The other nodes of the ledger. */
  readonly others: () => Promise<readonly OtherNode[]>
  readonly node: NodeIdentity
  readonly packages: PackageAdmin
  /** Reported versions of our own packages by name, since clients judge by them. */
  readonly reportedVersions: Readonly<Record<string, string>>
}

export class Vetting {
  readonly #options: VettingOptions
  readonly #own: readonly NamedPackage[]

  constructor(options: VettingOptions) {
    this.#options = options
    this.#own = ownNamed(options.reportedVersions)
  }

  /** The participant and the synchronizer that all of it is about. */
  get node(): NodeIdentity {
    return this.#options.node
  }

  /** All that is vetted now, on each node of the ledger, in the order of their uids. */
  async vetted(): Promise<readonly VettedAt[]> {
    const nodes = await this.#nodes()
    const sets = nodes.map(async ({ participantUid, packages }) => {
      const version = await packages.vettingVersion()
      return { participantUid, ...this.#set(version, await storedIn(packages)) }
    })
    return (await Promise.all(sets)).toSorted((one, other) =>
      one.participantUid < other.participantUid ? -1 : 1,
    )
  }

  /**
   * The highest version of a package that every node of the parties has vetted, this one where no
   * party is given; undefined where there is none, or where one of the parties is unknown. Of
   * packages of our own contracts the version that has code here.
   */
  async preferred(name: string, parties: readonly string[]): Promise<NamedPackage | undefined> {
    const hosts = await this.#hosts(parties)
    if (hosts === undefined) return undefined
    const own = this.#own.find(({ packageName }) => packageName === name)
    if (own !== undefined) return own
    const asked = (await this.#nodes()).filter(({ participantUid }) => hosts.has(participantUid))
    const found = await Promise.all(asked.map(({ packages }) => packages.named([name])))
    const [vetted = [], ...elsewhere] = found.map((records) =>
      records.filter((record) => record.vetted).map(named),
    )
    return vetted
      .filter(({ packageId }) =>
        elsewhere.every((at) => at.some((other) => other.packageId === packageId)),
      )
      .toSorted(byName)
      .at(-1)
  }

  /**
   * Makes all changes or none; answers with what was vetted before and what is now. Errors:
   * TOPOLOGY_SERIAL_MISMATCH, INVALID_ARGUMENT, TOPOLOGY_CANNOT_VET_DUE_TO_MISSING_PACKAGES,
   * TOPOLOGY_DEPENDENCIES_NOT_VETTED, those of `checkUpgrades`, REQUEST_ALREADY_IN_FLIGHT
   */
  change(
    request: VettingRequest,
  ): Promise<{ readonly past: VettedSet; readonly now: VettedSet } | LedgerError> {
    return untilWritten(
      () => this.#attempt(request),
      ledgerError('REQUEST_ALREADY_IN_FLIGHT', { id: 'vetting', details: 'vetting' }),
    )
  }

  async #attempt(
    request: VettingRequest,
  ): Promise<{ readonly past: VettedSet; readonly now: VettedSet } | 'stale' | LedgerError> {
    const { packages } = this.#options.store
    const version = await packages.vettingVersion()
    const stored = await storedIn(packages)
    const past = this.#set(version, stored)
    const problem = serialProblem(request.expectedSerial, past.serial)
    if (problem !== undefined) return problem
    const fresh = freshOf(request.changes, this.#own, stored)
    if (fresh instanceof LedgerError) return fresh
    const refused = await this.#refusal(fresh, stored, request)
    if (refused !== undefined) return refused
    const ids = new Set(fresh.map(({ packageId }) => packageId))
    if (ids.size === 0) return { past, now: past }
    const now = this.#set(
      version + 1n,
      stored.map((record) => (ids.has(record.packageId) ? { ...record, vetted: true } : record)),
    )
    if (request.dryRun) return { past, now }
    return (await packages.upload([], [...ids], version)) === 'stored' ? { past, now } : 'stale'
  }

  async #refusal(
    fresh: readonly PackageRecord[],
    stored: readonly PackageRecord[],
    { allowUnvettedDependencies, allowIncompatible }: VettingRequest,
  ): Promise<LedgerError | undefined> {
    const summaries = fresh.map(storedSummary)
    const known = new Set(
      [...fresh, ...stored.filter(({ vetted }) => vetted)].map(({ packageId }) => packageId),
    )
    const unvetted = summaries
      .flatMap(({ dependencies }) => dependencies)
      .filter((packageId) => !known.has(packageId))
    if (unvetted.length > 0 && !allowUnvettedDependencies)
      return ledgerError('TOPOLOGY_DEPENDENCIES_NOT_VETTED', {
        unvetted: [...new Set(unvetted)].join(', '),
      })
    return allowIncompatible ? undefined : this.#options.packages.vettingError(summaries)
  }

  #set(version: bigint, stored: readonly PackageRecord[]): VettedSet {
    const packages = [...this.#own, ...stored.filter(({ vetted }) => vetted).map(named)]
    return { serial: Number(version) + 1, packages: packages.toSorted(byName) }
  }

  /** All of the ledger, this one first. */
  async #nodes(): Promise<readonly OtherNode[]> {
    const { store, node, others } = this.#options
    return [{ participantUid: node.participantUid, packages: store.packages }, ...(await others())]
  }

  /**
   * Uids of the nodes that host at least one of the parties, this one where there are none;
   * undefined where a party is unknown. Those that this node signs for are nowhere else.
   */
  async #hosts(parties: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const { store, node, hostsOf } = this.#options
    const asked = [...new Set(parties)]
    const here = (await store.parties.get(asked)).filter(({ topology }) => topology === '')
    const signedFor = new Set(here.map(({ party }) => party))
    const isAsked = asked.length === 0 || signedFor.size > 0
    const hosts = new Set(isAsked ? [node.participantUid] : [])
    for (const party of asked.filter((each) => !signedFor.has(each))) {
      const members = await hostsOf(party)
      if (members.length === 0) return undefined
      for (const member of members) hosts.add(member.replace(/^PAR::/, ''))
    }
    return hosts
  }
}

async function storedIn(packages: OtherNode['packages']): Promise<readonly PackageRecord[]> {
  return packages.get(await packages.list())
}

function serialProblem(expected: number | undefined, actual: number): LedgerError | undefined {
  return expected === undefined || expected === actual
    ? undefined
    : ledgerError('TOPOLOGY_SERIAL_MISMATCH', {
        expected: String(expected),
        actual: String(actual),
      })
}

/** The stored packages that become vetted by the changes. */
function freshOf(
  changes: readonly VettingChange[],
  own: readonly NamedPackage[],
  stored: readonly PackageRecord[],
): readonly PackageRecord[] | LedgerError {
  const known = [...own, ...stored.map(named)]
  const fresh = new Map<string, PackageRecord>()
  const byId = new Map(stored.map((record) => [record.packageId, record]))
  const isVetted = (id: string): boolean => byId.get(id)?.vetted ?? true
  for (const { kind, packages } of changes) {
    for (const ref of packages) {
      if (ref.packageId === '' && ref.packageName === '')
        return invalidArgument(reasonText('vettingReference'))
      const found = known.filter((each) => matches(ref, each))
      const problem = kind === 'vet' ? vetProblem(ref, found) : unvetProblem(found, isVetted)
      if (problem !== undefined) return problem
      for (const { packageId } of found) {
        const record = byId.get(packageId)
        if (kind === 'unvet') fresh.delete(packageId)
        else if (record?.vetted === false) fresh.set(packageId, record)
      }
    }
  }
  return [...fresh.values()]
}

function vetProblem(ref: PackageRef, found: readonly NamedPackage[]): LedgerError | undefined {
  if (found.length === 1) return undefined
  const [first] = found
  if (first === undefined)
    return ledgerError('TOPOLOGY_CANNOT_VET_DUE_TO_MISSING_PACKAGES', {
      packages: ref.packageId === '' ? `${ref.packageName} ${ref.packageVersion}` : ref.packageId,
    })
  const ids = found.map(({ packageId }) => packageId).join(', ')
  return invalidArgument(reasonText('vettingAmbiguous', { ids }))
}

function unvetProblem(
  found: readonly NamedPackage[],
  isVetted: (packageId: string) => boolean,
): LedgerError | undefined {
  const kept = found.find(({ packageId }) => isVetted(packageId))
  return kept && invalidArgument(reasonText('vettingIsForGood', { id: kept.packageId }))
}

function matches(ref: PackageRef, candidate: NamedPackage): boolean {
  return (
    ['', candidate.packageId].includes(ref.packageId) &&
    ['', candidate.packageName].includes(ref.packageName) &&
    ['', candidate.packageVersion].includes(ref.packageVersion)
  )
}
