// Which format a request means: the present way to say it, or the older one. domain/ledger.md §7.4
import type {
  EventFormat,
  GetActiveContractsRequest,
  GetUpdatesRequest,
  TransactionFilter,
  UpdateFormat,
} from '../../../../generated/ledger/types.gen.ts'
import { reasonText } from '../../../errors/catalogue.ts'
import { invalidArgument, LedgerError } from '../../../errors/errors.ts'
import { eventProblem, formatProblem } from '../update-format.ts'

/** INVALID_ARGUMENT, MISSING_FIELD */
export function contractsFormat({
  eventFormat,
  filter,
  verbose,
}: GetActiveContractsRequest): EventFormat | LedgerError {
  const format = chosen('event_format', eventFormat, filter, (older) => eventsOf(older, verbose))
  return format instanceof LedgerError ? format : (eventProblem(format) ?? format)
}

/** INVALID_ARGUMENT, MISSING_FIELD */
export function updatesFormat({
  updateFormat,
  filter,
  verbose,
}: GetUpdatesRequest): UpdateFormat | LedgerError {
  const format = chosen('update_format', updateFormat, filter, (older): UpdateFormat => {
    const eventFormat = eventsOf(older, verbose)
    return {
      includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat },
      includeReassignments: eventFormat,
    }
  })
  return format instanceof LedgerError ? format : (formatProblem(format) ?? format)
}

function chosen<T>(
  format: string,
  given: T | undefined,
  filter: TransactionFilter | undefined,
  fromFilter: (filter: TransactionFilter) => T,
): T | LedgerError {
  if (given !== undefined && filter !== undefined)
    return invalidArgument(reasonText('bothFormats', { format }))
  if (given !== undefined) return given
  return filter === undefined
    ? invalidArgument(reasonText('noFormat', { format }))
    : fromFilter(filter)
}

function eventsOf(filter: TransactionFilter, verbose: boolean | undefined): EventFormat {
  return { ...filter, ...(verbose === undefined ? {} : { verbose }) }
}
