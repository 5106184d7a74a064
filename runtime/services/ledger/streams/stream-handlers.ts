// Active contracts, updates and completions, as bounded lists and as streams over websockets. domain/ledger.md §7.4
import type { Handlers } from '../../../../generated/ledger/handlers.gen.ts'
import type { Context, Respond } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { openActiveContracts } from './active-contracts.ts'
import { boundedList } from './bounded-list.ts'
import { openCompletions } from './completions.ts'
import type { Reading, StreamReads } from './reads.ts'
import { openUpdates } from './updates.ts'

type ListHandlers = Pick<Handlers<Context>, 'getActiveContracts' | 'getUpdates' | 'getCompletions'>

/** Handlers of the three lists; more than `nodeLimit` elements are refused. */
export function listHandlers(reads: StreamReads, nodeLimit: number, respond: Respond): ListHandlers {
  return {
    getActiveContracts: async ({ body, query }, context) => {
      const list = await boundedList((reading) => openActiveContracts(reads, body, reading), query, nodeLimit, context.signal)
      return respond(list, context, (items) => items)
    },
    getUpdates: async ({ body, query }, context) => {
      const list = await boundedList((reading) => openUpdates(reads, body, reading), query, nodeLimit, context.signal)
      return respond(list, context, (items) => items)
    },
    getCompletions: async ({ body, query }, context) => {
      const open = (reading: Reading) => openCompletions(reads, body, callerOf(context).user.id, reading)
      return respond(await boundedList(open, query, nodeLimit, context.signal), context, (items) => items)
    },
  }
}
