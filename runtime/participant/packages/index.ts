// Packages of the ledger interface: reading DARs and judging upgrades; nothing here knows of HTTP
// or of a store. docs/ledger-rules.md, "Packages"
export { readDar } from './dar.ts'
export type { Dar, DarOptions, DarPackage } from './dar.ts'
export { languageError } from './language-check.ts'
export type { KnownPackages } from './package-rules.ts'
export { ownName, removeLeftUploads, spool } from './spool.ts'
export type { SpooledFile } from './spool.ts'
export {
  compareVersions,
  describePackage,
  isUtilityPackage,
} from '../../packages/summary/summary.ts'
export type * from '../../packages/summary/summary.ts'
export { checkBasicLibrary, checkUpgrade, checkUpgrades } from './upgrade.ts'
export { defaultZipLimits } from '../../packages/archive/zip.ts'
export type { ZipLimits } from '../../packages/archive/zip.ts'
