// Decides which of several servers pays from a party's coins. A server with the lease pays without
// asking: one statement per second keeps all its leases, and a read now and then finds those that
// others wait for. A server that cannot get a lease pays anyway, and the commit decides.
// docs/economy-rules.md, "Treasury"; docs/decisions/0004-several-servers.md
import { systemClock } from '../../host/clock.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LeaseAnswer, LeaseStore } from '../../store/store.ts'

interface PartyLeasesOptions {
  readonly store: LeaseStore
  /** This server; nobody else has the name. */
  readonly holder: string
  /** Milliseconds of a lease that its holder no longer prolongs. */
  readonly leaseMs: number
  /** Milliseconds for which its holder goes on while others wait. */
  readonly sliceMs: number
}

/**
 * Between two questions of a server that waits for a lease; for many leases, it asks for each less
 * often.
 */
const POLL_MS = 10
/** Between two looks for those who wait, while this server has nothing to pay. */
const IDLE_MS = 1_000
/** A holder with nothing to do gives way after this: its clients may be about to ask again. */
const LINGER_MS = 5
/**
 * Leases without use are prolonged for so many terms, since taking one costs a write and its wait.
 */
const KEPT_TERMS = 10
/**
 * Who waited has a passed lease at least for so long, to find it: not longer, since he may have
 * died.
 */
const PICK_UP_MS = 500
/** Milliseconds beyond the end of a dead holder's lease. */
const PATIENCE_MS = 2_000

/** A lease of this server's. Times are those of the machine's clock. */
interface Held {
  endsAt: number
  sliceEndsAt: number
  usedAt: number
  isWanted: boolean
  isBusy: boolean
}

/** The leases of one server. Its clock is real time, whatever the ledger takes for the time. */
export class PartyLeases {
  readonly #options: PartyLeasesOptions
  readonly #held = new Map<string, Held>()
  readonly #passing = new Map<string, Promise<void>>()
  #waiting = 0
  #timer: NodeJS.Timeout | undefined
  #isSlow = false
  #prolongAt = 0
  #look: Promise<void> | undefined

  constructor(options: PartyLeasesOptions) {
    this.#options = options
  }

