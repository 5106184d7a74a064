// A bounded cache of recent answers in two generations: an answer that is not used during a whole
// generation is dropped. Almost least-recently-used, without moving an entry on every hit.

/** Values by text; the least recently asked for go first. */
export class Recent<V> {
  readonly #size: number
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  /** Holds at most `size` entries. */
  constructor(size: number) {
    this.#size = Math.max(1, Math.floor(size / 2))
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }
}
