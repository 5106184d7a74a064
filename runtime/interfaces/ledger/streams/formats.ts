// Which format a request means: the present way to say it, or the older one. docs/ledger-rules.md,
// "Streams and lists"
import type {
  EventFormat,
  GetActiveContractsRequest,
  GetUpdatesRequest,
  TransactionFilter,
  UpdateFormat,
} from '../../../../generated/ledger/types.gen.ts'
import { reasonText } from '../../../errors/catalogue.ts'
import { invalidArgument, LedgerError, ledgerError } from '../../../errors/errors.ts'
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

/**
 * Of a request for transaction trees: every node that the filter's parties witness.
 * MISSING_FIELD, INVALID_ARGUMENT
 */
export function treesFormat({
  updateFormat,
  filter,
  verbose,
}: GetUpdatesRequest): UpdateFormat | LedgerError {
  if (updateFormat !== undefined) return invalidArgument(reasonText('treeFormat'))
  if (filter === undefined) return ledgerError('MISSING_FIELD', { field_name: 'filter' })
  if (isNarrow(filter)) return invalidArgument(reasonText('treeFilter'))
  const eventFormat = eventsOf(filter, verbose)
  const format: UpdateFormat = {
    includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS', eventFormat },
    includeReassignments: eventFormat,
  }
  return formatProblem(format) ?? format
}

/** Whether a filter lets through less than every event of its parties. */
function isNarrow({ filtersByParty = {}, filtersForAnyParty }: TransactionFilter): boolean {
  return [...Object.values(filtersByParty), filtersForAnyParty].some((filters) =>
    filters?.cumulative?.some(
      ({ identifierFilter: each = {} }) => 'TemplateFilter' in each || 'InterfaceFilter' in each,
    ),
  )
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
