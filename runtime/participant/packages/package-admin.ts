// Packages of this node: uploads checked, stored and vetted in one step, and reads.
// docs/ledger-rules.md, "Packages"
import type { PackageRecord, PackageUpload, Store } from '../../store/store.ts'
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, ledgerError, LedgerError } from '../../errors/errors.ts'
import type { NodeIdentity } from '../node.ts'
import { untilWritten } from '../identity/optimistic.ts'
import type * as Packages from './index.ts'
import type { Dar, KnownPackages, PackageSummary, SpooledFile } from './index.ts'
import { ownName, spool } from './spool.ts'
import { storedSummary } from '../../packages/summary/summary.ts'
import { logicalSynchronizerId, parseUniqueIdentifier } from '../topology/unique-identifier.ts'

/** Zip and archive reading load with the first upload, not with the server. */
const reading = (): Promise<typeof Packages> => import('./index.ts')

const PACKAGE_ID = /^[A-Za-z0-9\-_ ]{1,64}$/

interface PackageAdminOptions {
  readonly store: Store
  readonly node: NodeIdentity
  /** The folder in which uploads wait while they are checked; made if absent. */
  readonly uploadFolder: string
  readonly maxUploadBytes: number
  /** The Format that a DAR's manifest must have. */
  readonly manifestFormat: string
  /** Packages that every DAR may contain without using them. */
  readonly known: Required<KnownPackages>
  readonly newName: () => string
}

interface UploadRequest {
  readonly body: AsyncIterable<Uint8Array>
  /** '' is the one that is connected. */
  readonly synchronizerId: string
  readonly vet: boolean
}

interface PackagePayload {
  readonly packageId: string
  readonly payload: AsyncIterable<Uint8Array>
}

export class PackageAdmin {
  readonly #options: PackageAdminOptions

  constructor(options: PackageAdminOptions) {
    this.#options = options
  }