  /** Whether the lease is this server's for now. */
  has(party: string): boolean {
    return systemClock.monotonicMs() < (this.#held.get(party)?.endsAt ?? 0)
  }

  /**
   * Undefined where the party's coins may be spent at once; else resolves when they may, or when
   * waiting is of no use.
   */
  hold(party: string): Promise<void> | undefined {
    const held = this.#held.get(party)
    const now = systemClock.monotonicMs()
    const isOurTurn =
      held !== undefined && now < held.endsAt && !(held.isWanted && now >= held.sliceEndsAt)
    if (!isOurTurn) return this.#await(party, held)
    held.isBusy = true
    held.usedAt = now
    if (this.#isSlow) this.#lookSoon()
    return undefined
  }

  /** Ends the use of a lease; call it when nothing is left to pay from the party's coins. */
  rest(party: string): void {
    const held = this.#held.get(party)
    if (held === undefined) return
    held.isBusy = false
    if (held.isWanted) setTimeout(() => this.#yield(party, held), LINGER_MS).unref()
  }

  /** Gives up all leases, so that other servers need not wait for their ends. */
  async release(): Promise<void> {
    this.#stopLooking()
    await this.#look
    await Promise.all([...this.#held.keys()].map((party) => this.#pass(party)))
    await Promise.all(this.#passing.values())
  }

  async #await(party: string, held: Held | undefined): Promise<void> {
    if (held !== undefined && systemClock.monotonicMs() < held.endsAt) void this.#pass(party)
    await this.#passing.get(party)
    const { leaseMs, sliceMs } = this.#options
    const limit = systemClock.monotonicMs() + leaseMs + PATIENCE_MS
    this.#waiting += 1
    for (;;) {
      const askedAt = systemClock.monotonicMs()
      const answer = await this.#take(party)
      if (answer !== 'taken' || askedAt >= limit) {
        this.#waiting -= 1
        const isOurs = answer === 'held' || answer === 'wanted'
        const endsAt = askedAt + (isOurs ? leaseMs : sliceMs)
        return this.#keep(party, { endsAt, isWanted: answer === 'wanted' })
      }
      await sleep(Math.max(POLL_MS, this.#waiting))
    }
  }

  #keep(party: string, { endsAt, isWanted }: Pick<Held, 'endsAt' | 'isWanted'>): void {
    const { leaseMs, sliceMs } = this.#options
    const usedAt = systemClock.monotonicMs()
    this.#held.set(party, { endsAt, isWanted, sliceEndsAt: usedAt + sliceMs, usedAt, isBusy: true })
    if (this.#timer === undefined) this.#prolongAt = usedAt + leaseMs / 3
    if (this.#timer === undefined || this.#isSlow) this.#lookSoon()
  }

  #lookSoon(): void {
    this.#stopLooking()
    const { sliceMs, leaseMs } = this.#options
    const idleSince = performance.now() - IDLE_MS
    this.#isSlow = this.#held.values().every(({ isBusy, usedAt }) => !isBusy && usedAt < idleSince)
    const soonMs = Math.min(sliceMs / 2, leaseMs / 6)
    const ms = this.#isSlow ? Math.max(soonMs, Math.min(IDLE_MS, leaseMs / 3)) : soonMs
    this.#timer = setTimeout(() => this.#tick(), ms).unref()
  }

  #stopLooking(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /**
   * One look at a time; a store that cannot be reached is asked again: what cannot be prolonged
   * ends, and payments tell of it.
   */
  #tick(): void {
    this.#look ??= this.#lookAfter()
      .catch(() => {})
      .finally(() => {
        this.#look = undefined
        if (this.#timer !== undefined) this.#lookSoon()
      })
  }

  /**
   * Prolongs what is in use, learns what others wait for, and gives way where nothing is to be
   * done.
   */
  async #lookAfter(): Promise<void> {
    if (systemClock.monotonicMs() >= this.#prolongAt) await this.#prolong()
    this.#forgetEnded()
    if (this.#held.size > 0) await this.#giveWay()
  }

  async #prolong(): Promise<void> {
    const { store, holder, leaseMs } = this.#options
    const now = systemClock.monotonicMs()
    this.#prolongAt = now + leaseMs / 3
    const inUse = [...this.#held].filter(
      ([, { isBusy, usedAt }]) => isBusy || usedAt > now - KEPT_TERMS * leaseMs,
    )
    if (inUse.length === 0) return
    const kept = new Set(
      await store.prolong(
        inUse.map(([party]) => party),
        holder,
        leaseMs,
      ),
    )
    for (const [party, held] of inUse)
      held.endsAt = kept.has(party) ? now + leaseMs : Math.min(held.endsAt, now)
  }

  #forgetEnded(): void {
    const now = systemClock.monotonicMs()
    for (const [party, { endsAt, isBusy }] of this.#held)
      if (!isBusy && endsAt <= now) this.#held.delete(party)
    if (this.#held.size === 0) this.#stopLooking()
  }

  async #giveWay(): Promise<void> {
    for (const party of await this.#options.store.wanted(this.#options.holder)) {
      const held = this.#held.get(party)
      if (held === undefined) continue
      held.isWanted = true
      this.#yield(party, held)
    }
  }

  /** Unless it has come to be used again. */
  #yield(party: string, held: Held): void {
    if (!held.isBusy && this.#held.get(party) === held) void this.#pass(party)
  }

  /**
   * The lease is not asked for again before it has been passed on, since the store could see both
   * in the other order, nor before others who wait have asked once more: there is one wish, and who
   * has just had the lease would always be the first.
   */
  #pass(party: string): Promise<void> {
    this.#held.delete(party)
    const { store, holder, leaseMs } = this.#options
    const passed = store
      .pass(party, holder, Math.min(leaseMs, PICK_UP_MS))
      .catch(() => {})
      .then(() => sleep(2 * POLL_MS))
      .then(() => void this.#passing.delete(party))
    this.#passing.set(party, passed)
    return passed
  }

  /** Undefined where the store does not answer. */
  #take(party: string): Promise<LeaseAnswer | undefined> {
    const { store, holder, leaseMs } = this.#options
    return store.take(party, holder, leaseMs).catch(() => undefined)
  }
}
