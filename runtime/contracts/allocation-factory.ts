// Allocations of the coin, from its factory: at once, so that no instruction ever waits.
// docs/allocations.md
import { AllocationFactory } from '../../generated/contracts.gen.ts'
import type {
  AllocationFactory_Allocate,
  AllocationInstructionResultV1,
} from '../../generated/contracts.gen.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { paymentContext } from './choice-context.ts'
import { coinAllocation } from './coin-allocation.ts'
import { lockOwn, requireCoinInstrument, requireInputs } from './coin-lock.ts'
import { externalPartyCoinRules } from './external-party-coin-rules.ts'
import { requireParty, requirePositive, timeText } from './requirements.ts'

/**
 * The sender locks the leg's amount until settleBefore. Aborts as a transfer does; a locked coin
 * among the inputs is unlocked where its lock has expired.
 */
export const externalPartyCoinRulesAllocate = choice(
  externalPartyCoinRules,
  AllocationFactory.choices.AllocationFactory_Allocate,
  {
    controllers: (_rules, { allocation }) => [allocation.transferLeg.sender],
    run: (tx, { payload: { dso } }, argument) => {
      requireValid(tx, dso, argument)
      return allocate(tx, dso, argument)
    },
  },
)

/** The checks in their order. */
function requireValid(tx: Tx, dso: string, argument: AllocationFactory_Allocate): void {
  const {
    expectedAdmin,
    allocation: { settlement, transferLeg },
    requestedAt,
    inputHoldingCids,
    extraArgs,
  } = argument
  const { allocateBefore, settleBefore } = settlement
  requireParty(tx, 'the expected admin', expectedAdmin, dso)
  requireCoinInstrument(tx, dso, transferLeg.instrumentId)
  requirePositive(tx, 'the amount', transferLeg.amount)
  tx.notBefore(requestedAt)
  tx.before(allocateBefore)
  tx.require(
    allocateBefore <= settleBefore,
    `allocateBefore is not after ${timeText(settleBefore)}`,
    () => timeText(allocateBefore),
  )
  const wanted = { requestedAt, executeBefore: settleBefore, inputHoldingCids }
  requireInputs(tx, dso, wanted, extraArgs)
}

function allocate(
  tx: Tx,
  dso: string,
  { allocation, inputHoldingCids, extraArgs }: AllocationFactory_Allocate,
): AllocationInstructionResultV1 {
  const { settlement, transferLegId, transferLeg } = allocation
  const { sender, amount, meta } = transferLeg
  const lock = {
    expiresAt: settlement.settleBefore,
    optContext: `allocation for transfer leg '${transferLegId}'`,
  }
  const own = { sender, amount, inputHoldingCids, meta }
  const payment = paymentContext(tx, extraArgs, null)
  const { locked, result } = lockOwn(tx, dso, own, payment, lock)
  const allocationCid = tx.create(coinAllocation, { lockedCoin: locked, allocation })
  return {
    output: { tag: 'AllocationInstructionResult_Completed', value: { allocationCid } },
    senderChangeCids: result.senderChangeCoin === null ? [] : [result.senderChangeCoin],
    meta: result.meta,
  }
}
