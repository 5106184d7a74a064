// Facts by kind and key, both in the order of their bytes: to forget a range of kinds costs what it
// forgets.
import { compareUtf8 } from '../../runtime/index.ts'
import { SortedList } from './sorted-list.ts'
import type { FactName, FactRecord, PrunableFact } from '../../runtime/index.ts'

interface Kind {
  readonly bodies: Map<string, string>
  readonly keys: SortedList<string>
}

export class Facts {
  readonly #kinds = new Map<string, Kind>()
  readonly #order = newOrder()
  /** With which update each fact is pruned that is. */
  readonly #prunable = new Map<string, Map<string, bigint>>()

  /** In place of the one of this kind and key. */
  put({ kind, key, body, prunedWith }: PrunableFact): void {
    const { bodies, keys } = this.#kinds.get(kind) ?? this.#begin(kind)
    if (!bodies.has(key)) keys.insert(key)
    bodies.set(key, body)
    const prunable = this.#prunable.get(kind)
    if (prunedWith === undefined) prunable?.delete(key)
    else this.#prunable.set(kind, (prunable ?? new Map<string, bigint>()).set(key, prunedWith))
  }

  /** Those that are pruned with an update up to this offset. */
  *pruned(upTo: bigint): Generator<FactName> {
    for (const [kind, prunable] of this.#prunable)
      for (const [key, offset] of prunable) if (offset <= upTo) yield { kind, key }
  }

  /** Deletes one, unless it was written again since. */
  prune({ kind, key }: FactName, upTo: bigint): void {
    const offset = this.#prunable.get(kind)?.get(key)
    if (offset === undefined || offset > upTo) return
    this.#kinds.get(kind)?.bodies.delete(key)
    this.#kinds.get(kind)?.keys.delete(key)
    this.#prunable.get(kind)?.delete(key)
  }

  get(kind: string, key: string): FactRecord | undefined {
    const body = this.#kinds.get(kind)?.bodies.get(key)
    return body === undefined ? undefined : { kind, key, body }
  }

  /** Those after a key. */
  page(kind: string, after: string, limit: number): readonly FactRecord[] {
    const keys = this.#kinds.get(kind)?.keys.upwards((key) => compareUtf8(key, after) <= 0)
    return (keys ?? Iterator.from([]))
      .take(limit)
      .toArray()
      .flatMap((key) => this.get(kind, key) ?? [])
  }

  /** All of the kinds from `from` until before `to`. */
  forget(from: string, to: string): void {
    const gone: string[] = []
    for (const kind of this.#order.upwards((one) => compareUtf8(one, from) < 0)) {
      if (compareUtf8(kind, to) >= 0) break
      gone.push(kind)
    }
    for (const kind of gone) {
      this.#kinds.delete(kind)
      this.#prunable.delete(kind)
      this.#order.delete(kind)
    }
  }

  #begin(kind: string): Kind {
    const begun = { bodies: new Map<string, string>(), keys: newOrder() }
    this.#kinds.set(kind, begun)
    this.#order.insert(kind)
    return begun
  }
}

function newOrder(): SortedList<string> {
  return new SortedList(compareUtf8, [])
}
