// The rules of the contract language, held at an upload: packages that the store does not have, and
// that are none of the language's own libraries, are checked. docs/ledger-rules.md, "Packages"
import { ledgerError } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { readPayload } from '../../packages/archive/archive.ts'
import { MalformedArchive } from '../../packages/archive/message.ts'
import { knownLibraries } from '../../packages/check/known-libraries.ts'
import { checkPackages } from '../../packages/check/package-checker.ts'
import type { PackageBytes } from '../../packages/decode/packages.ts'
import type { Dar, DarPackage } from './dar.ts'

/** Bytes of packages that are held at once; the largest known DAR has 5 MB. */
const MAX_BYTES = 64 * 1024 * 1024

/** DAR_VALIDATION_ERROR, which names module, definition and rule. */
export async function languageError({ packages }: Dar): Promise<LedgerError | undefined> {
  const fresh = packages.filter(({ stored }) => stored === undefined).map(idOf)
  const checked = new Set(fresh).difference(knownLibraries)
  const needed = closureOf(packages, checked)
  try {
    if (needed.reduce((sum, each) => sum + each.payloadSize, 0) > MAX_BYTES)
      throw new MalformedArchive(`Packages of more than ${MAX_BYTES} bytes are not checked`)
    const read: PackageBytes[] = []
    for (const each of needed)
      read.push({ packageId: idOf(each), ...readPayload(await each.readPayload()) })
    await checkPackages(read, checked)
    return undefined
  } catch (problem) {
    if (!(problem instanceof MalformedArchive)) throw problem
    return ledgerError('DAR_VALIDATION_ERROR', { validationError: problem.message })
  }
}

/** These packages and all that they refer to. */
function closureOf(
  packages: readonly DarPackage[],
  ids: ReadonlySet<string>,
): readonly DarPackage[] {
  const byId = new Map(packages.map((each) => [idOf(each), each]))
  const needed = new Set(ids)
  for (const id of needed)
    for (const dependency of byId.get(id)?.summary.dependencies ?? []) needed.add(dependency)
  return packages.filter((each) => needed.has(idOf(each)))
}

function idOf({ summary }: DarPackage): string {
  return summary.packageId
}
