// The arguments of an allocation for which a registry is asked for its factory. docs/allocations.md
import { AllocationFactory } from '../../../generated/contracts.gen.ts'
import { badRequest, PlainError } from '../../economy/errors.ts'
import type { Economy } from '../../economy/economy.ts'
import { coinProblem, decodeArguments } from './transfer-arguments.ts'

/**
 * 400 where the JSON is no allocation that could ever be made, 404 for another registry's
 * instrument.
 */
export function allocationProblem(
  economy: Pick<Economy, 'parties' | 'wire'>,
  json: unknown,
): PlainError | undefined {
  const { AllocationFactory_Allocate } = AllocationFactory.choices
  const decoded = decodeArguments(AllocationFactory_Allocate.argument, json)
  if (decoded instanceof PlainError) return decoded
  const { expectedAdmin, allocation } = decoded
  const problem = coinProblem(economy, expectedAdmin, allocation.transferLeg)
  if (problem !== undefined) return problem
  const { allocateBefore, settleBefore } = allocation.settlement
  return allocateBefore <= settleBefore
    ? undefined
    : badRequest('allocateBefore must not be after settleBefore')
}
