// The public entry `ledgerwright/testing`: compliance suites for plugin authors, on any runner.
export { authSuite } from './auth-suite.ts'
export type { AuthFeatures, AuthSetup, AuthSuiteOptions } from './auth-suite.ts'
export { schedulerSuite } from './scheduler-suite.ts'
export type { SchedulerSuiteOptions } from './scheduler-suite.ts'
export { storageSuite } from './storage-suite.ts'
export type { StorageSuiteOptions } from './storage-suite.ts'
export type { SuiteReport, TestFunction } from './suite.ts'