  /**
   * Stores what a DAR holds and, where asked, vets all of it; again is no change. Errors:
   * BODY_TOO_LARGE, those of `readDar` and `checkUpgrades`, PROTO_DESERIALIZATION_FAILURE,
   * PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER, REQUEST_ALREADY_IN_FLIGHT
   */
  upload({ body, synchronizerId, vet }: UploadRequest): Promise<undefined | LedgerError> {
    return this.#withDar(body, synchronizerId, async (dar) => {
      const attempt = (): Promise<undefined | 'stale' | LedgerError> => this.#store(dar, vet)
      return untilWritten(
        attempt,
        ledgerError('REQUEST_ALREADY_IN_FLIGHT', { id: dar.mainPackageId, details: 'vetting' }),
      )
    })
  }

  /** Checks like `upload`, and stores nothing. */
  validate({ body, synchronizerId }: Omit<UploadRequest, 'vet'>): Promise<undefined | LedgerError> {
    return this.#withDar(body, synchronizerId, async ({ packages }) => {
      return this.vettingError(packages.map(({ summary }) => summary))
    })
  }

  /** All ids, in byte order. */
  list(): Promise<readonly string[]> {
    return this.#options.store.packages.list()
  }

  /** PACKAGE_NOT_FOUND, INVALID_ARGUMENT */
  async payload(packageId: string): Promise<PackagePayload | LedgerError> {
    const problem = idProblem(packageId)
    if (problem) return problem
    const payload = await this.#options.store.packages.payloadStream(packageId)
    return payload
      ? { packageId, payload }
      : ledgerError('PACKAGE_NOT_FOUND', { package_id: packageId })
  }

  /** INVALID_ARGUMENT */
  async isRegistered(packageId: string): Promise<boolean | LedgerError> {
    return idProblem(packageId) ?? (await this.#options.store.packages.get([packageId])).length > 0
  }

  async #withDar(
    body: AsyncIterable<Uint8Array>,
    synchronizerId: string,
    work: (dar: Dar) => Promise<undefined | LedgerError>,
  ): Promise<undefined | LedgerError> {
    const problem = this.synchronizerError(synchronizerId)
    if (problem) return problem
    const { uploadFolder, maxUploadBytes, newName } = this.#options
    const file = await spool(body, {
      folder: uploadFolder,
      name: ownName(newName()),
      maxBytes: maxUploadBytes,
    })
    if (file === undefined) return ledgerError('BODY_TOO_LARGE', { limit: String(maxUploadBytes) })
    try {
      return await this.#withFile(file, work)
    } finally {
      await file.remove()
    }
  }

  async #withFile(
    { path }: SpooledFile,
    work: (dar: Dar) => Promise<undefined | LedgerError>,
  ): Promise<undefined | LedgerError> {
    const { readDar, languageError } = await reading()
    const dar = await readDar(path, {
      manifestFormat: this.#options.manifestFormat,
      stored: (ids) => this.#options.store.packages.get(ids),
      ...this.#options.known,
    })
    if (dar instanceof LedgerError) return dar
    try {
      return (await languageError(dar)) ?? (await work(dar))
    } finally {
      dar.close()
    }
  }

  /** 'stale' when somebody else vetted packages since the check. */
  async #store({ packages }: Dar, vet: boolean): Promise<undefined | 'stale' | LedgerError> {
    const { store } = this.#options
    if (packages.every(({ stored }) => stored !== undefined && (stored.vetted || !vet)))
      return undefined
    const uploads = packages.map(({ summary, payloadSize, readPayload }): PackageUpload => ({
      packageId: summary.packageId,
      name: summary.name,
      version: summary.version,
      size: payloadSize,
      summary: JSON.stringify(summary),
      readPayload,
    }))
    const version = await store.packages.vettingVersion()
    const problem = vet
      ? await this.vettingError(packages.map(({ summary }) => summary))
      : undefined
    if (problem) return problem
    const outcome = await store.packages.upload(
      uploads,
      vet ? uploads.map(({ packageId }) => packageId) : [],
      version,
    )
    return outcome === 'stale' ? 'stale' : undefined
  }

  /** The error of vetting these together. Errors: those of `checkUpgrades` */
  async vettingError(summaries: readonly PackageSummary[]): Promise<LedgerError | undefined> {
    const { checkBasicLibrary, checkUpgrades } = await reading()
    const { known } = this.#options
    const library = summaries
      .map((summary) => checkBasicLibrary(summary, known))
      .find((problem) => problem !== undefined)
    return library ?? checkUpgrades(summaries, await this.#vetted(summaries), known)
  }

  /**
   * The vetted packages of these names, and the vetted ones that they refer to: types are followed
   * across packages.
   */
  async #vetted(summaries: readonly PackageSummary[]): Promise<readonly PackageSummary[]> {
    const { packages } = this.#options.store
    const named = vettedSummaries(
      await packages.named([...new Set(summaries.map(({ name }) => name))]),
    )
    const referred = vettedSummaries(
      await packages.get([...new Set(named.flatMap(({ dependencies }) => dependencies))]),
    )
    return [
      ...new Map([...named, ...referred].map((summary) => [summary.packageId, summary])).values(),
    ]
  }

  /** PROTO_DESERIALIZATION_FAILURE, PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER; '' is ours. */
  synchronizerError(id: string): LedgerError | undefined {
    if (id === '') return undefined
    const parsed = parseUniqueIdentifier(logicalSynchronizerId(id))
    if (typeof parsed === 'string')
      return ledgerError('PROTO_DESERIALIZATION_FAILURE', { reason: parsed })
    return logicalSynchronizerId(id) === this.#options.node.synchronizerId
      ? undefined
      : ledgerError('PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER', { synchronizer_id: id })
  }
}

function vettedSummaries(records: readonly PackageRecord[]): readonly PackageSummary[] {
  return records.filter(({ vetted }) => vetted).map(storedSummary)
}

function idProblem(packageId: string): LedgerError | undefined {
  return PACKAGE_ID.test(packageId)
    ? undefined
    : invalidArgument(reasonText('invalidPackageId', { reason: packageId }))
}
