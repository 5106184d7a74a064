// Packages as they are named to clients. docs/ledger-rules.md, "Packages"
import { packages } from '../../../generated/contracts.gen.ts'
import type { PackageRecord } from '../../store/store.ts'
import { compareVersions } from '../../packages/summary/summary.ts'

/** A package as it is named to clients. */
export interface NamedPackage {
  readonly packageId: string
  readonly packageName: string
  readonly packageVersion: string
}

/**
 * Packages of our own contracts.
 *
 * @param reportedVersions versions to tell in the place of ours, by name
 */
export function ownNamed(
  reportedVersions: Readonly<Record<string, string>>,
): readonly NamedPackage[] {
  return Object.entries(packages).map(([packageName, { id, version }]) => ({
    packageId: id,
    packageName,
    packageVersion: reportedVersions[packageName] ?? version,
  }))
}

/** A stored package as clients name it. */
export function named({ packageId, name, version }: PackageRecord): NamedPackage {
  return { packageId, packageName: name, packageVersion: version }
}

/** Orders packages by name, version and id. */
export function byName(one: NamedPackage, other: NamedPackage): number {
  if (one.packageName !== other.packageName) return one.packageName < other.packageName ? -1 : 1
  return (
    compareVersions(one.packageVersion, other.packageVersion) ||
    (one.packageId < other.packageId ? -1 : 1)
  )
}
