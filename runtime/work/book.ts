// The book of what callers hold of the process: bodies that are not decoded, answers and elements
// that are not read, open streams. Whoever takes more than a share is refused, waits, or gives way,
// and where everything is in use, the caller that holds most gives way first.
// docs/decisions/0051-one-book.md
import type { Kind, Limit, Limits } from './limits.ts'

/** The limit that is in the way. */
export type Full = 'caller' | 'all'

const nothing = (): void => undefined

/** One book for a server. */
export class Book {
  readonly #accounts: Readonly<Record<Kind, Account>>

  constructor({ bodies, unread, streams }: Limits) {
    this.#accounts = {
      bodies: new Account(bodies),
      unread: new Account(unread),
      streams: new Account(streams),
    }
  }

  limitOf(kind: Kind): Limit {
    return this.#accounts[kind].limit
  }

  /** Held now by all callers. */
  held(kind: Kind): number {
    return this.#accounts[kind].total
  }

  /**
   * A holding of a caller, still empty. `onDisplaced` is called when it has to give way: what it
   * counts must be let go of then.
   */
  open(caller: string, kind: Kind, onDisplaced = nothing): Holding {
    return new Holding(this.#accounts[kind], caller, onDisplaced)
  }

  /** Takes so much of a kind for a caller, for good; or says whose limit is in the way. */
  take(caller: string, kind: Kind, amount: number): Holding | Full {
    const holding = this.open(caller, kind)
    const full = holding.take(amount)
    holding.keep()
    return full ?? holding
  }
}

interface Waiting {
  readonly holding: Holding
  readonly amount: number
  resume(): void
}

/** All holdings of one kind. */
class Account {
  readonly limit: Limit
  total = 0
  readonly #amounts = new Map<string, number>()
  /**
   * Holdings by caller that may give way, that first which its client has taken nothing of for
   * longest.
   */
  readonly #movable = new Map<string, Set<Holding>>()
  /** Holdings that wait, by caller; who was served last is last. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(limit: Limit) {
    this.limit = limit
  }

  /**
   * The limit that is in the way of holding so much.
   *
   * @param isLenient where one holding alone may be larger than a limit
   */
  full({ caller, amount: had }: Holding, amount: number, isLenient: boolean): Full | undefined {
    const own = this.#of(caller)
    const isFull = (held: number, limit: number): boolean =>
      held - had + amount > limit && !(isLenient && held === had)
    if (isFull(own, this.limit.each)) return 'caller'
    return isFull(this.total, this.limit.all) ? 'all' : undefined
  }

  /**
   * Makes room and answers as `full`; where others hold too much, who holds more than the caller
   * gives way.
   */
  makeRoom(holding: Holding, amount: number, isLenient: boolean): Full | undefined {
    for (;;) {
      const full = this.full(holding, amount, isLenient)
      const victim = full === 'all' ? this.#victim(holding.caller) : undefined
      if (victim === undefined) return full
      victim.displace()
    }
  }

  /** Room for what cannot be refused any more: the caller's own older holdings give way, too. */
  forceRoom(holding: Holding, amount: number): void {
    for (;;) {
      const full = this.makeRoom(holding, amount, false)
      const [own] = full === undefined ? [] : (this.#movable.get(holding.caller) ?? [])
      if (own === undefined || own === holding) return
      own.displace()
    }
  }

  add(caller: string, more: number): void {
    const own = this.#of(caller) + more
    this.total += more
    if (own === 0) this.#amounts.delete(caller)
    else this.#amounts.set(caller, own)
    if (more < 0) this.#serve()
  }

  offer(holding: Holding): void {
    const { caller, amount } = holding
    if (amount === 0) return this.keep(holding)
    const movable = this.#movable.get(caller) ?? new Set()
    this.#movable.set(caller, movable)
    movable.delete(holding)
    movable.add(holding)
  }

  keep(holding: Holding): void {
    const movable = this.#movable.get(holding.caller)
    if (movable?.delete(holding) === true && movable.size === 0)
      this.#movable.delete(holding.caller)
  }

  /** Resolves once the holding has so much. Those of a caller are served in order. */
  wait(holding: Holding, amount: number): Promise<void> {
    return new Promise((resume) => {
      const queue = this.#waiting.get(holding.caller) ?? []
      this.#waiting.set(holding.caller, queue)
      queue.push({ holding, amount, resume })
    })
  }

  isAwaited(caller: string): boolean {
    return this.#waiting.has(caller)
  }

  leave(holding: Holding): void {
    const queue = this.#waiting.get(holding.caller) ?? []
    const at = queue.findIndex((each) => each.holding === holding)
    const [left] = at < 0 ? [] : queue.splice(at, 1)
    if (queue.length === 0) this.#waiting.delete(holding.caller)
    left?.resume()
  }

  #of(caller: string): number {
    return this.#amounts.get(caller) ?? 0
  }

