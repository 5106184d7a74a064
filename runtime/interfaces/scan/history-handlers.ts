// Scan's operations on the past: snapshots of active contracts and holdings, updates.
// docs/economy-rules.md, "Scan"; spec/scan.yaml
import type { Handlers } from '../../../generated/scan/handlers.gen.ts'
import type {
  AcsResponse,
  AcsResponseV1,
  AcsResponseV2,
  EventHistoryItem,
  UpdateHistoryRequestV2,
  ValueEncoding,
} from '../../../generated/scan/types.gen.ts'
import type { Economy } from '../../economy/economy.ts'
import { nextPage } from '../pages.ts'
import type { Context } from '../reply.ts'
import { timeText } from '../../participant/time.ts'
import { answer, badRequest, notFound, PlainError } from '../../economy/errors.ts'
import { isSnapshotPruned } from '../../store/rules.ts'
import type { AcsPage } from './active-contracts.ts'
import { acsPage, holdingsPage } from './active-contracts.ts'
import { holdingsAt, summaryToWire, totalsToWire } from './holdings-summary.ts'
import { instant } from '../../economy/parse.ts'
import type { AcsSnapshot } from '../../economy/snapshots/snapshots.ts'
import { snapshotAfter, snapshotBefore, takeNow } from '../../economy/snapshots/snapshots.ts'
import { creationsOf, updateToEarlierWire, updateToWire } from './update-wire.ts'
import { updateByHash, updateById, updatesPage } from './updates.ts'
import type { ShowUpdate } from './updates.ts'

type SnapshotHandlers = Pick<
  Handlers<Context>,
  | 'getDateOfMostRecentSnapshotBefore'
  | 'getDateOfFirstSnapshotAfter'
  | 'forceAcsSnapshotNow'
  | 'getAcsSnapshotAt'
  | 'getAcsSnapshotAtV1'
  | 'getAcsSnapshotAtV2'
  | 'getHoldingsStateAt'
  | 'getHoldingsStateAtV1'
  | 'getHoldingsStateAtV2'
  | 'getHoldingsSummaryAt'
  | 'getHoldingsSummaryAtV1'
>
type UpdateHandlers = Pick<
  Handlers<Context>,
  | 'getUpdateHistoryV2'
  | 'getUpdateByIdV2'
  | 'getUpdateByHash'
  | 'getUpdateHistoryV1'
  | 'getUpdateByIdV1'
  | 'getUpdateHistoryV0'
  | 'getUpdateByIdV0'
  | 'getEventHistory'
  | 'getEventById'
>

type ReadPage<Q> = (
  economy: Economy,
  query: Q,
  start: Pick<Context, 'signal'> & { readonly after: bigint | undefined },
) => Promise<AcsPage | PlainError>

/** Handlers of snapshots; the summary with fees serves the scan proxy too. */
export function snapshotHandlers(economy: Economy): SnapshotHandlers {
  const wire = snapshotWire(economy)
  const pageOf = <Q>(read: ReadPage<Q>, body: Q, after: bigint | undefined, context: Context) =>
    whileKept(() => read(economy, body, { after, signal: context.signal }))
  const numbered =
    <Q extends { readonly after?: bigint }>(read: ReadPage<Omit<Q, 'after'>>) =>
    async ({ body }: { readonly body: Q }, context: Context) =>
      answer(await pageOf(read, body, body.after, context), wire.numbered)
  const asEvents =
    <Q extends { readonly after?: bigint }>(read: ReadPage<Omit<Q, 'after'>>) =>
    async ({ body }: { readonly body: Q }, context: Context) => {
      const page = await pageOf(read, body, body.after, context)
      return answer(
        page instanceof PlainError ? page : await wire.events(page, context),
        (value) => value,
      )
    }
  const opaque =
    <Q extends { readonly after?: string }>(read: ReadPage<Omit<Q, 'after'>>) =>
    async ({ body }: { readonly body: Q }, context: Context) => {
      const after = decodePosition(body.after)
      return answer(
        after instanceof PlainError ? after : await pageOf(read, body, after, context),
        wire.opaque,
      )
    }
  return {
    getDateOfMostRecentSnapshotBefore: async ({ query }) =>
      answer(await near(snapshotBefore, economy, query.migration_id, query.before), wire.time),
    getDateOfFirstSnapshotAfter: async ({ query }) =>
      answer(await near(snapshotAfter, economy, query.migration_id, query.after), wire.time),
    forceAcsSnapshotNow: async () => answer(await forced(economy), wire.name),
    getAcsSnapshotAt: asEvents(acsPage),
    getAcsSnapshotAtV1: numbered(acsPage),
    getAcsSnapshotAtV2: opaque(acsPage),
    getHoldingsStateAt: asEvents(holdingsPage),
    getHoldingsStateAtV1: numbered(holdingsPage),
    getHoldingsStateAtV2: opaque(holdingsPage),
    getHoldingsSummaryAt: async ({ body }) =>
      answer(await whileKept(() => holdingsAt(economy, body)), (found) => ({
        ...wire.name(found.snapshot),
        computed_as_of_round: found.asOfRound,
        summaries: found.sums.map(summaryToWire),
      })),
    getHoldingsSummaryAtV1: async ({ body }) =>
      answer(await whileKept(() => holdingsAt(economy, body)), ({ snapshot, sums }) => ({
        ...wire.name(snapshot),
        summaries: sums.map(totalsToWire),
      })),
  }
}

