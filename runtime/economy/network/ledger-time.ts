// What the ledger takes for the time: a simulated clock, which goes on from the ledger's last
// record time, or the ledger's own clock, which follows this machine's as far as that can be
// believed. docs/operations.md, Clocks
import type { SimulatedClock } from '../../host/clock.ts'
import type { Logger } from '../../host/log.ts'
import type { Clock, HostClock } from '../../host/plugin.ts'
import type { Invariants } from '../../engine/index.ts'
import { readTimeRecord, RecordClock } from '../../engine/index.ts'
import { COMMIT_REJECTED } from '../../store/rules.ts'
import type { ContractStore, History } from '../../store/store.ts'
import { dateOf } from './time-source.ts'

const LOOK_MS = 1_000

/** The clock that the ledger takes for the time; only a simulated one can be moved. */
export type LedgerClock = Clock | SimulatedClock

interface LedgerTimeOptions {
  readonly store: ContractStore
  /** A look at the ledger's end; made every second. */
  readonly look: () => Promise<History>
  readonly clock: HostClock
  readonly ledgerClock: LedgerClock
  readonly settings: {
    /** Milliseconds that clocks may be apart before that means anything. */
    readonly maxClockSkewMs: number
    /** The longest time for which an unconfirmed step of this machine's clock is in doubt. */
    readonly maxClockDoubtMs: number
    /** An operator vouches for this machine's clock. */
    readonly acceptClock: boolean
    /** A web server whose date may be believed. */
    readonly timeSource?: string | undefined
  }
  readonly invariants: Invariants
  readonly log: Logger | undefined
}

export interface LedgerTime {
  readonly clock: Clock
  readonly invariants: Invariants
  /** Absent where the clock is simulated. */
  readonly watch: RecordClock | undefined
  /** The store's value at the start; later ones come from the watch. */
  readonly unmeasured: bigint
  /** Leaves a last beat. Never rejects. */
  stop(): Promise<void>
}

/**
 * Throws an Error with one line for people where the store's clock is another one and so far from
 * this machine's that nothing can be committed.
 */
export async function ledgerTime(options: LedgerTimeOptions): Promise<LedgerTime> {
  const { store, ledgerClock, invariants, look } = options
  if (!('moveTo' in ledgerClock)) return systemTime(options)
  const [{ recordTime }, { unmeasured }] = await Promise.all([
    store.ledgerEnd(),
    readTimeRecord(store),
  ])
  ledgerClock.moveTo(recordTime)
  const timer = everySecond(look)
  const stop = async (): Promise<void> => clearInterval(timer)
  return { clock: ledgerClock, invariants, watch: undefined, unmeasured, stop }
}

/** A store that cannot be reached is its own health's matter. */
function everySecond(look: () => Promise<unknown>): NodeJS.Timeout {
  let isLooking = false
  return setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look()
      .catch(() => undefined)
      .finally(() => (isLooking = false))
  }, LOOK_MS).unref()
}

async function systemTime({
  store,
  look: read,
  clock,
  settings: { maxClockSkewMs, maxClockDoubtMs, acceptClock, timeSource },
  invariants,
  log,
}: LedgerTimeOptions): Promise<LedgerTime> {
  const bound = {
    maxSkewMicros: BigInt(maxClockSkewMs) * 1_000n,
    maxDoubtMicros: BigInt(maxClockDoubtMs) * 1_000n,
    isAccepted: acceptClock,
  }
  const witness = timeSource === undefined ? undefined : () => dateOf(timeSource)
  const watch = new RecordClock({ clock, store, read, bound, invariants, witness, log })
  await watch.start().catch((error: unknown) => {
    throw startError(error)
  })
  const timer = everySecond(() => watch.look())
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    await watch.beat().catch(() => undefined)
  }
  return { clock: watch, invariants, watch, unmeasured: 0n, stop }
}

function startError(error: unknown): unknown {
  return error instanceof Error && 'code' in error && error.code === COMMIT_REJECTED
    ? new Error(`${error.message}; set the clocks right, then start again`)
    : error
}
