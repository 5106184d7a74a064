// The token registry's entry.
export {
  choiceContext,
  contextToWire,
  extraArgsOf,
} from '../../economy/choice-context/choice-context.ts'
export {
  allocationContext,
  allocationFactoryContext,
  allocationInstructionContext,
  transferContext,
  transferInstructionContext,
} from '../../economy/choice-context/contexts.ts'
export { registryHandlers } from './handlers.ts'
export type { ContextParts, TokenContext } from '../../economy/choice-context/choice-context.ts'
export type {
  AllocationChoice,
  FactoryContext,
  InstructionChoice,
  InstructionContext,
  TransferFactoryContext,
  TransferKind,
} from '../../economy/choice-context/contexts.ts'
