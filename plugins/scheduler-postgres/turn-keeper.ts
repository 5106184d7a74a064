// Decides which tasks are this server's. A task is a row; who holds the row has the task's *turn*
// and runs it here, by timers, at its interval. pg-boss would do as much with a job a run, but
// polls at 0.5 s at the quickest; with turns the load on the database does not depend on intervals:
// each server looks every `pollMs` (two statements, three where a turn is free), whatever runs.
// Measured: 7 to 9 a second for three servers, twelve tasks and the defaults.
//
// - A turn of a task with a short interval stays where it is until somebody waits: a server without
//   any leaves a wish, and who has had turns for `turnMs` gives up the share of those who wish. One
//   of a long interval is given up after each run, to be taken when the next is due: then it is the
//   database that remembers when, across restarts.
// - A holder is heard of at each look. Whoever sees a row unchanged for `takeoverMs`, by its own
//   clock, takes it for dead and frees the row; the holder itself stops its run, and begins no
//   other, one look earlier. So clocks may differ, and a dead server's tasks go on within
//   `takeoverMs` and two looks. A run that does not heed its signal may then have company: as with
//   every lease.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HealthReport, Logger, SchedulerService } from '../../runtime/index.ts'
import type { NewTurn, TurnQueue, TurnRow } from './turn-queue.ts'
import { Turn } from './turn.ts'
import type { Task } from './turn.ts'

interface TurnLimits {
  readonly pollMs: number
  readonly turnMs: number
  readonly takeoverMs: number
}

interface KeeperOptions {
  readonly queue: Pick<TurnQueue, 'open' | 'close' | 'rows' | 'touch' | 'remove' | 'add' | 'take'>
  readonly log: Logger
  readonly limits: TurnLimits
}

const WISH = 'wish/'
/** Looks for which those who wish have the first go at free turns. */
const FIRST_GO_LOOKS = 3
const TASK = 'task/'
/** Milliseconds after which new tasks are looked for, together with those right after them. */
const GATHER_MS = 20
/** The host gives a stop 5 s. */
const CLOSING_MS = 2_000

/** A row as it was seen first with the word of its holder that it has now. */
interface Sighting {
  readonly heardMs: number
  readonly sinceMs: number
}

