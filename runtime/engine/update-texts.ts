// The texts of an update, each written once: parties, templates and contracts come back in almost
// every event, and refer to their place in a list. docs/decisions/0023-a-transfer.md

/** Gathers texts while an update is written. */
export class TextTable {
  readonly #places = new Map<string, number>()
  /** Repetitions of a text, by place. */
  readonly #repeats: number[] = []
  #repeatedLength = 0

  /** The places of texts, in their order; that of a new text is the last one. */
  places(texts: readonly string[]): readonly number[] {
    const places: number[] = []
    for (const text of texts) {
      const known = this.#places.get(text)
      const place = known ?? this.#repeats.push(0) - 1
      if (known === undefined) this.#places.set(text, place)
      else {
        this.#repeats[known] = (this.#repeats[known] ?? 0) + 1
        this.#repeatedLength += text.length
      }
      places.push(place)
    }
    return places
  }

  /** Characters of repeated texts that the table saves. */
  get repeatedLength(): number {
    return this.#repeatedLength
  }

  /** The same in bytes, which are counted now. */
  repeatedBytes(): number {
    let bytes = 0
    for (const [text, place] of this.#places) {
      const repeats = this.#repeats[place] ?? 0
      if (repeats > 0) bytes += repeats * Buffer.byteLength(text)
    }
    return bytes
  }

  /** The texts in the order of their places, as a JSON list. */
  json(): string {
    return JSON.stringify([...this.#places.keys()])
  }
}

/** Reads texts by their places. Throws where there is none. */
export function textReader(texts: readonly string[]): (place: number) => string {
  return (place) => {
    const text = texts[place]
    if (text === undefined) throw new RangeError(`An update has no text ${place}`)
    return text
  }
}
