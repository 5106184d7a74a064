// The public entry for automations of the coin economy: templates and choices, what the services offer, and how to declare one. Apart
// from index.ts so that plugins of other kinds load none of it. docs/decisions/0007-automations.md
export * from './contracts/index.ts'
export type * from '../generated/contracts.gen.ts'
export { DECIMAL_ONE, formatDecimal, parseDecimal } from './ledger/index.ts'
export type { Choice, Contract, Submission, Template, Tx } from './ledger/index.ts'
export { defineAutomation, entityOf } from './services/automation.ts'
export type { AutomationDefinition, EconomyAutomation, EconomyRun, EconomyServices } from './services/automation.ts'
export { forEachOf } from './services/each.ts'
export type { Economy } from './services/economy.ts'
export { submitForNetwork } from './services/network/commands.ts'
export type { NetworkCommand } from './services/network/commands.ts'
export type { ContractRecord } from './store/store.ts'
