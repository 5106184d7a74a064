// Active contracts, updates and completions, as bounded lists and as streams over websockets.
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
import type { ListBounds, ListLimits } from './bounded-list.ts'
import { openCompletions } from './completions.ts'
import type { Reading, StreamReads } from './reads.ts'
import { StreamFailure } from './reads.ts'
import { openUpdates, openUpdateTrees } from './updates.ts'

type Open<I, T> = (
  input: I,
  context: Context,
  reading: Reading,
) => Promise<AsyncIterable<T> | LedgerError>

/** The read of each operation, as a list or as a stream. */
function readsOf(reads: StreamReads) {
  const updates = ({ body }: GetUpdatesInput, _context: Context, reading: Reading) =>
    openUpdates(reads, body, reading)
  return {
    getActiveContracts: ({ body }: GetActiveContractsInput, _context: Context, reading: Reading) =>
      openActiveContracts(reads, body, reading),
    getUpdates: updates,
    getFlatUpdates: updates,
    getUpdateTrees: ({ body }: GetUpdateTreesInput, _context: Context, reading: Reading) =>
      openUpdateTrees(reads, body, reading),
    getCompletions: ({ body }: GetCompletionsInput, context: Context, reading: Reading) =>
      openCompletions(reads, body, callerOf(context).user.id, reading),
  }
}

/**
 * Handlers of the lists; what is beyond `limits` is refused. Updates and completions can be
 * read on after an offset.
 */
export function listHandlers(
  reads: StreamReads,
  limits: ListLimits,
  respond: Respond,
) {
  const list =
    <I extends { readonly query: ListBounds }, T>(open: Open<I, T>, isPaged = true) =>
    async (input: I, context: Context) => {
      const opened = (reading: Reading) => open(input, context, reading)
      const asked = { ...input.query, isPaged }
      const items = await boundedList(opened, asked, limits, context.signal)
      return respond(items, context, (all) => all)
    }
  const read = readsOf(reads)
  return {
    getActiveContracts: list(read.getActiveContracts, false),
    getUpdates: list(read.getUpdates),
    getFlatUpdates: list(read.getFlatUpdates),
    getUpdateTrees: list(read.getUpdateTrees),
    getCompletions: list(read.getCompletions),
  } satisfies Partial<Handlers<Context>>
}

/** The same as streams, which go on as long as they are read. */
export function streamHandlers(reads: StreamReads, respond: Respond) {
  const stream =
    <I, T>(open: Open<I, T>) =>
    async (input: I, context: Context) =>
      streamed(await open(input, context, endless(context)), context, respond)
  const read = readsOf(reads)
  return {
    getActiveContracts: stream(read.getActiveContracts),
    getUpdates: stream(read.getUpdates),
    getFlatUpdates: stream(read.getFlatUpdates),
    getUpdateTrees: stream(read.getUpdateTrees),
    getCompletions: stream(read.getCompletions),
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
