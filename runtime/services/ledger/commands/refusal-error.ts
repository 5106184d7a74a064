// What the ledger refused, as the interface tells it. domain/ledger.md §1.5, §7.5
import type { Refusal, TransactionLimits } from '../../../ledger/index.ts'
import type { LedgerError } from '../../errors.ts'
import { ledgerError } from '../../errors.ts'
import { timeText } from '../../time.ts'

/** The error that stands for a refusal; a fault of the choice's own keeps its id and facts in the context. */
export function refusalError(refusal: Refusal): LedgerError {
  switch (refusal.kind) {
    case 'contract-not-found':
      return ledgerError('CONTRACT_NOT_FOUND', { contract_id: refusal.contractId })
    case 'contract-in-flight':
      return ledgerError('LOCAL_VERDICT_LOCKED_CONTRACTS', { contract_id: refusal.contractId })
    case 'contention':
      return ledgerError('LOCAL_VERDICT_LOCKED_CONTRACTS', { contract_id: refusal.contractIds.join(', ') })
    case 'unauthorised':
      return ledgerError('AUTHORIZATION_ERROR', { what: refusal.what, missing: refusal.missing.join(', ') })
    case 'aborted': {
      const { id, message, metadata = {} } = refusal.fault
      return ledgerError('INTERPRETATION_USER_ERROR', { message, error_id: id }, { context: metadata })
    }
    case 'too-early':
      return ledgerError('LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND', { not_before: timeText(refusal.notBefore) })
    case 'too-late':
      return ledgerError('MAX_RECORD_TIME_EXCEEDED', { before: timeText(refusal.before) })
    case 'too-large':
      return tooLarge(refusal.of, refusal.limit)
    case 'invalid':
      return ledgerError('COMMAND_PREPROCESSING_FAILED', { reason: refusal.reason })
    case 'unreadable':
      return ledgerError('CONTRACT_VERSION_UNKNOWN', { reason: refusal.reason })
    case 'duplicate':
      return ledgerError('DUPLICATE_COMMAND', { completion_offset: String(refusal.offset) })
    case 'duplicate-in-flight':
      return ledgerError('SUBMISSION_ALREADY_IN_FLIGHT', {})
    case 'no-traffic':
      return ledgerError('NOT_ENOUGH_TRAFFIC_CREDIT', { member: refusal.member, missing_bytes: String(refusal.missingBytes) })
  }
}

/** A transaction that exceeds a limit of this node. */
export function tooLarge(of: keyof TransactionLimits, limit: number): LedgerError {
  const what = of === 'maxNodes' ? 'nodes' : 'characters of payloads'
  return ledgerError('TRANSACTION_TOO_LARGE', { what, limit: String(limit) })
}
