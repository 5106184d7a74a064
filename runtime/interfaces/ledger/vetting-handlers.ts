// Which packages are vetted, and which version of one a client should use. docs/ledger-rules.md,
// "Packages"
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type {
  GetPreferredPackagesRequest,
  GetPreferredPackagesResponse,
  ListVettedPackagesRequest,
  ListVettedPackagesResponse,
  PriorTopologySerial,
  UpdateVettedPackagesRequest,
  VettedPackages,
  VettedPackagesChange,
  VettedPackagesRef,
} from '../../../generated/ledger/types.gen.ts'
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, invalidField, LedgerError, ledgerError } from '../../errors/errors.ts'
import { partyProblem } from '../../errors/grammar.ts'
import { isPackageName } from '../../packages/archive/package-names.ts'
import type { NodeIdentity } from '../../participant/node.ts'
import type { PackageAdmin } from '../../participant/packages/package-admin.ts'
import type {
  PackageRef,
  VettedAt,
  Vetting,
  VettingChange,
  VettingRequest,
} from '../../participant/packages/vetting.ts'
import type { NamedPackage } from '../../participant/packages/named-package.ts'
import type { Context, Respond } from '../reply.ts'
import { readTime, synchronizerProblem } from './commands/submission-reader.ts'
import { MAX_VETTED_PACKAGES_PAGE_SIZE } from './health-handlers.ts'

interface VettingService {
  readonly vetting: Vetting
  readonly packages: PackageAdmin
}

/** Handlers of what is vetted, under the newer and the older paths, and of preferred versions. */
export function vettingHandlers(service: VettingService, respond: Respond) {
  const { vetting } = service
  const { node } = vetting
  const { participantUid } = node
  const list = async (body: ListVettedPackagesRequest, context: Context) =>
    respond(await listed(vetting, body), context, (value) => value)
  const update: Handlers<Context>['updateVettedPackages'] = async ({ body }, context) =>
    respond(await updated(service, body), context, ({ past, now }) => ({
      pastVettedPackages: shown(node, { participantUid, ...past }),
      newVettedPackages: shown(node, { participantUid, ...now }),
    }))
  return {
    listVettedPackages: ({ body }, context) => list(body, context),
    getVettedPackages: (_, context) => list({}, context),
    updateVettedPackages: update,
    setVettedPackages: update,
    getPreferredPackageVersion: async ({ query }, context) => {
      const requirement = { packageName: query['package-name'], parties: query.parties ?? [] }
      const found = await preferred(vetting, {
        packageVettingRequirements: [requirement],
        synchronizerId: query['synchronizer-id'] ?? '',
        vettingValidAt: query.vetting_valid_at ?? '',
      })
      return respond(found, context, ({ references: [packageReference], synchronizerId }) =>
        packageReference === undefined
          ? {}
          : { packagePreference: { packageReference, synchronizerId } },
      )
    },
    getPreferredPackages: async ({ body }, context) =>
      respond(allFound(await preferred(vetting, body)), context, (value) => value),
  } satisfies Partial<Handlers<Context>>
}

/** INVALID_ARGUMENT for a page that is too large, or a token that was not given out: none is. */
async function listed(
  vetting: Vetting,
  {
    packageMetadataFilter: { packageIds = [], packageNamePrefixes = [] } = {},
    topologyStateFilter: { participantIds = [], synchronizerIds = [] } = {},
    pageSize = 0,
    pageToken = '',
  }: ListVettedPackagesRequest,
): Promise<ListVettedPackagesResponse | LedgerError> {
  const limit = MAX_VETTED_PACKAGES_PAGE_SIZE
  if (pageSize > limit)
    return invalidArgument(reasonText('vettedPageSize', { limit: String(limit) }))
  if (pageToken !== '') return invalidArgument(reasonText('invalidPageToken'))
  const isHere = admits(synchronizerIds, vetting.node.synchronizerId)
  const ids = new Set(packageIds)
  const isEverything = ids.size + packageNamePrefixes.length === 0
  const isAsked = ({ packageId, packageName }: NamedPackage): boolean =>
    isEverything ||
    ids.has(packageId) ||
    packageNamePrefixes.some((prefix) => packageName.startsWith(prefix))
  const vettedPackages = (isHere ? await vetting.vetted() : [])
    .filter(({ participantUid }) => admits(participantIds, participantUid))
    .map((at) => ({ ...at, packages: at.packages.filter(isAsked) }))
    .filter(({ packages }) => packages.length > 0)
    .map((at) => shown(vetting.node, at))
  return { vettedPackages, nextPageToken: '' }
}

