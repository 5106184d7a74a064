// Checks of what a caller wants to see of updates. domain/ledger.md §7.2
import type { EventFormat, TransactionFormat, UpdateFormat } from '../../../generated/ledger/types.gen.ts'
import { reasonText } from '../../errors/catalogue.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { invalidArgument, ledgerError } from '../../errors/errors.ts'
import { partyFault } from '../../errors/grammar.ts'

/** What is wrong with a format: MISSING_FIELD, INVALID_ARGUMENT */
export function formatFault({ includeTransactions, includeReassignments }: UpdateFormat): LedgerError | undefined {
  return (includeTransactions && transactionFault(includeTransactions)) ?? (includeReassignments && eventFault(includeReassignments))
}

function transactionFault({ transactionShape, eventFormat }: TransactionFormat): LedgerError | undefined {
  const unspecified = transactionShape === 'TRANSACTION_SHAPE_UNSPECIFIED'
  return unspecified ? ledgerError('MISSING_FIELD', { field_name: 'transaction_shape' }) : eventFault(eventFormat)
}

/** What is wrong with a choice of events: INVALID_ARGUMENT */
export function eventFault({ filtersByParty = {}, filtersForAnyParty }: EventFormat): LedgerError | undefined {
  const empty = filtersForAnyParty === undefined && Object.keys(filtersByParty).length === 0
  return empty ? invalidArgument(reasonText('filtersEmpty')) : partiesFault(Object.keys(filtersByParty))
}

function partiesFault(parties: readonly string[]): LedgerError | undefined {
  const fault = parties.map(partyFault).find((found) => found !== undefined)
  return fault === undefined ? undefined : invalidArgument(fault)
}
