// Counts the bytes that each address uses, and chooses whose are dropped when all are in use: for
// bodies until they are decoded, and for answers until they are read.

interface Share<T> {
  bytes: number
  /** What may give way, oldest first. */
  readonly movable: Set<T>
}

/** Held by things of type T, each of one address. */
export class AddressShares<T extends { readonly address: string }> {
  readonly #shares = new Map<string, Share<T>>()
  #bytes = 0

  /** Of all addresses. */
  get bytes(): number {
    return this.#bytes
  }

  of(address: string): number {
    return this.#shares.get(address)?.bytes ?? 0
  }

  add({ address }: T, bytes: number): void {
    const share = this.#shares.get(address) ?? { bytes: 0, movable: new Set() }
    this.#shares.set(address, share)
    share.bytes += bytes
    this.#bytes += bytes
  }

  /** From now on it may give way; to be called after `add`. */
  offer(one: T): void {
    this.#shares.get(one.address)?.movable.add(one)
  }

  keep(one: T): void {
    this.#shares.get(one.address)?.movable.delete(one)
  }

  /** Takes back what was added for it. */
  give(one: T, bytes: number): void {
    const share = this.#shares.get(one.address)
    if (share === undefined) return
    share.movable.delete(one)
    share.bytes -= bytes
    this.#bytes -= bytes
    if (share.bytes === 0) this.#shares.delete(one.address)
  }

  oldest(address: string): T | undefined {
    return this.#shares.get(address)?.movable.values().next().value
  }

  /** The oldest of the address that holds most, unless nobody holds more than who asks. */
  victim(asking: string): T | undefined {
    let most: Share<T> | undefined
    let bytes = this.of(asking)
    for (const share of this.#shares.values()) {
      if (share.bytes <= bytes || share.movable.size === 0) continue
      bytes = share.bytes
      most = share
    }
    return most?.movable.values().next().value
  }
}
