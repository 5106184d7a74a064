// The elements of a mock server. It keeps only the newest, because any caller can create any
// number. docs/mock.md

/** An element as the document describes it. */
export type Element = Readonly<Record<string, unknown>>

const MOST_ELEMENTS = 10_000

interface Collection {
  readonly elements: Map<string, Element | undefined>
  made: number
}

/** Elements by the path of their collection, parameters filled in, and by id. */
export class Elements {
  readonly #collections = new Map<string, Collection>()
  readonly #oldestFirst: { readonly collection: string; readonly id: string }[] = []

  /** Undefined is what has been removed. */
  of(collection: string): Map<string, Element | undefined> {
    return this.#collections.get(collection)?.elements ?? new Map()
  }

  /**
   * How many have been added, those that are forgotten among them: draws that follow it differ. A
   * collection of which all is forgotten begins again.
   */
  madeIn(collection: string): number {
    return this.#collections.get(collection)?.made ?? 0
  }

  /** The oldest is forgotten where there are too many. */
  add(collection: string, id: string, element: Element): void {
    const known = this.#collections.get(collection) ?? { elements: new Map(), made: 0 }
    this.#collections.set(collection, known)
    known.elements.set(id, element)
    known.made += 1
    this.#oldestFirst.push({ collection, id })
    if (this.#oldestFirst.length > MOST_ELEMENTS) this.#forget(this.#oldestFirst.shift())
  }

  #forget(oldest: { readonly collection: string; readonly id: string } | undefined): void {
    if (oldest === undefined) return
    const elements = this.of(oldest.collection)
    elements.delete(oldest.id)
    if (elements.size === 0) this.#collections.delete(oldest.collection)
  }
}
