// The names that packages may have: they become paths of uploads and of generated files.
// docs/ledger-rules.md, "Packages"
import { MalformedArchive } from './message.ts'

const PACKAGE_NAME = /^[A-Za-z0-9\-_]{1,255}$/
const PACKAGE_VERSION = /^(?=.{1,255}$)(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*$/

/** Whether a package may have this name. */
export function isPackageName(name: string): boolean {
  return PACKAGE_NAME.test(name)
}

/** Throws MalformedArchive for a name or a version that no package may have. */
export function demandPackageName(name: string, version: string): void {
  if (!isPackageName(name))
    throw new MalformedArchive(`Invalid package name ${JSON.stringify(name.slice(0, 300))}`)
  if (!PACKAGE_VERSION.test(version))
    throw new MalformedArchive(`Invalid package version ${JSON.stringify(version.slice(0, 300))}`)
}
