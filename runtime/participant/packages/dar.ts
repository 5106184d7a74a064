// A DAR from a file: zip, manifest, archives and the rules between them, one archive in memory at a
// time. What comes out is small; the payloads are read from the file again when they are stored.
// docs/ledger-rules.md, "Packages"
import { ledgerError } from '../../errors/errors.ts'
import { listed } from '../../errors/text.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { languageVersions, readEnvelope, readPayload } from '../../packages/archive/archive.ts'
import type { Archive } from '../../packages/archive/archive.ts'
import { openDar } from '../../packages/archive/dar-file.ts'
import type { DarFile } from '../../packages/archive/dar-file.ts'
import type { PackageRecord } from '../../store/store.ts'
import { MalformedArchive } from '../../packages/archive/message.ts'
import { UnreadableDar } from '../../packages/archive/unreadable-dar.ts'
import { defaultZipLimits } from '../../packages/archive/zip.ts'
import type { Zip, ZipLimits } from '../../packages/archive/zip.ts'
import { BrokenRule } from '../../packages/program/malformed-definition.ts'
import { readPackage } from '../../packages/summary/package-reader.ts'
import { storedSummary } from '../../packages/summary/summary.ts'
import type { PackageSummary } from '../../packages/summary/summary.ts'
import { checkDefinitions, checkDependencies } from './package-rules.ts'
import type { KnownPackages } from './package-rules.ts'
import { Rejected } from './rejected.ts'

export interface DarOptions extends KnownPackages {
  /**
   * The value that the manifest's attribute Format must have; a constant of the wire, so it is the
   * caller's.
   */
  readonly manifestFormat: string
  readonly allowedLanguageVersions?: readonly string[]
  readonly limits?: Partial<ZipLimits>
  /** The packages of these ids that are stored: they were read and checked before. */
  readonly stored?: (ids: readonly string[]) => Promise<readonly PackageRecord[]>
}

export interface DarPackage {
  readonly summary: PackageSummary
  /** Undefined of a package that is new. */
  readonly stored: PackageRecord | undefined
  /** Size of the payload, bytes. */
  readonly payloadSize: number
  /**
   * The payload, read from the file again; `packageId` is its SHA-256. Throws when the file has
   * changed or was closed.
   */
  readPayload(): Promise<Uint8Array>
}

/** A checked DAR. Its file must stay until `close`, which must be called once. */
export interface Dar {
  readonly mainPackageId: string
  /** Each package once, the main one first. */
  readonly packages: readonly DarPackage[]
  close(): void
}

/**
 * Reads and checks the DAR in the file at `path`. Errors: INVALID_DAR, INVALID_ZIP_ENTRY, ZIP_BOMB,
 * DAR_PARSE_ERROR, ALLOWED_LANGUAGE_VERSIONS, DAR_VALIDATION_ERROR, DAR_DEPENDENCIES_NOT_VALID;
 * then the file is closed. Errors of the disk are thrown. docs/ledger-rules.md, "Packages"
 *
 * @example const dar = await readDar(file.path, { manifestFormat: names.manifestFormat })
 */
export async function readDar(path: string, options: DarOptions): Promise<Dar | LedgerError> {
  const limits = { ...defaultZipLimits, ...options.limits }
  let file: DarFile | undefined
  try {
    file = await openDar(path, limits, options.manifestFormat)
    return await readOpenDar(file, limits, options)
  } catch (problem) {
    file?.zip.close()
    if (problem instanceof Rejected) return problem.error
    if (problem instanceof UnreadableDar) {
      const facts = Object.fromEntries(
        Object.entries(problem.facts).map(([name, fact]) => [name, listed([fact].flat())]),
      )
      return ledgerError(problem.code, facts, { context: facts })
    }
    throw problem
  }
}

async function readOpenDar(
  { zip, main: mainName, archives }: DarFile,
  limits: ZipLimits,
  options: DarOptions,
): Promise<Dar> {
  const others = archives.filter((name) => name !== mainName)
  const main = await readEntry(zip, mainName, limits, options)
  const packages = new Map([[main.summary.packageId, main]])
  for (const name of others) {
    const each = await readEntry(zip, name, limits, options)
    if (!packages.has(each.summary.packageId)) packages.set(each.summary.packageId, each)
  }
  const summaries = [...packages.values()].map(({ summary }) => summary)
  refuse(checkDependencies(main.summary.packageId, summaries, options))
  return {
    mainPackageId: main.summary.packageId,
    packages: [...packages.values()],
    close: () => zip.close(),
  }
}

async function readEntry(
  zip: Zip,
  name: string,
  limits: ZipLimits,
  options: DarOptions,
): Promise<DarPackage> {
  try {
    const envelope = await readEnvelope(await zip.read(name, limits.maxEntryBytes))
    const { packageId, payload } = envelope
    const [stored] = (await options.stored?.([packageId])) ?? []
    const summary =
      stored === undefined
        ? await summaryOf({ ...envelope, ...readPayload(payload) }, options)
        : storedSummary(stored)
    return {
      summary,
      stored,
      payloadSize: payload.length,
      readPayload: () => payloadAgain(zip, name, limits, packageId),
    }
  } catch (problem) {
    if (!(problem instanceof MalformedArchive)) throw problem
    const { message } = problem
    throw new Rejected(
      problem instanceof BrokenRule
        ? ledgerError('DAR_VALIDATION_ERROR', { validationError: message })
        : ledgerError('DAR_PARSE_ERROR', { reason: message }),
    )
  }
}

async function summaryOf(archive: Archive, options: DarOptions): Promise<PackageSummary> {
  refuse(checkLanguageVersion(archive, options))
  const summary = await readPackage(archive)
  refuse(checkDefinitions(summary))
  return summary
}

async function payloadAgain(
  zip: Zip,
  name: string,
  { maxEntryBytes }: ZipLimits,
  packageId: string,
): Promise<Uint8Array> {
  const envelope = await readEnvelope(await zip.read(name, maxEntryBytes))
  if (envelope.packageId !== packageId)
    throw new Error(`entry ${name} is no longer package ${packageId}`)
  return envelope.payload
}

function checkLanguageVersion(
  { packageId, languageVersion }: Archive,
  options: DarOptions,
): LedgerError | undefined {
  const allowed = options.allowedLanguageVersions ?? languageVersions
  if (allowed.includes(languageVersion)) return undefined
  return ledgerError('ALLOWED_LANGUAGE_VERSIONS', {
    packageId,
    languageVersion,
    allowedLanguageVersions: allowed.join(', '),
  })
}

function refuse(error: LedgerError | undefined): void {
  if (error !== undefined) throw new Rejected(error)
}
