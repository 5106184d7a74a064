// What is known of names, of which anybody may make any number: the one that was noted longest ago
// is forgotten first.

/** Names that are remembered at most. */
const MOST = 10_000

export class Remembered<V> {
  readonly #values = new Map<string, V>()

  get(name: string): V | undefined {
    return this.#values.get(name)
  }

  /** Notes it as the newest. */
  set(name: string, value: V): void {
    this.#values.delete(name)
    const [oldest] = this.#values.size >= MOST ? this.#values.keys() : []
    if (oldest !== undefined) this.#values.delete(oldest)
    this.#values.set(name, value)
  }

  delete(name: string): void {
    this.#values.delete(name)
  }
}
