// The contract engine's entry: all that contracts and services import of it.
export { fillAccruals, keepsAccruals } from './accrual-fill.ts'
export { accruedAt, accruedBy, AccrualSums, accrualsOf } from './accruals.ts'
export { ARCHIVE, bindTemplate, bindTemplates } from './bind.ts'
export { choice, choices, defineTemplate } from './define.ts'
export { disclosedContract, encodeBlob, isGenuine, verifyBlob } from './contract-id.ts'
export { ClockWatch } from './clock-watch.ts'
export { createContractCache } from './contract-cache.ts'
export { createEngine } from './engine.ts'
export { createReader } from './reader.ts'
export { HistoryWatch, lossIn, NO_LINK } from './history-watch.ts'
export { Invariants } from './invariants.ts'
export { NO_WRITES } from './no-writes.ts'
export { commandKeyOf } from './interpret.ts'
export { IN_FLIGHT } from './move.ts'
export { pauseAfterLoss } from './pause.ts'
export { DataTooNew, noteVersions } from './template-versions.ts'
export { seedSource } from './seeds.ts'
export { TotalsAudit } from './totals-audit.ts'
export { CONTRACT_UNREADABLE, ContractUnreadable } from './unreadable.ts'
export {
  TRAFFIC,
  TRAFFIC_LIMIT,
  trafficAt,
  trafficGrant,
  trafficGrantFact,
  trafficLimit,
  trafficLimitFact,
} from './traffic.ts'
export { indexTemplates } from './template-index.ts'
export { decodeUpdate, seersOf } from './update-body.ts'
export * from './decimal.ts'
export type * from './rejection.ts'
export type * from './submission.ts'
export type * from './template.ts'
export type { KeyedBy } from './template-keys.ts'
export type * from './transaction.ts'
export type { AccrualRow } from './accruals.ts'
export type { AuditedTotal } from './totals-audit.ts'
export type { ClockBound } from './clock-watch.ts'
export type { ContractCache } from './contract-cache.ts'
export type { Link } from './history-watch.ts'
export type { Invariant } from './invariants.ts'
export type { CommittedUpdate, Engine, EngineOptions, Moved, MoveRequest } from './engine.ts'
export type { ActivePage, Contract, Reader } from './reader.ts'
export type { Rehearsed } from './submitter.ts'
export type { EngineCounts, SubmissionOutcome } from './counts.ts'
export type { TrafficGrant, TrafficPolicy, TrafficState } from './traffic.ts'
export type { StoredUpdate } from './update-body.ts'
