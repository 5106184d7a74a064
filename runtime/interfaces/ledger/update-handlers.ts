// Single updates by offset or id. Absent, pruned and invisible ones are not told apart.
// interface.md §4.3; domain/ledger.md §7.2, §7.3
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type { Store, UpdateRecord } from '../../store/store.ts'
import { invalidArgument, LedgerError, ledgerError } from '../../errors/errors.ts'
import { ledgerStringProblem } from '../../errors/grammar.ts'
import type { Context, Respond } from '../reply.ts'
import type { TemplateOf } from './projection/events.ts'
import type { ProjectionContext } from './projection/project.ts'
import { projectTree, projectUpdate } from './projection/project.ts'
import { eventProblem, formatProblem } from './update-format.ts'

type UpdateHandlers = Pick<
  Handlers<Context>,
  'getUpdateByOffset' | 'getUpdateById' | 'getTransactionTreeByOffset'
>

interface UpdateReads {
  readonly store: Store
  readonly templateOf: TemplateOf
}

/** Handlers of the pointwise reads. */
export function updateHandlers(
  { store, templateOf }: UpdateReads,
  respond: Respond,
): UpdateHandlers {
  const { updates, contracts } = store
  const context: ProjectionContext = {
    templateOf,
    contractOf: async (id) => (await contracts.byIds([id]))[0]?.contract,
  }
  return {
    getUpdateByOffset: async ({ body }, caller) => {
      const problem = offsetProblem(body.offset) ?? formatProblem(body.updateFormat)
      const found = problem ?? (await updates.byOffset(body.offset))
      const update = await shown(found, (record) =>
        projectUpdate(record, body.updateFormat, context),
      )
      return respond(visible(update, 'OFFSET', String(body.offset)), caller, (value) => ({
        update: value,
      }))
    },
    getUpdateById: async ({ body }, caller) => {
      const problem = idProblem(body.updateId) ?? formatProblem(body.updateFormat)
      const found = problem ?? (await updates.byId(body.updateId))
      const update = await shown(found, (record) =>
        projectUpdate(record, body.updateFormat, context),
      )
      return respond(visible(update, 'UPDATE_ID', body.updateId), caller, (value) => ({
        update: value,
      }))
    },
    getTransactionTreeByOffset: async ({ path, query }, caller) => {
      const filters = {
        filtersByParty: Object.fromEntries((query.parties ?? []).map((party) => [party, {}])),
      }
      const problem = offsetProblem(path.offset) ?? eventProblem(filters)
      const found = problem ?? (await updates.byOffset(path.offset))
      const tree = await shown(found, (record) => projectTree(record, filters, context))
      return respond(visible(tree, 'OFFSET', String(path.offset)), caller, (transaction) => ({
        transaction,
      }))
    },
  }
}

async function shown<T>(
  found: UpdateRecord | LedgerError | undefined,
  project: (record: UpdateRecord) => Promise<T | undefined> | T | undefined,
): Promise<T | LedgerError | undefined> {
  return found === undefined || found instanceof LedgerError ? found : project(found)
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
