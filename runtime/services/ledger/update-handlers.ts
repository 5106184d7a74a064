// Single updates by offset or id. Absent, pruned and invisible ones are not told apart. interface.md §4.3; domain/ledger.md §7.2, §7.3
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type { EventFormat, TransactionFormat, UpdateFormat } from '../../../generated/ledger/types.gen.ts'
import type { StoredUpdate, Store } from '../../store/store.ts'
import { reasonText } from '../catalogue.ts'
import type { LedgerError } from '../errors.ts'
import { invalidArgument, ledgerError } from '../errors.ts'
import { ledgerStringFault, partyFault } from '../grammar.ts'
import type { Context, Respond } from '../reply.ts'

type UpdateHandlers = Pick<Handlers<Context>, 'getUpdateByOffset' | 'getUpdateById' | 'getTransactionTreeByOffset'>

/** Handlers of the pointwise reads. */
export function updateHandlers({ updates }: Store, respond: Respond): UpdateHandlers {
  return {
    getUpdateByOffset: async ({ body }, context) => {
      const fault = offsetFault(body.offset) ?? formatFault(body.updateFormat)
      const found = fault ?? visible(await updates.byOffset(body.offset), 'OFFSET', String(body.offset))
      return respond(found, context, notProjected)
    },
    getUpdateById: async ({ body }, context) => {
      const fault = idFault(body.updateId) ?? formatFault(body.updateFormat)
      const found = fault ?? visible(await updates.byId(body.updateId), 'UPDATE_ID', body.updateId)
      return respond(found, context, notProjected)
    },
    getTransactionTreeByOffset: async ({ path, query }, context) => {
      const filters = { filtersByParty: Object.fromEntries((query.parties ?? []).map((party) => [party, {}])) }
      const fault = offsetFault(path.offset) ?? eventFault(filters)
      const found = fault ?? visible(await updates.byOffset(path.offset), 'OFFSET', String(path.offset))
      return respond(found, context, notProjected)
    },
  }
}

function offsetFault(offset: bigint): LedgerError | undefined {
  return offset > 0n ? undefined : ledgerError('NON_POSITIVE_OFFSET', { value: String(offset), field: 'offset' })
}

function idFault(updateId: string): LedgerError | undefined {
  const fault = ledgerStringFault(updateId)
  return fault === undefined ? undefined : invalidArgument(fault)
}

function formatFault({ includeTransactions, includeReassignments }: UpdateFormat): LedgerError | undefined {
  return (includeTransactions && transactionFault(includeTransactions)) ?? (includeReassignments && eventFault(includeReassignments))
}

function transactionFault({ transactionShape, eventFormat }: TransactionFormat): LedgerError | undefined {
  const unspecified = transactionShape === 'TRANSACTION_SHAPE_UNSPECIFIED'
  return unspecified ? ledgerError('MISSING_FIELD', { field_name: 'transaction_shape' }) : eventFault(eventFormat)
}

function eventFault({ filtersByParty = {}, filtersForAnyParty }: EventFormat): LedgerError | undefined {
  const empty = filtersForAnyParty === undefined && Object.keys(filtersByParty).length === 0
  return empty ? invalidArgument(reasonText('filtersEmpty')) : partiesFault(Object.keys(filtersByParty))
}

function partiesFault(parties: readonly string[]): LedgerError | undefined {
  const fault = parties.map(partyFault).find((found) => found !== undefined)
  return fault === undefined ? undefined : invalidArgument(fault)
}

function visible(update: StoredUpdate | undefined, type: string, name: string): StoredUpdate | LedgerError {
  return update ?? ledgerError('UPDATE_NOT_FOUND', { type, name })
}

/** Nothing writes updates before the contract engine does, and with it comes what a party sees of one. */
function notProjected({ offset }: StoredUpdate): never {
  throw new Error(`update ${offset} was written by a newer version`)
}
