// The history of the ledger as the network's party sees it, by pages and one by one. domain/wire.md §2.4
import type { UpdateHistoryAfter, UpdateHistoryItemV2, UpdateHistoryRequestV2, ValueEncoding } from '../../../generated/scan/types.gen.ts'
import type { Economy } from '../economy.ts'
import { ledgerStringFault } from '../grammar.ts'
import { badRequest, notFound, PlainError } from '../wallet/errors.ts'
import { instant } from '../wallet/parse.ts'
import { updateToWire } from './update-wire.ts'

/** Updates in the order of their record times after a point; empty at the end only. 400 for a time that is none. */
export async function updatesPage(
  economy: Economy, { after, page_size: pageSize, value_encoding: encoding }: UpdateHistoryRequestV2,
): Promise<UpdateHistoryItemV2[] | PlainError> {
  const start = encodingFault(encoding) ?? await offsetAfter(economy, after)
  if (start instanceof PlainError) return start
  const shown: UpdateHistoryItemV2[] = []
  let offset = start
  while (offset !== undefined) {
    const records = await economy.store.contracts.updatesAfter(offset, pageSize)
    for (const record of records) {
      const update = await updateToWire(economy, record)
      if (update !== undefined) shown.push(update)
      if (shown.length === pageSize) return shown
    }
    offset = records.length < pageSize ? undefined : records.at(-1)?.offset
  }
  return shown
}

/** One update; 404 where there is none, or none that the network's party sees. */
export async function updateById(
  economy: Economy, updateId: string, encoding: ValueEncoding | undefined,
): Promise<UpdateHistoryItemV2 | PlainError> {
  const fault = encodingFault(encoding)
  if (fault !== undefined) return fault
  const record = ledgerStringFault(updateId) === undefined ? await economy.store.updates.byId(updateId) : undefined
  const shown = record === undefined ? undefined : await updateToWire(economy, record)
  return shown ?? notFound(`No update ${updateId} is known`)
}

/** Offset of the last update up to the point; undefined where nothing can come after it. */
async function offsetAfter(economy: Economy, after: UpdateHistoryAfter | undefined): Promise<bigint | undefined | PlainError> {
  if (after === undefined) return 0n
  const time = instant('after_record_time', after.after_record_time)
  if (time instanceof PlainError) return time
  const current = BigInt(economy.settings.network.migrationId)
  if (after.after_migration_id !== current) return after.after_migration_id < current ? 0n : undefined
  return (await economy.store.contracts.updateAt(time))?.offset ?? 0n
}

function encodingFault(encoding: ValueEncoding | undefined): PlainError | undefined {
  return encoding === 'protobuf_json' ? badRequest('protobuf_json is not supported; compact_json is') : undefined
}
