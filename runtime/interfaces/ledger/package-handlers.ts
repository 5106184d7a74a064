// The package operations of the ledger interface. docs/ledger-rules.md, "Packages"
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type { GetPackageStatusResponse } from '../../../generated/ledger/types.gen.ts'
import { LedgerError } from '../../errors/errors.ts'
import type { Context, Respond } from '../reply.ts'
import type { PackageAdmin } from '../../participant/packages/package-admin.ts'

/**
 * Handlers of all operations on packages; `hashHeader` is what the answer to a read calls the
 * package's hash.
 */
export function packageHandlers(
  packages: PackageAdmin,
  hashHeader: string,
  respond: Respond,
) {
  const upload: Handlers<Context>['uploadDar'] = async ({ body, query }, context) => {
    const request = { body, synchronizerId: query.synchronizerId ?? '', vet: query.vetAllPackages }
    return respond(await packages.upload(request), context, () => ({}))
  }
  return {
    uploadDar: upload,
    uploadPackages: upload,
    validateDar: async ({ body, query }, context) => {
      const problem = await packages.validate({ body, synchronizerId: query.synchronizerId ?? '' })
      return problem ? respond.refuse(problem, context) : { status: 200 }
    },
    listPackages: async (_, context) =>
      respond(await packages.list(), context, (ids) => ({ packageIds: [...ids] })),
    getPackage: async ({ path }, context) => {
      const found = await packages.payload(path['package-id'])
      if (found instanceof LedgerError) return respond.refuse(found, context)
      const { packageId, payload } = found
      return {
        status: 200,
        body: payload,
        headers: { 'Network-Package-Hash': packageId, [hashHeader]: packageId },
      }
    },
    getPackageStatus: async ({ path }, context) =>
      respond(
        await packages.isRegistered(path['package-id']),
        context,
        (registered): GetPackageStatusResponse => ({
          packageStatus: registered ? 'PACKAGE_STATUS_REGISTERED' : 'PACKAGE_STATUS_UNSPECIFIED',
        }),
      ),
  } satisfies Partial<Handlers<Context>>
}
