// The public entry `ledgerwright/testing`: compliance suites for plugin authors, on any runner.
export { storageSuite } from './storage-suite.ts'
export type { StorageSuiteOptions, StorageSuiteReport, TestFunction } from './storage-suite.ts'
