// A choice that is exercised, before and after its body runs.
import type { ContractRecord } from '../store/store.ts'
import type { Json } from './template.ts'
import type { ExerciseEvent } from './transaction.ts'

/** An exercise that is about to run its body. */
export interface Exercise {
  readonly contract: ContractRecord
  /** The template whose choice it is. */
  readonly templateId: string
  readonly name: string
  readonly interfaceId?: string
  readonly consuming: boolean
  readonly controllers: readonly string[]
  readonly observers: readonly string[]
  readonly argument: Json
}

/** The event of an exercise that ended. */
export function exerciseEvent(
  { contract, name, interfaceId, consuming, controllers, argument }: Exercise,
  node: number,
  lastDescendant: number,
  witnesses: readonly string[],
  result: Json,
): ExerciseEvent {
  return {
    kind: 'exercise',
    node,
    contractId: contract.contractId,
    templateId: contract.templateId,
    packageName: contract.packageName,
    ...(interfaceId === undefined ? {} : { interfaceId }),
    choice: name,
    argument,
    result,
    consuming,
    actingParties: controllers,
    stakeholders: [...contract.signatories, ...contract.observers],
    witnesses,
    lastDescendant,
  }
}

/** A contract in a few words: the name of its template. */
export function entityOf({ templateId }: Pick<ContractRecord, 'templateId'>): string {
  return templateId.slice(templateId.lastIndexOf(':') + 1)
}
