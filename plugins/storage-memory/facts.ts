// Facts by kind and key, both in the order of their bytes: to forget a range of kinds costs what it
// forgets.
import { compareUtf8 } from '../../runtime/index.ts'
import { SortedList } from './sorted-list.ts'
import type { FactRecord } from '../../runtime/index.ts'

interface Kind {
  readonly bodies: Map<string, string>
  readonly keys: SortedList<string>
}

export class Facts {
  readonly #kinds = new Map<string, Kind>()
  readonly #order = newOrder()

  /** In place of the one of this kind and key. */
  put({ kind, key, body }: FactRecord): void {
    const { bodies, keys } = this.#kinds.get(kind) ?? this.#begin(kind)
    if (!bodies.has(key)) keys.insert(key)
    bodies.set(key, body)
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
