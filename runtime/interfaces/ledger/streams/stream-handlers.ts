// Active contracts, updates and completions, as bounded lists and as streams over websockets.
// domain/ledger.md §7.4
import type {
  GetActiveContractsInput,
  GetCompletionsInput,
  GetUpdatesInput,
  GetUpdateTreesInput,
  Handlers,
} from '../../../../generated/ledger/handlers.gen.ts'
import { StreamError } from '../../../http/index.ts'
import type { StreamReply } from '../../../http/index.ts'
import { LedgerError } from '../../../errors/errors.ts'
import type { Context, Respond } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { openActiveContracts } from './active-contracts.ts'
import { boundedList } from './bounded-list.ts'
import type { ListLimits } from './bounded-list.ts'
import { openCompletions } from './completions.ts'
import type { Reading, StreamReads } from './reads.ts'
import { StreamFailure } from './reads.ts'
import { openUpdates, openUpdateTrees } from './updates.ts'

type ListHandlers = Pick<
  Handlers<Context>,
  'getActiveContracts' | 'getUpdates' | 'getFlatUpdates' | 'getUpdateTrees' | 'getCompletions'
>

/**
 * Handlers of the lists; what is beyond `limits` is refused. Updates and completions can be
 * read on after an offset.
 */
export function listHandlers(
  reads: StreamReads,
  limits: ListLimits,
  respond: Respond,
): ListHandlers {
  const listUpdates = async ({ body, query }: GetUpdatesInput, context: Context) => {
    const open = (reading: Reading) => openUpdates(reads, body, reading)
    const list = await boundedList(open, { ...query, isPaged: true }, limits, context.signal)
    return respond(list, context, (items) => items)
  }
  return {
    getActiveContracts: async ({ body, query }, context) => {
      const open = (reading: Reading) => openActiveContracts(reads, body, reading)
      const list = await boundedList(open, { ...query, isPaged: false }, limits, context.signal)
      return respond(list, context, (items) => items)
    },
    getUpdates: listUpdates,
    getFlatUpdates: listUpdates,
    getUpdateTrees: async ({ body, query }, context) => {
      const open = (reading: Reading) => openUpdateTrees(reads, body, reading)
      const list = await boundedList(open, { ...query, isPaged: true }, limits, context.signal)
      return respond(list, context, (items) => items)
    },
    getCompletions: async ({ body, query }, context) => {
      const open = (reading: Reading) =>
        openCompletions(reads, body, callerOf(context).user.id, reading)
      return respond(
        await boundedList(open, { ...query, isPaged: true }, limits, context.signal),
        context,
        (items) => items,
      )
    },
  }
}

/** The same as streams, which go on as long as they are read. */
export function streamHandlers(reads: StreamReads, respond: Respond) {
  const streamUpdates = async ({ body }: GetUpdatesInput, context: Context) =>
    streamed(await openUpdates(reads, body, endless(context)), context, respond)
  return {
    getActiveContracts: async ({ body }: GetActiveContractsInput, context: Context) =>
      streamed(await openActiveContracts(reads, body, endless(context)), context, respond),
    getUpdates: streamUpdates,
    getFlatUpdates: streamUpdates,
    getUpdateTrees: async ({ body }: GetUpdateTreesInput, context: Context) =>
      streamed(await openUpdateTrees(reads, body, endless(context)), context, respond),
    getCompletions: async ({ body }: GetCompletionsInput, context: Context) =>
      streamed(
        await openCompletions(reads, body, callerOf(context).user.id, endless(context)),
        context,
        respond,
      ),
  }
}

function endless(context: Context): Reading {
  return {
    signal: context.signal,
    patience: () => Number.POSITIVE_INFINITY,
    hold: (bytes) => context.hold?.(bytes),
  }
}

function streamed(
  items: AsyncIterable<unknown> | LedgerError,
  context: Context,
  respond: Respond,
): StreamReply {
  return items instanceof LedgerError
    ? { error: respond.refuse(items, context).body }
    : { items: withLastWord(items, context, respond) }
}

/** No generator: it would keep what it yielded last. */
function withLastWord(
  items: AsyncIterable<unknown>,
  context: Context,
  respond: Respond,
): AsyncIterable<unknown> {
  const elements = items[Symbol.asyncIterator]()
  const next = async (): Promise<IteratorResult<unknown>> => {
    try {
      return await elements.next()
    } catch (error) {
      if (error instanceof StreamFailure)
        throw new StreamError(error.message, respond.refuse(error.error, context).body)
      throw error
    }
  }
  const leave = async (): Promise<IteratorResult<unknown>> =>
    (await elements.return?.()) ?? { done: true, value: undefined }
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) }
}
