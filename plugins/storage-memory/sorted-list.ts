// A list that stays sorted while single items come and go. It is kept in short pieces, so that a
// change moves few items however long the list is.

const PIECE_LENGTH = 512

/** Sorted by `compare`, which must tell all items apart. */
export class SortedList<T extends object | string> {
  readonly #compare: (a: T, b: T) => number
  /** None is empty. */
  readonly #pieces: T[][] = []

  constructor(compare: (a: T, b: T) => number, items: readonly T[]) {
    this.#compare = compare
    const sorted = items.toSorted(compare)
    for (let start = 0; start < sorted.length; start += PIECE_LENGTH) {
      this.#pieces.push(sorted.slice(start, start + PIECE_LENGTH))
    }
  }

  insert(item: T): void {
    const [number, index] = this.#find((other) => this.#compare(other, item) < 0)
    const piece = this.#pieces[number] ?? this.#pieces.at(-1)
    if (piece === undefined) {
      this.#pieces.push([item])
      return
    }
    piece.splice(number < this.#pieces.length ? index : piece.length, 0, item)
    if (piece.length <= PIECE_LENGTH) return
    const at = Math.min(number, this.#pieces.length - 1)
    this.#pieces.splice(at + 1, 0, piece.splice(PIECE_LENGTH / 2))
  }

  /** Without effect where it is not in the list. */
  delete(item: T): void {
    const [number, index] = this.#find((other) => this.#compare(other, item) < 0)
    const piece = this.#pieces[number]
    const found = piece?.[index]
    if (piece === undefined || found === undefined || this.#compare(found, item) !== 0) return
    piece.splice(index, 1)
    if (piece.length === 0) this.#pieces.splice(number, 1)
  }

  /**
   * In order, from the first item that is not before; `isBefore` holds for a first part of the list
   * only.
   */
  *upwards(isBefore: (item: T) => boolean): Generator<T> {
    const [number, index] = this.#find(isBefore)
    for (let at = number; at < this.#pieces.length; at += 1) {
      yield* this.#pieces[at]?.slice(at === number ? index : 0) ?? []
    }
  }

  /** Against the order, from the last item that is before. */
  *downwards(isBefore: (item: T) => boolean): Generator<T> {
    const [number, index] = this.#find(isBefore)
    for (let at = number; at >= 0; at -= 1) {
      yield* this.#pieces[at]?.slice(0, at === number ? index : PIECE_LENGTH).reverse() ?? []
    }
  }

  /** Piece and place in it of the first item that is not before. */
  #find(isBefore: (item: T) => boolean): readonly [number, number] {
    const number = countFirst(this.#pieces, (piece) => {
      const last = piece.at(-1)
      return last !== undefined && isBefore(last)
    })
    return [number, countFirst(this.#pieces[number] ?? [], isBefore)]
  }
}

/**
 * How many items come first for which `holds`; it must hold for no later one. Takes log2 of the
 * length steps.
 */
export function countFirst<T extends object | string | bigint>(
  items: readonly T[],
  holds: (item: T) => boolean,
): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) low = middle + 1
    else high = middle
  }
  return low
}
