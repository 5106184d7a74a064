// What the ledger takes for the time: a simulated clock, which goes on from the ledger's last
// record time and is bound to nothing, or this machine's, which is held against the store's.
// docs/operations.md, Clocks
import type { SimulatedClock } from '../../host/clock.ts'
import type { Logger } from '../../host/log.ts'
import type { Clock, HostClock } from '../../host/plugin.ts'
import { ClockWatch, Invariants } from '../../engine/index.ts'
import { COMMIT_REJECTED } from '../../store/rules.ts'
import type { ContractStore, LedgerEnd } from '../../store/store.ts'
import { timeText } from '../../participant/time.ts'

/** What the ledger takes for the time; only a simulated one can be moved. */
export type LedgerClock = Clock | SimulatedClock

interface LedgerTimeOptions {
  readonly store: ContractStore
  readonly clock: HostClock
  readonly ledgerClock: LedgerClock
  readonly settings: {
    /** How far the clocks of servers, ledger and store may be apart. */
    readonly maxClockSkewMs: number
    /** Goes on with a ledger that is ahead: its time stands still until the clock has caught up. */
    readonly acceptAhead: boolean
  }
  readonly invariants: Invariants
  readonly log: Logger | undefined
}

interface LedgerTime {
  readonly clock: Clock
  readonly invariants: Invariants
  /** Absent where the clock is simulated. */
  readonly watch: ClockWatch | undefined
}

/**
 * Throws an Error with one line for people where the clocks are so far apart that nothing can be
 * committed.
 */
export async function ledgerTime({
  store,
  clock,
  ledgerClock,
  settings,
  invariants,
  log,
}: LedgerTimeOptions): Promise<LedgerTime> {
  const end = await store.ledgerEnd()
  if ('moveTo' in ledgerClock) {
    ledgerClock.moveTo(end.recordTime)
    return { clock: ledgerClock, invariants, watch: undefined }
  }
  const { maxClockSkewMs, acceptAhead } = settings
  const bound = {
    maxSkewMicros: BigInt(maxClockSkewMs) * 1_000n,
    ...(acceptAhead ? { aheadUntil: end.recordTime } : {}),
  }
  const watchWith = (told: Invariants): ClockWatch =>
    new ClockWatch({ clock, store, bound, invariants: told })
  // What keeps a server from starting is said once, as the reason for that.
  await watchWith(new Invariants())
    .checked()
    .catch((error: unknown) => {
      throw startError(error)
    })
  const watch = watchWith(invariants)
  if (!acceptAhead) return { clock: ledgerClock, invariants, watch }
  tellOfWait(end, ledgerClock, log)
  return { clock: notBefore(end.recordTime, ledgerClock), invariants, watch }
}

/** Shows `earliest` until the clock has passed it. */
function notBefore(earliest: bigint, clock: Clock): Clock {
  return {
    nowMicros: () => {
      const now = clock.nowMicros()
      return now > earliest ? now : earliest
    },
  }
}

function tellOfWait({ recordTime }: LedgerEnd, clock: Clock, log: Logger | undefined): void {
  if (recordTime <= clock.nowMicros()) return
  log?.warn(
    { until: timeText(recordTime) },
    "the ledger is ahead, as was accepted: its time stands still until this server's clock has caught up",
  )
}

function startError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== COMMIT_REJECTED)
    return error
  const isLedger = error.message.startsWith('the ledger')
  return new Error(
    isLedger
      ? `${error.message}; ${CHOICES}`
      : `${error.message}; set the clocks right, then start again`,
  )
}

const CHOICES =
  'it was written with clock: simulated, or by a server whose clock was ahead; ' +
  'start with clock: simulated, or with --accept-ahead (ledger.acceptAhead) to let its time stand still until the clocks have caught up'
