// Snapshots of the active contracts: offsets to which active contracts can be asked for, kept as
// facts. A snapshot is named by the record time of the last update in it. docs/economy-rules.md,
// "Scan"
import { z } from 'zod'
import type { SnapshotQuery } from '../../../generated/scan/types.gen.ts'
import { storedForm, whole } from '../../store/stored-form.ts'
import type { PrunableFact } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { badRequest, notFound, PlainError } from '../errors.ts'
import { instant } from '../parse.ts'
import { DAY_MICROS, HOUR_MICROS } from '../../engine/durations.ts'

/**
 * Above every time that can be written, microseconds: keys that count down from it start with the
 * latest.
 */
const END_OF_TIME = 10n ** 18n
const DIGITS = 18

const snapshotForm = z.object({
  /** Record time of the last update in it, microseconds. */
  recordTime: whole,
  /** Offset of that update. */
  offset: whole,
  /**
   * The slot for which it was taken, microseconds; nothing happened between `recordTime` and then.
   */
  slot: whole,
})
const stored = storedForm(snapshotForm)

export type AcsSnapshot = Readonly<z.output<typeof snapshotForm>>

/**
 * Takes a snapshot of all that is committed, off the schedule; the next one is due a period later.
 * 400 before the first update.
 */
export async function takeNow(
  economy: Pick<Economy, 'engine' | 'settings' | 'store'>,
): Promise<AcsSnapshot | PlainError> {
  const { offset, recordTime } = await economy.store.contracts.ledgerEnd()
  if (offset === 0n) return badRequest('The ledger is empty')
  const snapshot = { recordTime, offset, slot: recordTime }
  await record(economy, snapshot)
  return snapshot
}

/** The latest snapshot whose record time is before `time`. */
export async function snapshotBefore(
  economy: Pick<Economy, 'store'>,
  migrationId: bigint,
  time: bigint,
): Promise<AcsSnapshot | undefined> {
  // What counts down to a time after the key of `time` is before it.
  return firstAfter(economy, kinds(migrationId).latestFirst, countdown(time))
}

/** The first snapshot whose record time is after `time`, of this migration or a later one. */
export async function snapshotAfter(
  economy: Pick<Economy, 'settings' | 'store'>,
  migrationId: bigint,
  time: bigint,
): Promise<AcsSnapshot | undefined> {
  const current = BigInt(economy.settings.network.migrationId)
  const asked = migrationId <= current ? [...new Set([migrationId, current])] : []
  const found = await Promise.all(
    asked.map((each) => firstAfter(economy, kinds(each).earliestFirst, digits(time))),
  )
  return found.find((each) => each !== undefined)
}

/** The snapshot that a query names; 404 where there is none, or none any more. */
export async function snapshotOf(
  economy: Pick<Economy, 'store'>,
  query: SnapshotQuery,
): Promise<AcsSnapshot | PlainError> {
  const { migration_id: migrationId, record_time: text, record_time_match: match = 'exact' } = query
  const time = instant('record_time', text)
  if (time instanceof PlainError) return time
  const found = await snapshotBefore(economy, migrationId, time + 1n)
  // A snapshot is also that of its slot, since nothing happened in between.
  const { participant: prunedUpTo } = await economy.store.updates.prunedUpTo()
  const fits =
    found !== undefined &&
    found.offset >= prunedUpTo &&
    (match === 'at_or_before' || found.recordTime === time || found.slot === time)
  return fits ? found : notFound(`There is no snapshot of ${text} in migration ${migrationId}`)
}

/**
 * Takes the next snapshot of the schedule if its time has come and an update is later than that, so
 * that nothing before it can still arrive; else answers when the next one is due. Slots without an
 * update since the last snapshot would show the same, and are passed over.
 */
export async function takeDueSnapshot(
  economy: Pick<Economy, 'clock' | 'engine' | 'settings' | 'store'>,
): Promise<bigint | undefined> {
  const {
    store: { contracts },
    clock,
    settings: { network },
  } = economy
  const period = BigInt(network.snapshotPeriodHours) * HOUR_MICROS
  const last = await snapshotBefore(economy, BigInt(network.migrationId), END_OF_TIME)
  const [next] = await contracts.updatesAfter(last?.offset ?? 0n, 1)
  if (next === undefined) return END_OF_TIME
  const slot =
    last === undefined
      ? firstSlot(next.recordTime, period)
      : slotAt(last.slot, period, next.recordTime)
  if (slot > clock.nowMicros() || (await contracts.ledgerEnd()).recordTime <= slot) return slot
  const update = await contracts.updateAt(slot)
  if (update === undefined) return slot
  await record(economy, { recordTime: update.recordTime, offset: update.offset, slot })
  return undefined
}

/**
 * The first multiple of the period in a UTC day that is after the hour of the first update, else
 * the next midnight.
 */
export function firstSlot(firstUpdate: bigint, period: bigint): bigint {
  const midnight = firstUpdate - (firstUpdate % DAY_MICROS)
  const hour = ((firstUpdate % DAY_MICROS) / HOUR_MICROS) * HOUR_MICROS
  const next = (hour / period + 1n) * period
  return midnight + (next < DAY_MICROS ? next : DAY_MICROS)
}

/** The first slot after `last` that is not before `update`. */
function slotAt(last: bigint, period: bigint, update: bigint): bigint {
  const periods = (update - last + period - 1n) / period
  return last + (periods > 1n ? periods : 1n) * period
}

async function record(
  { engine, settings }: Pick<Economy, 'engine' | 'settings'>,
  snapshot: AcsSnapshot,
): Promise<void> {
  const { earliestFirst, latestFirst } = kinds(BigInt(settings.network.migrationId))
  const { recordTime, offset } = snapshot
  const body = stored.write(snapshot)
  // Until the update after it is pruned, what was active then is known.
  const prunedWith = offset + 1n
  const facts: readonly PrunableFact[] = [
    { kind: earliestFirst, key: digits(recordTime), body, prunedWith },
    { kind: latestFirst, key: countdown(recordTime), body, prunedWith },
  ]
  await engine.recordFacts([], () => facts)
}

async function firstAfter(
  { store }: Pick<Economy, 'store'>,
  kind: string,
  key: string,
): Promise<AcsSnapshot | undefined> {
  const [found] = await store.contracts.facts(kind, key, 1)
  return found && stored.read(found.body)
}

function kinds(migrationId: bigint): {
  readonly earliestFirst: string
  readonly latestFirst: string
} {
  return {
    earliestFirst: `acs-snapshot.${migrationId}`,
    latestFirst: `acs-snapshot-latest.${migrationId}`,
  }
}

function digits(time: bigint): string {
  return String(time).padStart(DIGITS, '0')
}

function countdown(time: bigint): string {
  return digits(time < END_OF_TIME ? END_OF_TIME - time : 0n)
}
