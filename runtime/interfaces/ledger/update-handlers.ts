// Single updates by offset or id. Absent, pruned and invisible ones are not told apart.
// docs/ledger-rules.md, "Updates" and "Formats and filters"
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type {
  JsTransaction,
  JsTransactionTree,
  Update,
  UpdateFormat,
} from '../../../generated/ledger/types.gen.ts'
import type { Store, UpdateRecord } from '../../store/store.ts'
import { invalidArgument, LedgerError, ledgerError } from '../../errors/errors.ts'
import { ledgerStringProblem } from '../../errors/grammar.ts'
import type { Context, Respond } from '../reply.ts'
import type { ProjectionContext } from './projection/project.ts'
import { projectTree, projectUpdate } from './projection/project.ts'
import { eventProblem, everyEventOf, formatProblem, transactionFormat } from './update-format.ts'
import type { TransactionAsked } from './update-format.ts'

interface UpdateReads extends Pick<ProjectionContext, 'hosted' | 'ready' | 'templateOf'> {
  readonly store: Store
}

/** A caller's view of an update; undefined where there is nothing to see. */
type View<T> = (record: UpdateRecord) => Promise<T | undefined> | T | undefined

/** Handlers of the pointwise reads. */
export function updateHandlers(
  { store: { updates, contracts }, templateOf, ready, hosted }: UpdateReads,
  respond: Respond,
) {
  const context: ProjectionContext = {
    templateOf,
    ready,
    contractOf: async (id) => (await contracts.byIds([id]))[0]?.contract,
    hosted,
  }
  const at = async <T>(offset: bigint, view: View<T> | LedgerError) => {
    const found = offsetProblem(offset) ?? (await updates.byOffset(offset))
    return visible(await shown(found, view), 'OFFSET', String(offset))
  }
  const named = async <T>(updateId: string, view: View<T> | LedgerError) => {
    const found = idProblem(updateId) ?? (await updates.byId(updateId))
    return visible(await shown(found, view), 'UPDATE_ID', updateId)
  }
  const [update, transaction, tree] = [
    updateView(context),
    transactionView(context),
    treeView(context),
  ]
  const asUpdate = (value: Update) => ({ update: value })
  const asTransaction = <T>(value: T) => ({ transaction: value })
  return {
    getUpdateByOffset: async ({ body }, caller) =>
      respond(await at(body.offset, update(body.updateFormat)), caller, asUpdate),
    getUpdateById: async ({ body }, caller) =>
      respond(await named(body.updateId, update(body.updateFormat)), caller, asUpdate),
    getTransactionByOffset: async ({ body }, caller) =>
      respond(await at(body.offset, transaction(body)), caller, asTransaction),
    getTransactionById: async ({ body }, caller) =>
      respond(await named(body.updateId, transaction(body)), caller, asTransaction),
    getTransactionTreeByOffset: async ({ path, query }, caller) =>
      respond(await at(path.offset, tree(query.parties)), caller, asTransaction),
    getTransactionTreeById: async ({ path, query }, caller) =>
      respond(await named(path['update-id'], tree(query.parties)), caller, asTransaction),
  } satisfies Partial<Handlers<Context>>
}

function updateView(context: ProjectionContext) {
  return (format: UpdateFormat): View<Update> | LedgerError =>
    formatProblem(format) ?? ((record) => projectUpdate(record, format, context))
}

function transactionView(context: ProjectionContext) {
  return (asked: TransactionAsked): View<JsTransaction> | LedgerError => {
    const includeTransactions = transactionFormat(asked)
    if (includeTransactions instanceof LedgerError) return includeTransactions
    return async (record) => {
      const found = await projectUpdate(record, { includeTransactions }, context)
      return found && 'Transaction' in found ? found.Transaction.value : undefined
    }
  }
}

function treeView(context: ProjectionContext) {
  return (parties: readonly string[] = []): View<JsTransactionTree> | LedgerError => {
    const events = everyEventOf(parties)
    return eventProblem(events) ?? ((record) => projectTree(record, events, context))
  }
}

async function shown<T>(
  found: UpdateRecord | LedgerError | undefined,
  view: View<T> | LedgerError,
): Promise<T | LedgerError | undefined> {
  if (found instanceof LedgerError) return found
  if (view instanceof LedgerError) return view
  return found && view(found)
}

function offsetProblem(offset: bigint): LedgerError | undefined {
  return offset > 0n
    ? undefined
    : ledgerError('NON_POSITIVE_OFFSET', { value: String(offset), field: 'offset' })
}

function idProblem(updateId: string): LedgerError | undefined {
  const problem = ledgerStringProblem(updateId)
  return problem === undefined ? undefined : invalidArgument(problem)
}

function visible<T>(
  found: T | LedgerError | undefined,
  type: string,
  name: string,
): T | LedgerError {
  return found ?? ledgerError('UPDATE_NOT_FOUND', { type, name })
}
