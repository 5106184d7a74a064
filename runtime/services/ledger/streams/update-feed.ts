// Updates in the order of their offsets, without a gap, up to an end or for as long as somebody reads.
import type { UpdateRecord } from '../../../store/store.ts'
import { ledgerError } from '../../errors.ts'
import { prunedUpdates } from './offsets.ts'
import type { ReadRange } from './offsets.ts'
import type { Reading, StreamReads } from './reads.ts'
import { StreamFailure } from './reads.ts'

const PAGE = 200

/** After `begin`, upwards; without an end it waits for more as long as it is read. Throws a StreamFailure where updates are pruned. */
export async function* upwards(reads: StreamReads, { begin, end }: ReadRange, reading: Reading): AsyncGenerator<UpdateRecord> {
  const { signal } = reading
  let at = begin
  while (!signal.aborted && (end === undefined || at < end)) {
    const page = await reads.store.contracts.updatesAfter(at, PAGE)
    await requireNext(reads, page[0], { at, end })
    for (const record of page) {
      if (end !== undefined && record.offset > end) return
      at = record.offset
      yield record
    }
    if (page.length === PAGE || end !== undefined) continue
    const left = reading.patience()
    if (left <= 0) return
    await reads.tail.beyond(at, signal, left)
  }
}

/** From `end` down to the one after `begin`. */
export async function* downwards(reads: StreamReads, begin: bigint, end: bigint): AsyncGenerator<UpdateRecord> {
  for (let high = end; high > begin;) {
    const low = high - BigInt(PAGE) > begin ? high - BigInt(PAGE) : begin
    const page = await reads.store.contracts.updatesAfter(low, Number(high - low))
    await requireNext(reads, page[0], { at: low, end: high })
    for (const record of page.toReversed()) yield record
    high = low
  }
}

/** Offsets are dense, so the first of a page is the next one, unless it was pruned meanwhile. */
async function requireNext(
  { store }: StreamReads, first: UpdateRecord | undefined, { at, end }: { readonly at: bigint; readonly end: bigint | undefined },
): Promise<void> {
  if (first === undefined ? end === undefined : first.offset === at + 1n) return
  const pruned = await store.updates.prunedUpTo()
  if (pruned.participant > at) throw new StreamFailure(prunedUpdates({ begin: at, end: end ?? pruned.participant }, pruned))
  throw new StreamFailure(ledgerError('LEDGER_API_INTERNAL_ERROR', {}))
}
