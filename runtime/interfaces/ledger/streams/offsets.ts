// Where a read may begin and end. docs/ledger-rules.md, "Offsets"
import type { PrunedOffsets } from '../../../store/store.ts'
import type { LedgerError } from '../../../errors/errors.ts'
import { ledgerError } from '../../../errors/errors.ts'

export interface ReadRange {
  readonly begin: bigint
  readonly end: bigint | undefined
}

/**
 * NEGATIVE_OFFSET, OFFSET_AFTER_LEDGER_END, OFFSET_OUT_OF_RANGE, PARTICIPANT_PRUNED_DATA_ACCESSED
 */
export function rangeProblem(
  { begin, end }: ReadRange,
  ledgerEnd: bigint,
  pruned: PrunedOffsets,
): LedgerError | undefined {
  if (begin < 0n) return negative('begin_exclusive', begin)
  if (end !== undefined && end < 0n) return negative('end_inclusive', end)
  if (begin > ledgerEnd) return afterEnd('Begin', begin, ledgerEnd)
  if (end !== undefined && end > ledgerEnd) return afterEnd('End', end, ledgerEnd)
  if (end !== undefined && end < begin) {
    return ledgerError('OFFSET_OUT_OF_RANGE', {
      reason: `End offset ${end} is before begin offset ${begin}`,
    })
  }
  return begin < pruned.participant
    ? prunedUpdates({ begin, end: end ?? ledgerEnd }, pruned)
    : undefined
}

/** The error of a reader whose next updates are pruned. */
export function prunedUpdates(
  { begin, end }: { readonly begin: bigint; readonly end: bigint },
  pruned: PrunedOffsets,
): LedgerError {
  return prunedError(`Updates request from ${begin} to ${end}`, pruned)
}

/** The same as `rangeFault`, for a snapshot. */
export function snapshotProblem(
  offset: bigint,
  ledgerEnd: bigint,
  pruned: PrunedOffsets,
): LedgerError | undefined {
  if (offset < 0n) return negative('active_at_offset', offset)
  if (offset > ledgerEnd) return afterEnd('Active at', offset, ledgerEnd)
  return offset < pruned.participant ? prunedSnapshot(offset, pruned) : undefined
}

/** The error of a reader of a snapshot that is pruned. */
export function prunedSnapshot(
  offset: bigint,
  pruned: Pick<PrunedOffsets, 'participant'>,
): LedgerError {
  return prunedError(`Active contracts request at offset ${offset}`, pruned)
}

function prunedError(
  request: string,
  { participant }: Pick<PrunedOffsets, 'participant'>,
): LedgerError {
  return ledgerError('PARTICIPANT_PRUNED_DATA_ACCESSED', {
    request,
    earliest_offset: String(participant),
  })
}

function negative(field: string, value: bigint): LedgerError {
  return ledgerError('NEGATIVE_OFFSET', { value: String(value), field })
}

function afterEnd(bound: string, offset: bigint, ledgerEnd: bigint): LedgerError {
  return ledgerError('OFFSET_AFTER_LEDGER_END', {
    bound,
    offset: String(offset),
    ledger_end: String(ledgerEnd),
  })
}