/** A read of a snapshot; 404 where that is pruned before all of it is read. */
async function whileKept<T>(read: () => Promise<T | PlainError>): Promise<T | PlainError> {
  try {
    return await read()
  } catch (error) {
    if (isSnapshotPruned(error)) return notFound('The snapshot is pruned')
    throw error
  }
}

/** Handlers of updates. */
export function updateHandlers(
  economy: Pick<Economy, 'parties' | 'settings' | 'store'>,
): UpdateHandlers {
  const one = async <T>(show: ShowUpdate<T>, id: string, encoding?: ValueEncoding) =>
    answer(await updateById(economy, id, encoding, show), (update) => update)
  const listed = async <T>(
    show: ShowUpdate<T>,
    asked: UpdateHistoryRequestV2,
    { signal }: Context,
  ) => answer(await updatesPage(economy, asked, signal, show), (transactions) => ({ transactions }))
  return {
    getUpdateHistoryV2: ({ body }, context) => listed(updateToWire, body, context),
    getUpdateByIdV2: ({ path, query }) => one(updateToWire, path.update_id, query.value_encoding),
    getUpdateByHash: async ({ path, query }) =>
      answer(await updateByHash(economy, path.hash, query.value_encoding), (update) => update),
    getUpdateHistoryV1: ({ body }, context) => listed(updateToEarlierWire, body, context),
    getUpdateByIdV1: ({ path, query }) =>
      one(updateToEarlierWire, path.update_id, query.value_encoding),
    getUpdateHistoryV0: ({ body: { lossless, ...asked } }, context) =>
      listed(updateToEarlierWire, { ...asked, ...encodingOf(lossless) }, context),
    getUpdateByIdV0: ({ path, query }) =>
      one(updateToEarlierWire, path.update_id, encodingOf(query.lossless).value_encoding),
    getEventHistory: async ({ body }, { signal }) =>
      answer(await updatesPage(economy, body, signal, eventToWire), (events) => ({ events })),
    getEventById: ({ path, query }) => one(eventToWire, path.update_id, query.value_encoding),
  }
}

const eventToWire: ShowUpdate<EventHistoryItem> = async (economy, record) => {
  const update = await updateToWire(economy, record)
  return update && { update }
}

/** The first version's name of the encoding that says the types of all values. */
function encodingOf(lossless: boolean | undefined): { readonly value_encoding?: ValueEncoding } {
  return lossless === true ? { value_encoding: 'protobuf_json' } : {}
}

function snapshotWire(economy: Pick<Economy, 'settings' | 'store'>) {
  const {
    settings: { network },
  } = economy
  const time = ({ recordTime }: AcsSnapshot) => ({ record_time: timeText(recordTime) })
  const name = (snapshot: AcsSnapshot) => ({
    ...time(snapshot),
    migration_id: BigInt(network.migrationId),
  })
  const page = ({ snapshot, contracts }: AcsPage) => ({
    ...name(snapshot),
    created_events: [...contracts],
  })
  return {
    time,
    name,
    events: async (found: AcsPage, { signal }: Context): Promise<AcsResponse> => ({
      ...name(found.snapshot),
      created_events: await creationsOf(economy, found.contracts, signal),
      next_page_token: found.next ?? null,
    }),
    numbered: (found: AcsPage): AcsResponseV1 => ({
      ...page(found),
      ...nextPage(found),
    }),
    opaque: (found: AcsPage): AcsResponseV2 => ({
      ...page(found),
      ...(found.next === undefined ? {} : { next_page_token: encodePosition(found.next) }),
    }),
  }
}

type Find = (
  economy: Pick<Economy, 'settings' | 'store'>,
  migrationId: bigint,
  time: bigint,
) => Promise<AcsSnapshot | undefined>

async function near(
  find: Find,
  economy: Pick<Economy, 'settings' | 'store'>,
  migrationId: bigint,
  text: string,
): Promise<AcsSnapshot | PlainError> {
  const time = instant('the time', text)
  if (time instanceof PlainError) return time
  return (
    (await find(economy, migrationId, time)) ??
    notFound(`There is no such snapshot in migration ${migrationId}`)
  )
}

async function forced(
  economy: Pick<Economy, 'engine' | 'settings' | 'store'>,
): Promise<AcsSnapshot | PlainError> {
  return economy.settings.network.isDevNet
    ? takeNow(economy)
    : badRequest('Snapshots are taken on schedule only')
}

const POSITION = /^\d{1,18}$/

/** The token that continues after a position. */
function encodePosition(position: bigint): string {
  return Buffer.from(String(position)).toString('base64url')
}

/** The position that a token holds, undefined without one; 400 where it is no token of ours. */
function decodePosition(token: string | undefined): bigint | undefined | PlainError {
  if (token === undefined) return undefined
  const text = Buffer.from(token, 'base64url').toString('latin1')
  return POSITION.test(text) ? BigInt(text) : badRequest('after is not a next_page_token')
}
