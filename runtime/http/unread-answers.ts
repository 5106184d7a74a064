// Counts the memory of answers that clients have not read yet, by address: a client that requests
// much and reads nothing fills only its share, and is cut off first when all of it is in use.
import { AddressShares } from './address-shares.ts'
import { networkOf } from './network-of.ts'
import type { WireOperation } from './wire.ts'

export interface UnreadLimits {
  /** Of all answers that are not read yet, bytes. */
  readonly maxUnreadBytes: number
  /** Of those to one address; a single answer may be larger. */
  readonly maxUnreadBytesPerAddress: number
  /** How long a client may read nothing of an answer, milliseconds; 0 is for ever. */
  readonly slowReaderMs: number
}

/** What is not larger counts as nothing, bytes. */
export const SMALL_ANSWER_BYTES = 16_384

/** The answers of one server. */
export class UnreadAnswers {
  readonly limits: UnreadLimits
  readonly #shares = new AddressShares<UnreadAnswer>()
  readonly #sizes = new Map<WireOperation, number>()

  constructor(limits: UnreadLimits) {
    this.limits = limits
  }

  /**
   * How large the last answer of an operation was, bytes, half as much after each small one; 0
   * where that is small.
   */
  expected(operation: WireOperation): number {
    return this.#sizes.get(operation) ?? 0
  }

  learn(operation: WireOperation, bytes: number): void {
    const size = Math.max(bytes, this.expected(operation) / 2)
    if (size > SMALL_ANSWER_BYTES) this.#sizes.set(operation, size)
    else this.#sizes.delete(operation)
  }

  /**
   * An answer to come. `onDisplaced` is called when it has to give way to another; its connection
   * must be cut then.
   */
  open(remoteAddress: string, onDisplaced: () => void): UnreadAnswer {
    return new UnreadAnswer(this, networkOf(remoteAddress), onDisplaced)
  }

  /** @internal Nothing is held where a limit is in the way: it says whose. */
  reserve(answer: UnreadAnswer, bytes: number): 'address' | 'all' | undefined {
    const { maxUnreadBytes, maxUnreadBytesPerAddress } = this.limits
    const own = this.#shares.of(answer.address)
    if (own > 0 && own + bytes > maxUnreadBytesPerAddress) return 'address'
    while (this.#shares.bytes > 0 && this.#shares.bytes + bytes > maxUnreadBytes) {
      const victim = this.#shares.victim(answer.address)
      if (victim === undefined) return 'all'
      victim.displace()
    }
    this.#shares.add(answer, bytes)
    return undefined
  }

  /** @internal */
  send(answer: UnreadAnswer, from: number, to: number): void {
    const { maxUnreadBytes, maxUnreadBytesPerAddress } = this.limits
    const { address } = answer
    const more = to - from
    for (let own; this.#shares.of(address) + more > maxUnreadBytesPerAddress; own.displace()) {
      own = this.#shares.oldest(address)
      if (own === undefined) break
    }
    for (let victim; this.#shares.bytes + more > maxUnreadBytes; victim.displace()) {
      victim = this.#shares.victim(address) ?? this.#shares.oldest(address)
      if (victim === undefined) break
    }
    this.#shares.add(answer, more)
    this.#shares.offer(answer)
  }

  /** @internal */
  give(answer: UnreadAnswer, bytes: number): void {
    this.#shares.give(answer, bytes)
  }
}

/** What one answer holds, from before it is made until it is read. */
export class UnreadAnswer {
  readonly address: string
  readonly #all: UnreadAnswers
  readonly #onDisplaced: () => void
  #bytes = 0

  constructor(all: UnreadAnswers, address: string, onDisplaced: () => void) {
    this.#all = all
    this.address = address
    this.#onDisplaced = onDisplaced
  }

  /**
   * Holds so many bytes for an answer that is still to be made, unless the limit of its address or
   * of all is in the way.
   */
  reserve(bytes: number): 'address' | 'all' | undefined {
    const full = this.#all.reserve(this, bytes)
    if (full === undefined) this.#bytes = bytes
    return full
  }

  /**
   * Holds what the answer has, and may have to give way from now on. What it tells has been done,
   * so it is not refused any more: older answers give way, those of its own address first.
   */
  send(bytes: number): void {
    this.#all.send(this, this.#bytes, bytes)
    this.#bytes = bytes
  }

  /** Gives everything back; may be called again. */
  close(): void {
    if (this.#bytes > 0) this.#all.give(this, this.#bytes)
    this.#bytes = 0
  }

  /** @internal */
  displace(): void {
    this.close()
    this.#onDisplaced()
  }
}
