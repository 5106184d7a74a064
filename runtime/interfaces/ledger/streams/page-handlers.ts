// The pages of active contracts and updates. docs/ledger-rules.md, "Streams and lists"
import type { Handlers } from '../../../../generated/ledger/handlers.gen.ts'
import type { Context, Respond } from '../../reply.ts'
import type { ListLimits } from './bounded-list.ts'
import { contractsPage, updatesPage } from './pages.ts'
import type { StreamReads } from './reads.ts'

type PageHandlers = Pick<Handlers<Context>, 'getActiveContractsPage' | 'getUpdatesPage'>

/** Handlers of the pages, which have at most what a list may have. */
export function pageHandlers(
  reads: StreamReads,
  limits: ListLimits,
  respond: Respond,
): PageHandlers {
  return {
    getActiveContractsPage: async ({ body }, context) => {
      const page = await contractsPage(reads, body, { limits, signal: context.signal })
      return respond(page, context, (found) => found)
    },
    getUpdatesPage: async ({ body }, context) => {
      const page = await updatesPage(reads, body, { limits, signal: context.signal })
      return respond(page, context, (found) => found)
    },
  }
}