export class TurnKeeper implements SchedulerService {
  readonly #options: KeeperOptions
  readonly #tasks = new Map<string, Task>()
  /** The turns of this server, by the task's name; closed ones until their row is given back. */
  readonly #turns = new Map<string, Turn>()
  #sightings: ReadonlyMap<string, Sighting> = new Map()
  readonly #wishKey = WISH + randomUUID()
  /** Ids of wishes that this server has given up turns for. */
  #granted: ReadonlySet<string> = new Set()
  #nextWishMs = 0
  /** The begin of the look under way: rows are at least as new. */
  #lookMs = 0
  #problem: string | undefined
  #stopping = false
  #stopped: Promise<void> | undefined
  #wake = Promise.withResolvers<void>()
  #looking: Promise<void> | undefined

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    await this.#options.queue.open()
    this.#looking = this.#lookOn()
  }

  schedule(name: string, everyMs: number, run: Task['run']): { cancel(): void; here(): boolean } {
    if (!(everyMs >= 1)) throw new Error(`the interval of "${name}" must be at least 1 ms`)
    return this.#add({ name, everyMs, run })
  }

  /** A turn that nobody gives back before others wait for it, and that is always due. */
  hold(name: string): { cancel(): void; here(): boolean } {
    const { turnMs } = this.#options.limits
    return this.#add({ name, everyMs: turnMs, isHold: true, run: async () => {} })
  }

  /** Ends the runs, gives all turns back to the others and lets go of the database. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping = true
    this.#tasks.clear()
    for (const turn of this.#turns.values()) turn.lose('the host stops')
    this.#wake.resolve()
    await Promise.all([...this.#turns.values()].map(({ running }) => running))
    await Promise.race([this.#close(), sleep(CLOSING_MS, undefined, { ref: false })])
  }

  health(): HealthReport {
    if (this.#problem === undefined) return { status: 'up' }
    return { status: 'down', detail: `the database does not answer: ${this.#problem}` }
  }

  #add(task: Task): { cancel(): void; here(): boolean } {
    const { name } = task
    if (this.#tasks.has(name) || this.#turns.get(name)?.running !== undefined) {
      throw new Error(`a task named "${name}" is scheduled already`)
    }
    this.#tasks.set(name, task)
    this.#wake.resolve()
    return { cancel: () => this.#cancel(task), here: () => this.#turns.get(name)?.open === true }
  }

  #cancel(task: Task): void {
    if (this.#tasks.get(task.name) !== task) return
    this.#tasks.delete(task.name)
    this.#turns.get(task.name)?.lose('the task was cancelled')
    this.#wake.resolve()
  }

  async #close(): Promise<void> {
    await this.#looking
    await this.#giveBack([...this.#turns.values()]).catch((error: unknown) => this.#failed(error))
    await this.#options.queue.close()
  }

  async #lookOn(): Promise<void> {
    const { pollMs } = this.#options.limits
    while (!this.#stopping) {
      this.#wake = Promise.withResolvers<void>()
      try {
        await this.#look()
        this.#recovered()
      } catch (error) {
        this.#failed(error)
      }
      // Not all servers at the same moment, for ever.
      const pause = sleep(pollMs * (0.9 + Math.random() * 0.2), undefined, { ref: false })
      await Promise.race([pause, this.#wake.promise])
      if (!this.#stopping) await sleep(GATHER_MS, undefined, { ref: false })
    }
  }

  async #look(): Promise<void> {
    const { queue } = this.#options
    this.#lookMs = performance.now()
    const held = [...this.#turns.values()].map(({ id }) => id)
    if (held.length > 0) await queue.touch(held)
    const rows = await queue.rows()
    this.#confirm(rows)
    this.#makeRoom(rows)
    await this.#tidy(rows)
    await this.#take(rows)
  }

  /**
   * The rows that were touched are still this server's; others have its place in those that are
   * gone.
   */
  #confirm(rows: readonly TurnRow[]): void {
    const held = new Set(rows.flatMap(({ id, state }) => (state === 'held' ? id : [])))
    for (const turn of this.#turns.values()) {
      if (held.has(turn.id)) turn.trust(this.#trustedFrom(this.#lookMs))
      else turn.lose('others took it')
    }
    this.#sightings = new Map(
      rows.map(({ id, heardMs }) => {
        const known = this.#sightings.get(id)
        return [id, known?.heardMs === heardMs ? known : { heardMs, sinceMs: performance.now() }]
      }),
    )
  }

  #trustedFrom(heardMs: number): number {
    const { takeoverMs, pollMs } = this.#options.limits
    return heardMs + takeoverMs - pollMs
  }

  /** Closes what others should have next. */
  #makeRoom(rows: readonly TurnRow[]): void {
    const { turnMs } = this.#options.limits
    const now = performance.now()
    const open = [...this.#turns.values()].filter((turn) => turn.open)
    for (const turn of open) if (turn.task.everyMs > turnMs && turn.runs > 0) turn.close()
    const wishes = rows.filter(({ key }) => this.#isOthersWish(key))
    const fresh = wishes.filter(({ id }) => !this.#granted.has(id))
    const over = open.filter(({ sinceMs }) => now - sinceMs >= turnMs)
    if (over.length > 0) this.#granted = new Set(wishes.map(({ id }) => id))
    for (const turn of over.slice(0, shareOf(fresh.length, open.length, rows))) turn.close()
  }

  #isOthersWish(key: string): boolean {
    return key.startsWith(WISH) && key !== this.#wishKey
  }

  /**
   * Gives back what is closed, frees what the dead hold, makes rows that are missing, wishes: two
   * statements at most.
   */
  async #tidy(rows: readonly TurnRow[]): Promise<void> {
    const { queue, log } = this.#options
    const closed = this.#closedTurns()
    const dead = rows.filter((row) => this.#isDead(row))
    for (const { key } of dead)
      log.debug({ task: nameOf(key) }, 'a server is silent: its turn is free')
    if (dead.length > 0) this.#wake.resolve()
    const useless = rows.filter(
      (row) => row.state === 'ended' || this.#isTooLate(row) || this.#isOldWish(row),
    )
    const gone = new Set([...closed, ...dead, ...useless].map(({ id }) => id))
    const there = new Set(rows.flatMap(({ id, key }) => (gone.has(id) ? [] : key)))
    if (gone.size > 0) await queue.remove([...gone])
    const again = [...closed.map(nextOf), ...dead.flatMap(({ key }) => this.#firstOf(key, 0))]
    for (const { key } of again) there.add(key)
    const missing = [...this.#tasks.keys()]
      .map((name) => TASK + name)
      .filter((key) => !there.has(key))
    const added = [...again, ...missing.flatMap((key) => this.#firstOf(key)), ...this.#wishes(rows)]
    if (added.length > 0) await queue.add(added)
    for (const turn of closed) this.#forget(turn)
  }

  #closedTurns(): readonly Turn[] {
    return [...this.#turns.values()].filter(({ open, running }) => !open && running === undefined)
  }

  #isDead({ id, key, state }: TurnRow): boolean {
    if (state !== 'held' || this.#turns.get(nameOf(key))?.id === id) return false
    return this.#seenForMs(id) >= this.#options.limits.takeoverMs
  }

  #isOldWish({ id, key }: TurnRow): boolean {
    if (key === this.#wishKey) return this.#turns.size > 0
    return this.#isOthersWish(key) && this.#seenForMs(id) >= 2 * this.#options.limits.turnMs
  }

  /**
   * Milliseconds for which the row has been as it is: a time in which this process was held up
   * after it asked does not count.
   */
  #seenForMs(id: string): number {
    return this.#lookMs - (this.#sightings.get(id)?.sinceMs ?? this.#lookMs)
  }

  /** Made when the interval was longer: it may be free only in days. */
  #isTooLate({ key, state, everyMs }: TurnRow): boolean {
    const task = this.#tasks.get(nameOf(key))
    return state === 'free' && task !== undefined && everyMs > task.everyMs
  }

  /** The row of a task that has none; nothing for tasks of other servers only. */
  #firstOf(key: string, inMs?: number): readonly NewTurn[] {
    const task = this.#tasks.get(nameOf(key))
    if (task === undefined) return []
    const { everyMs, isHold = false } = task
    return [{ key, everyMs, inMs: inMs ?? (isHold ? 0 : everyMs) }]
  }

  /** A server that has nothing asks for something, once in a while. */
  #wishes(rows: readonly TurnRow[]): readonly NewTurn[] {
    const now = performance.now()
    const others = rows.some(({ key, state }) => state === 'held' && this.#tasks.has(nameOf(key)))
    if (this.#turns.size > 0 || !others || now < this.#nextWishMs) return []
    this.#nextWishMs = now + this.#options.limits.turnMs
    return [{ key: this.#wishKey, everyMs: 0, inMs: 0 }]
  }

  async #take(rows: readonly TurnRow[]): Promise<void> {
    const { queue } = this.#options
    const { keys, limit } = this.#choice(rows)
    if (limit === 0 || this.#stopping) return
    const startMs = performance.now()
    const taken = await queue.take(
      limit,
      rows.flatMap(({ key }) => (keys.has(key) ? [] : key)),
    )
    const strange = taken.filter(({ id, key }) => !this.#begin(id, nameOf(key), startMs))
    // Made between the two looks by a server that knows more tasks; it makes the row again.
    if (strange.length > 0) await queue.remove(strange.map(({ id }) => id))
  }

  /**
   * Of what is free, due or not. Those who wish part it; the others leave it to them for a while.
   */
  #choice(rows: readonly TurnRow[]): {
    readonly keys: ReadonlySet<string>
    readonly limit: number
  } {
    const others = rows.filter(({ key }) => this.#isOthersWish(key)).length
    const wishes = rows.some(({ key }) => key === this.#wishKey)
    const waitMs = others === 0 || wishes ? 0 : FIRST_GO_LOOKS * this.#options.limits.pollMs
    const free = rows.filter(
      ({ id, key, state }) =>
        state === 'free' && this.#wants(nameOf(key)) && this.#seenForMs(id) >= waitMs,
    )
    return {
      keys: new Set(free.map(({ key }) => key)),
      limit: wishes ? Math.ceil(free.length / (others + 1)) : free.length,
    }
  }

  #wants(name: string): boolean {
    return this.#tasks.has(name) && !this.#turns.has(name)
  }

  #begin(id: string, name: string, takenMs: number): boolean {
    const { log } = this.#options
    const task = this.#tasks.get(name)
    if (task === undefined || this.#turns.has(name) || this.#stopping) return false
    this.#turns.set(name, new Turn({ id, task, trustedMs: this.#trustedFrom(takenMs), log }))
    log.debug({ task: name }, 'turn taken')
    return true
  }

  async #giveBack(turns: readonly Turn[]): Promise<void> {
    if (turns.length === 0) return
    const { queue } = this.#options
    await queue.remove(turns.map(({ id }) => id))
    await queue.add(turns.map(nextOf))
  }

  #forget({ id, task }: Turn): void {
    if (this.#turns.get(task.name)?.id === id) this.#turns.delete(task.name)
  }

  #failed(error: unknown): void {
    const { log } = this.#options
    if (this.#problem === undefined)
      log.warn({ err: error }, 'the scheduler cannot reach its database')
    this.#problem = reasonOf(error)
  }

  #recovered(): void {
    if (this.#problem !== undefined)
      this.#options.log.info({}, 'the scheduler reaches its database again')
    this.#problem = undefined
  }
}

/** The row for whoever takes the turn next: the run that would have come next here. */
function nextOf({ task: { name, everyMs, isHold = false }, restMs }: Turn): NewTurn {
  return { key: TASK + name, everyMs, inMs: isHold ? 0 : restMs }
}

/**
 * The part of `open` turns of so many who wish, if the other holders have as many
 * turns as this one.
 */
function shareOf(wishes: number, open: number, rows: readonly TurnRow[]): number {
  if (wishes === 0 || open === 0) return 0
  const holders = Math.max(
    1,
    Math.round(rows.filter(({ state }) => state === 'held').length / open),
  )
  return Math.ceil((open * wishes) / (holders + wishes))
}

function nameOf(key: string): string {
  return key.startsWith(TASK) ? key.slice(TASK.length) : ''
}

/** An error of several addresses has its reasons inside. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