  #serve(): void {
    // Who is served stands last then, and is looked at again.
    for (const [caller, queue] of this.#waiting) {
      const [first] = queue
      if (first === undefined) continue
      if (this.full(first.holding, first.amount, true) !== undefined) continue
      queue.shift()
      this.#waiting.delete(caller)
      if (queue.length > 0) this.#waiting.set(caller, queue)
      first.holding.hold(first.amount)
      first.resume()
    }
  }

  /** A holding of the caller that holds most, unless nobody holds more than who asks. */
  #victim(asking: string): Holding | undefined {
    let most = this.#of(asking)
    let victim: Holding | undefined
    for (const [caller, [first]] of this.#movable) {
      const amount = this.#of(caller)
      if (amount <= most || first === undefined) continue
      most = amount
      victim = first
    }
    return victim
  }
}

/** The amount that one body, answer or stream holds. */
export class Holding {
  readonly caller: string
  amount = 0
  readonly #account: Account
  readonly #onDisplaced: () => void
  #isClosed = false

  constructor(account: Account, caller: string, onDisplaced: () => void) {
    this.#account = account
    this.caller = caller
    this.#onDisplaced = onDisplaced
  }

  /** Takes so much more, unless a limit is in the way; may have to give way from then on. */
  take(more: number): Full | undefined {
    const full = this.#account.makeRoom(this, this.amount + more, false)
    if (full === undefined) {
      this.hold(this.amount + more)
      this.#account.offer(this)
    }
    return full
  }

  /** Holds so much before it is there; does not give way. One alone may be larger than a limit. */
  reserve(amount: number): Full | undefined {
    const full = this.#account.makeRoom(this, amount, true)
    if (full === undefined) this.hold(amount)
    return full
  }

  /** Holds so much whatever the limits say: others give way. May have to give way itself then. */
  force(amount: number): void {
    if (this.#isClosed) return
    this.#account.forceRoom(this, amount)
    this.hold(amount)
    this.#account.offer(this)
  }

  /**
   * Holds so much in place of what it had, where there is room and none of its caller waits; else
   * gives that back and resolves when it has it, or is closed. Nobody gives way for it.
   */
  wait(amount: number): Promise<void> | undefined {
    if (this.#isClosed) return undefined
    const isMore = amount > this.amount
    if (isMore && this.#account.isAwaited(this.caller)) return this.#waitFor(amount)
    if (isMore && this.#account.full(this, amount, true) !== undefined) return this.#waitFor(amount)
    this.hold(amount)
    this.#account.offer(this)
    return undefined
  }

  /** Its client has taken something: others give way before it. */
  moved(): void {
    this.#account.offer(this)
  }

  /** Does not give way any more. */
  keep(): void {
    this.#account.keep(this)
  }

  /** Gives everything back, for good; may be called again. */
  close(): void {
    this.#isClosed = true
    this.#account.leave(this)
    this.#account.keep(this)
    this.hold(0)
  }

  /** @internal */
  hold(amount: number): void {
    const more = amount - this.amount
    this.amount = amount
    if (more !== 0) this.#account.add(this.caller, more)
  }

  /** @internal */
  displace(): void {
    this.close()
    this.#onDisplaced()
  }

  async #waitFor(amount: number): Promise<void> {
    const waited = this.#account.wait(this, amount)
    this.#account.keep(this)
    this.hold(0)
    await waited
    if (!this.#isClosed) this.#account.offer(this)
  }
}
