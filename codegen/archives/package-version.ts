// One archive as `diff` compares it: what its packages say of themselves.
import { readPackage } from '../../runtime/packages/summary/package-reader.ts'
import type { PackageSummary } from '../../runtime/packages/summary/summary.ts'
import type { Finding } from '../findings.ts'
import { archiveFinding, loadArchive } from './load-archive.ts'

export interface PackageVersion {
  /** Absolute path. */
  readonly file: string
  /** The main package first; none with errors. */
  readonly packages: readonly PackageSummary[]
  readonly findings: readonly Finding[]
}

/** Reads an archive; what is wrong with it comes back as a finding. */
export async function loadPackageVersion(path: string): Promise<PackageVersion> {
  const { file, findings, packages: archives } = await loadArchive(path)
  try {
    const packages = await Promise.all(archives.map(readPackage))
    return { file, packages, findings }
  } catch (problem) {
    return { file, packages: [], findings: [archiveFinding(file, problem)] }
  }
}
