// Counts the memory of request bodies until they are decoded, by address: no address can fill it,
// and when all of it is in use, the address that uses most loses a body.
import { AddressShares } from './address-shares.ts'
import { networkOf } from './network-of.ts'

export interface HeldLimits {
  /** Of all unfinished bodies together, bytes. */
  readonly maxHeldBodyBytes: number
  /** Of those from one address. */
  readonly maxHeldBodyBytesPerAddress: number
}

/** Whose limit does not admit more bytes. */
export type Overfull = 'address' | 'server'

/** The bodies of one server. */
export class HeldBytes {
  readonly limits: HeldLimits
  readonly #shares = new AddressShares<Hold>()

  constructor(limits: HeldLimits) {
    this.limits = limits
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#shares.bytes
  }

  /**
   * A body that begins. `onDisplaced` is called when it has to give way to another; it must be
   * closed then.
   */
  open(remoteAddress: string, onDisplaced: () => void): Hold {
    return new Hold(this, networkOf(remoteAddress), onDisplaced)
  }

  /** @internal */
  take(hold: Hold, bytes: number): Overfull | undefined {
    const { maxHeldBodyBytes, maxHeldBodyBytesPerAddress } = this.limits
    if (this.#shares.of(hold.address) + bytes > maxHeldBodyBytesPerAddress) return 'address'
    if (bytes > maxHeldBodyBytes) return 'server'
    while (this.#shares.bytes + bytes > maxHeldBodyBytes) {
      const victim = this.#shares.victim(hold.address)
      if (victim === undefined) return 'server'
      victim.displace()
    }
    this.#shares.add(hold, bytes)
    this.#shares.offer(hold)
    return undefined
  }

  /** @internal */
  arrived(hold: Hold): void {
    this.#shares.keep(hold)
  }

  /** @internal */
  give(hold: Hold, bytes: number): void {
    this.#shares.give(hold, bytes)
  }
}

/** What one body holds. */
export class Hold {
  readonly address: string
  readonly #all: HeldBytes
  readonly #onDisplaced: () => void
  #bytes = 0

  constructor(all: HeldBytes, address: string, onDisplaced: () => void) {
    this.#all = all
    this.address = address
    this.#onDisplaced = onDisplaced
  }

  /** Adds bytes, unless a limit is in the way. */
  take(bytes: number): Overfull | undefined {
    const refused = this.#all.take(this, bytes)
    if (refused === undefined) this.#bytes += bytes
    return refused
  }

  /** The whole body is there: it does not give way any more. */
  arrived(): void {
    this.#all.arrived(this)
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
