// The history of the ledger as the network's party sees it, by pages and one by one.
// docs/economy-rules.md, "Scan"
import type {
  UpdateHistoryAfter,
  UpdateHistoryItemV2,
  UpdateHistoryRequestV2,
  ValueEncoding,
} from '../../../generated/scan/types.gen.ts'
import type { Economy } from '../../economy/economy.ts'
import type { UpdateRecord } from '../../store/store.ts'
import { scheduler } from '../../work/scheduler.ts'
import { ledgerStringProblem } from '../../errors/grammar.ts'
import { Page } from '../pages.ts'
import { badRequest, notFound, PlainError } from '../../economy/errors.ts'
import { instant } from '../../economy/parse.ts'
import { updateOfHash } from './signed-hashes.ts'
import { updateToWire } from './update-wire.ts'

/** Updates that are read together: all of a page would be read in one go. */
const SLICE = 100
const SLICE_BYTES = 262_144

type Reads = Pick<Economy, 'parties' | 'settings' | 'store'>

/** An update as it is shown; undefined where the network's party sees nothing of it. */
export type ShowUpdate<T> = (economy: Reads, record: UpdateRecord) => Promise<T | undefined>

/**
 * Updates in the order of their record times after a point; empty at the end only, or where nobody
 * waits for them any more. 400 for a time that is none.
 */
export async function updatesPage<T>(
  economy: Reads,
  { after, page_size: pageSize, value_encoding: encoding }: UpdateHistoryRequestV2,
  signal: AbortSignal,
  show: ShowUpdate<T>,
): Promise<T[] | PlainError> {
  const start = encodingProblem(encoding) ?? (await offsetAfter(economy, after))
  if (start instanceof PlainError) return start
  const page = new Page<T>(pageSize)
  const pause = scheduler.parts()
  let offset = start
  while (offset !== undefined) {
    const size = Math.min(SLICE, pageSize)
    await pause()
    if (signal.aborted) return []
    const records = await economy.store.contracts.updatesAfter(offset, size, SLICE_BYTES)
    for (const record of records) {
      await pause()
      if (signal.aborted) return []
      const update = await show(economy, record)
      if (update !== undefined && !page.add(update)) return page.items
    }
    if (page.isFull) return page.items
    offset = records.at(-1)?.offset
  }
  return page.items
}

/** One update; 404 where there is none, or none that the network's party sees. */
export async function updateById<T>(
  economy: Reads,
  updateId: string,
  encoding: ValueEncoding | undefined,
  show: ShowUpdate<T>,
): Promise<T | PlainError> {
  const problem = encodingProblem(encoding)
  if (problem !== undefined) return problem
  const record =
    ledgerStringProblem(updateId) === undefined
      ? await economy.store.updates.byId(updateId)
      : undefined
  const shown = record === undefined ? undefined : await show(economy, record)
  return shown ?? notFound(`No update ${updateId} is known`)
}

/** The update of a prepared transaction, by the hash that was signed; 404 as `updateById`. */
export async function updateByHash(
  economy: Reads,
  hash: string,
  encoding: ValueEncoding | undefined,
): Promise<UpdateHistoryItemV2 | PlainError> {
  const updateId = await updateOfHash(economy, hash)
  return updateId === undefined
    ? (encodingProblem(encoding) ?? notFound(`No update with the hash ${hash} is known`))
    : updateById(economy, updateId, encoding, updateToWire)
}

/** Offset of the last update up to the point; undefined where nothing can come after it. */
async function offsetAfter(
  economy: Pick<Economy, 'settings' | 'store'>,
  after: UpdateHistoryAfter | undefined,
): Promise<bigint | undefined | PlainError> {
  if (after === undefined) return 0n
  const time = instant('after_record_time', after.after_record_time)
  if (time instanceof PlainError) return time
  const current = BigInt(economy.settings.network.migrationId)
  if (after.after_migration_id !== current)
    return after.after_migration_id < current ? 0n : undefined
  return (await economy.store.contracts.updateAt(time))?.offset ?? 0n
}

function encodingProblem(encoding: ValueEncoding | undefined): PlainError | undefined {
  return encoding === 'protobuf_json'
    ? badRequest('protobuf_json is not supported; compact_json is')
    : undefined
}
