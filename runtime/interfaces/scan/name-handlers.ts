// Names as anybody may look them up; the scan proxy passes the same on. docs/payments.md
import type { Handlers } from '../../../generated/scan/handlers.gen.ts'
import type { AnsEntry as WireEntry } from '../../../generated/scan/types.gen.ts'
import type { Economy } from '../../economy/economy.ts'
import { answer, notFound } from '../../economy/errors.ts'
import { entriesFrom, entriesOf, entryNamed } from '../../economy/names.ts'
import type { NameEntry } from '../../economy/names.ts'
import { textProblem } from '../../economy/parse.ts'
import { timeText } from '../../participant/time.ts'
import type { Context } from '../reply.ts'
import { isPartyId } from './parse.ts'

/** Entries of one answer at most: each is a read. */
const MAX_ENTRIES = 100

/** Handlers of names. */
export function nameHandlers(economy: Economy) {
  return {
    listAnsEntries: async ({ query: { name_prefix: prefix = '', page_size: size } }) =>
      answer(
        textProblem(prefix) ?? (await entriesFrom(economy, prefix, Math.min(size, MAX_ENTRIES))),
        (entries) => ({ entries: entries.map(entryToWire) }),
      ),
    lookupAnsEntryByParty: async ({ path: { party } }) => {
      const [entry] = isPartyId(party) ? await entriesOf(economy, party) : []
      return answer(entry ?? notFound(`${party} has no name`), (found) => ({
        entry: entryToWire(found),
      }))
    },
    lookupAnsEntryByName: async ({ path: { name } }) => {
      const entry = textProblem(name) === undefined ? await entryNamed(economy, name) : undefined
      return answer(entry ?? notFound(`Nobody has the name ${name}`), (found) => ({
        entry: entryToWire(found),
      }))
    },
  } satisfies Partial<Handlers<Context>>
}

function entryToWire({ contractId, expiresAt, ...texts }: NameEntry): WireEntry {
  return {
    ...texts,
    ...(contractId === undefined ? {} : { contract_id: contractId }),
    ...(expiresAt === undefined ? {} : { expires_at: timeText(expiresAt) }),
  }
}
