// What the ledger refused, as the interface tells it. docs/ledger-rules.md, "Errors"
import type { Rejection, TransactionLimits } from '../../../engine/index.ts'
import type { LedgerError } from '../../../errors/errors.ts'
import { ledgerError } from '../../../errors/errors.ts'
import { listed } from '../../../errors/text.ts'
import { overQuotaText, secondsOf } from '../../../economy/quotas/index.ts'
import { timeText } from '../../../participant/time.ts'

/**
 * The error that stands for a refusal; a fault of the choice's own keeps its id and facts in the
 * context.
 */
export function rejectionError(rejection: Rejection): LedgerError {
  switch (rejection.kind) {
    case 'contract-not-found':
      return ledgerError('CONTRACT_NOT_FOUND', { contract_id: rejection.contractId })
    case 'contract-in-flight':
      return ledgerError('LOCAL_VERDICT_LOCKED_CONTRACTS', { contract_id: rejection.contractId })
    case 'contention':
      return ledgerError('LOCAL_VERDICT_LOCKED_CONTRACTS', {
        contract_id: rejection.contractIds.join(', '),
      })
    case 'unauthorised':
      return ledgerError('AUTHORIZATION_ERROR', {
        what: rejection.what,
        missing: listed(rejection.missing),
      })
    case 'aborted': {
      const { id, message, metadata = {}, isVerbatim = false } = rejection.reason
      return ledgerError(
        'INTERPRETATION_USER_ERROR',
        { message, error_id: id },
        { context: metadata, isVerbatim },
      )
    }
    case 'too-early':
      return ledgerError('LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND', {
        not_before: timeText(rejection.notBefore),
      })
    case 'too-late':
      return ledgerError('MAX_RECORD_TIME_EXCEEDED', { before: timeText(rejection.before) })
    case 'time-in-doubt':
      return ledgerError('LEDGER_TIME_IN_DOUBT', { before: timeText(rejection.before) })
    case 'too-large':
      return tooLarge(rejection.of, rejection.limit)
    case 'invalid':
      return ledgerError('COMMAND_PREPROCESSING_FAILED', { reason: rejection.reason })
    case 'unvetted': {
      const { packageId, participant } = rejection
      return ledgerError('PACKAGE_SELECTION_FAILED', { package: packageId, participant })
    }
    case 'unreadable':
      return ledgerError('CONTRACT_VERSION_UNKNOWN', { reason: rejection.reason })
    case 'duplicate':
      return ledgerError('DUPLICATE_COMMAND', { completion_offset: String(rejection.offset) })
    case 'done-before':
      throw new Error('a command of the ledger interface was submitted with a condition')
    case 'duplicate-in-flight':
      return ledgerError('SUBMISSION_ALREADY_IN_FLIGHT', {})
    case 'no-traffic':
      return ledgerError('NOT_ENOUGH_TRAFFIC_CREDIT', {
        member: rejection.member,
        missing_bytes: String(rejection.missingBytes),
      })
    case 'over-quota':
      return ledgerError(
        'PARTICIPANT_BACKPRESSURE',
        { reason: overQuotaText(rejection) },
        { retrySeconds: secondsOf(rejection.retryMs) },
      )
  }
}

/** A transaction that exceeds a limit of this node. */
export function tooLarge(of: keyof TransactionLimits, limit: number): LedgerError {
  const what = of === 'maxTransactionNodes' ? 'nodes' : 'bytes'
  return ledgerError('TRANSACTION_TOO_LARGE', { what, limit: String(limit) })
}
