// Parties in SQL. An allocation decides before it writes, so that a refusal leaves nothing behind.
import { actAsRight, partyTexts, storable } from '../../runtime/index.ts'
import {
  call,
  flagOf,
  int64Of,
  nextVersionFits,
  textOf,
  touched,
  unlessProviderIsMissing,
} from './database.ts'
import { insertRights, lockFreshRights } from './rights.ts'
import { STATEMENTS } from './statements.ts'
import type { Database, Row, Work } from './database.ts'
import type { PartyGrant, PartyPage, PartyRecord, PartyStore } from '../../runtime/index.ts'

type NewParty = Omit<PartyRecord, 'resourceVersion'>

const LAST_CODE_POINT = 0x10_ff_ff
const BEFORE_SURROGATES = 0xd7_ff
const AFTER_SURROGATES = 0xe0_00

export function partyStore(database: Database): PartyStore {
  return {
    get: async (parties) => {
      storable(...parties)
      return (await database.once(STATEMENTS.getParties, parties)).map(partyOf)
    },
    list: (page) => listParties(database, page),
    allocate: async (party, grantTo) => {
      storable(...partyTexts(party, grantTo))
      return unlessProviderIsMissing(database.transact(() => allocateParty(party, grantTo)))
    },
    update: async (party, expected, annotations) => {
      storable(party)
      const values = [JSON.stringify(annotations), party, expected]
      const [updated] = nextVersionFits(expected)
        ? await database.once(STATEMENTS.updateParty, ...values)
        : []
      if (updated !== undefined) return partyOf(updated)
      return touched(await database.once(STATEMENTS.getParties, [party])) ? 'stale' : 'missing'
    },
  }
}

async function listParties(
  database: Database,
  { identityProviderId, prefix, after, limit }: PartyPage,
): Promise<readonly PartyRecord[]> {
  storable(identityProviderId, prefix, after)
  const end = prefixEnd(prefix)
  const bounds = [identityProviderId, after, prefix]
  const rows =
    end === undefined
      ? await database.once(STATEMENTS.listParties, ...bounds, limit)
      : await database.once(STATEMENTS.listPartiesBefore, ...bounds, end, limit)
  return rows.map(partyOf)
}

/**
 * The first text after all that start with `prefix`, in byte order; undefined where there is none.
 */
function prefixEnd(prefix: string): string | undefined {
  const codePoints = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  const last = codePoints.findLastIndex((codePoint) => codePoint < LAST_CODE_POINT)
  const raised = codePoints[last]
  if (raised === undefined) return undefined
  const next = raised === BEFORE_SURROGATES ? AFTER_SURROGATES : raised + 1
  return String.fromCodePoint(...codePoints.slice(0, last), next)
}

function* allocateParty(
  party: NewParty,
  grantTo: PartyGrant | undefined,
): Work<'created' | 'exists' | 'unknown-provider' | 'unknown-user' | 'too-many'> {
  const [alike = {}] = yield* call(STATEMENTS.partyAlike, party.party, party.identityProviderId)
  if (flagOf(alike, 'taken')) return 'exists'
  if (!flagOf(alike, 'provider_known')) return 'unknown-provider'
  if (grantTo === undefined) return yield* insertParty(party)
  const { userId, maxRights, inProvider } = grantTo
  const fresh = yield* lockFreshRights(userId, {
    rights: [actAsRight(party.party)],
    maxRights,
    inProvider,
  })
  if (fresh === 'missing') return 'unknown-user'
  if (fresh === 'too-many') return fresh
  const made = yield* insertParty(party)
  if (made === 'created') yield* insertRights(userId, fresh)
  return made
}

/** Writes a party that nobody has yet. */
export function* insertParty(party: NewParty): Work<'created' | 'exists'> {
  const { party: id, isLocal, identityProviderId, annotations, topology } = party
  const made = yield* call(
    STATEMENTS.insertParty,
    id,
    isLocal,
    identityProviderId,
    JSON.stringify(annotations),
    topology,
  )
  return touched(made) ? 'created' : 'exists'
}

/** A party as it is stored. */
export function partyOf(row: Row): PartyRecord {
  return {
    party: textOf(row, 'party'),
    isLocal: flagOf(row, 'is_local'),
    identityProviderId: textOf(row, 'identity_provider_id'),
    resourceVersion: int64Of(row, 'resource_version'),
    annotations: JSON.parse(textOf(row, 'annotations')),
    topology: textOf(row, 'topology'),
  }
}
