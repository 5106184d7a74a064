// Checks of what a caller wants to see of updates. docs/ledger-rules.md, "Formats and filters"
import type {
  EventFormat,
  GetTransactionByIdRequest,
  TransactionFormat,
  UpdateFormat,
} from '../../../generated/ledger/types.gen.ts'
import { reasonText } from '../../errors/catalogue.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { invalidArgument, ledgerError } from '../../errors/errors.ts'
import { partyProblem } from '../../errors/grammar.ts'

/** The fault of a format: MISSING_FIELD, INVALID_ARGUMENT */
export function formatProblem({
  includeTransactions,
  includeReassignments,
}: UpdateFormat): LedgerError | undefined {
  return (
    (includeTransactions && transactionProblem(includeTransactions)) ??
    (includeReassignments && eventProblem(includeReassignments))
  )
}

/** The parts of a request that say whose transaction it is: the present way, or the older one. */
export type TransactionAsked = Pick<
  GetTransactionByIdRequest,
  'requestingParties' | 'transactionFormat'
>

/** The format that a request for one transaction means. MISSING_FIELD, INVALID_ARGUMENT */
export function transactionFormat({
  requestingParties = [],
  transactionFormat: given,
}: TransactionAsked): TransactionFormat | LedgerError {
  const isOlder = requestingParties.length > 0
  if (given !== undefined && isOlder) return invalidArgument(reasonText('partiesAndFormat'))
  if (given !== undefined) return transactionProblem(given) ?? given
  if (!isOlder) return invalidArgument(reasonText('noPartiesOrFormat'))
  const eventFormat = { ...everyEventOf(requestingParties), verbose: true }
  return (
    eventProblem(eventFormat) ?? { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat }
  )
}

/** Every event that one of the parties may see. */
export function everyEventOf(parties: readonly string[]): EventFormat {
  return { filtersByParty: Object.fromEntries(parties.map((party) => [party, {}])) }
}

function transactionProblem({
  transactionShape,
  eventFormat,
}: TransactionFormat): LedgerError | undefined {
  const unspecified = transactionShape === 'TRANSACTION_SHAPE_UNSPECIFIED'
  return unspecified
    ? ledgerError('MISSING_FIELD', { field_name: 'transaction_shape' })
    : eventProblem(eventFormat)
}

/** The fault of a choice of events: INVALID_ARGUMENT */
export function eventProblem({
  filtersByParty = {},
  filtersForAnyParty,
}: EventFormat): LedgerError | undefined {
  const empty = filtersForAnyParty === undefined && Object.keys(filtersByParty).length === 0
  return empty
    ? invalidArgument(reasonText('filtersEmpty'))
    : partiesProblem(Object.keys(filtersByParty))
}

function partiesProblem(parties: readonly string[]): LedgerError | undefined {
  const problem = parties.map(partyProblem).find((found) => found !== undefined)
  return problem === undefined ? undefined : invalidArgument(problem)
}
