// The token registry's entry.
export { choiceContext, contextToWire, extraArgsOf } from './choice-context.ts'
export { allocationInstructionContext, transferContext, transferInstructionContext } from './contexts.ts'
export { registryHandlers } from './handlers.ts'
export type { ContextParts, TokenContext } from './choice-context.ts'
export type { InstructionChoice, InstructionContext, TransferFactoryContext, TransferKind } from './contexts.ts'
