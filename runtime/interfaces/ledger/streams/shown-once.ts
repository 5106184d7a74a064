// Renders each update once for all streams of one format: a commit wakes all of them, and to
// select, encode and drop the same element a hundred times would delay everybody.
import type { UpdateRecord } from '../../../store/store.ts'

/** Then whoever was woken has seen it, milliseconds. */
const KEPT_MS = 1_000
/** Bodies of the updates that are remembered, characters. */
const MAX_LENGTH = 1_048_576
/** Formats that are remembered of an update, those asked for last. */
const MAX_FORMATS = 4

type Formats<T> = Map<string, Promise<readonly T[]>>

/** Shown elements of one kind. */
export class ShownOnce<T> {
  /** Oldest first. */
  readonly #shown = new Map<UpdateRecord, Formats<T>>()
  #length = 0
  #timer: NodeJS.Timeout | undefined

  /** The elements of an update in a format, as `show` makes them for whoever asks first. */
  of(
    record: UpdateRecord,
    format: string,
    show: () => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const formats = this.#shown.get(record) ?? this.#remember(record)
    const known = formats.get(format)
    if (known !== undefined) return known
    const [oldest] = formats.size >= MAX_FORMATS ? formats.keys() : []
    if (oldest !== undefined) formats.delete(oldest)
    const shown = show()
    formats.set(format, shown)
    // Whoever asks next tries again.
    shown.catch(() => formats.delete(format))
    return shown
  }

  #remember(record: UpdateRecord): Formats<T> {
    const formats: Formats<T> = new Map()
    this.#shown.set(record, formats)
    this.#length += record.body.length
    for (const [oldest] of this.#shown) {
      if (this.#length <= MAX_LENGTH) break
      this.#shown.delete(oldest)
      this.#length -= oldest.body.length
    }
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref()
    return formats
  }

  #forget(): void {
    this.#timer = undefined
    this.#shown.clear()
    this.#length = 0
  }
}