function admits(names: readonly string[], name: string): boolean {
  return names.length === 0 || names.includes(name)
}

function shown(
  { synchronizerId }: NodeIdentity,
  { participantUid: participantId, serial, packages }: VettedAt,
): VettedPackages {
  return { participantId, synchronizerId, topologySerial: serial, packages: [...packages] }
}

/** Errors: those of `synchronizerError`, of `requestOf`, and of `Vetting.change` */
async function updated({ vetting, packages }: VettingService, body: UpdateVettedPackagesRequest) {
  const problem = packages.synchronizerError(body.synchronizerId ?? '')
  if (problem !== undefined) return problem
  const request = requestOf(body)
  return request instanceof LedgerError ? request : vetting.change(request)
}

/** INVALID_ARGUMENT */
function requestOf({
  changes,
  dryRun = false,
  expectedTopologySerial = {},
  updateVettedPackagesForceFlags: flags = [],
}: UpdateVettedPackagesRequest): VettingRequest | LedgerError {
  const read: VettingChange[] = []
  for (const change of changes) {
    const each = changeOf(change)
    if (each instanceof LedgerError) return each
    read.push(each)
  }
  return {
    changes: read,
    dryRun,
    expectedSerial: serialOf(expectedTopologySerial),
    allowUnvettedDependencies: flags.includes(
      'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES',
    ),
    allowIncompatible: flags.includes(
      'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES',
    ),
  }
}

function changeOf({ operation }: VettedPackagesChange): VettingChange | LedgerError {
  if (operation === undefined || 'Empty' in operation)
    return invalidArgument(reasonText('vettingOperation'))
  if ('Unvet' in operation)
    return { kind: 'unvet', packages: operation.Unvet.value.packages.map(refOf) }
  const { packages, newValidFromInclusive, newValidUntilExclusive } = operation.Vet.value
  if (newValidFromInclusive !== undefined || newValidUntilExclusive !== undefined)
    return invalidArgument(reasonText('vettingTimes'))
  return { kind: 'vet', packages: packages.map(refOf) }
}

function refOf({
  packageId = '',
  packageName = '',
  packageVersion = '',
}: VettedPackagesRef): PackageRef {
  return { packageId, packageName, packageVersion }
}

/** The serial at hand; before the first change there is one already: our packages are vetted. */
function serialOf({ serial }: PriorTopologySerial): number | undefined {
  if (serial === undefined || 'Empty' in serial) return undefined
  return 'Prior' in serial ? serial.Prior.value : 0
}

interface Preferences {
  /** References in the order of the requirements; those without a version are left out. */
  readonly references: readonly NamedPackage[]
  readonly missing: readonly string[]
  readonly synchronizerId: string
}

/** INVALID_ARGUMENT, INVALID_FIELD, SYNCHRONIZER_NOT_FOUND */
async function preferred(
  vetting: Vetting,
  {
    packageVettingRequirements: requirements,
    synchronizerId: asked = '',
    vettingValidAt = '',
  }: GetPreferredPackagesRequest,
): Promise<Preferences | LedgerError> {
  const malformed = requirements
    .flatMap(({ parties }) => parties.map(partyProblem))
    .find((problem) => problem !== undefined)
  if (malformed !== undefined) return invalidArgument(malformed)
  const unnamed = requirements.find(({ packageName }) => !isPackageName(packageName))
  if (unnamed !== undefined) {
    const name = JSON.stringify(unnamed.packageName)
    return invalidField('package_name', `${name} is not a package name`)
  }
  const problem = synchronizerProblem(asked, vetting.node)
  if (problem !== undefined) return problem
  const time = vettingValidAt === '' ? undefined : readTime('vetting_valid_at', vettingValidAt)
  if (time instanceof LedgerError) return time
  const references: NamedPackage[] = []
  const missing: string[] = []
  for (const { packageName, parties } of requirements) {
    const found = await vetting.preferred(packageName, parties)
    if (found === undefined) missing.push(packageName)
    else references.push(found)
  }
  return { references, missing, synchronizerId: vetting.node.synchronizerId }
}

/** JSON_API_PACKAGE_SELECTION_FAILED */
function allFound(found: Preferences | LedgerError): GetPreferredPackagesResponse | LedgerError {
  if (found instanceof LedgerError) return found
  const { references, missing, synchronizerId } = found
  return missing.length === 0
    ? { packageReferences: [...references], synchronizerId }
    : ledgerError('JSON_API_PACKAGE_SELECTION_FAILED', {
        reason: reasonText('noPreferredPackage', { names: missing.join(', ') }),
      })
}
