// Elements of streams, made one by one as somebody takes them. Objects, not generators: a generator
// keeps what it yielded last until it has the next, and a thousand of them may wait for that.
import { scheduler } from '../../../work/scheduler.ts'
import type { UpdateRecord } from '../../../store/store.ts'

/** A reader's elements of an update, in order. */
export type Show<T> = (record: UpdateRecord) => Promise<readonly T[]> | readonly T[]

/** An iterator that can be left. */
export interface Elements<T> extends AsyncIterableIterator<T, undefined> {
  return(): Promise<IteratorResult<T, undefined>>
}

const OVER = { done: true, value: undefined } as const

/** The elements of pages of updates, which it empties. */
export class ShownPages<T> implements Elements<T> {
  readonly #pages: AsyncGenerator<UpdateRecord[]>
  readonly #show: Show<T>
  #records: UpdateRecord[] = []
  #pause = scheduler.parts()
  /** Elements of the last record; `#taken` counts the first ones. */
  #shown: readonly T[] = []
  #taken = 0

  constructor(pages: AsyncGenerator<UpdateRecord[]>, show: Show<T>) {
    this.#pages = pages
    this.#show = show
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    while (this.#taken === this.#shown.length)
      if (!(await this.#showNext()) && !(await this.#turnPage())) return OVER
    const value = this.#shown[this.#taken]
    this.#taken += 1
    if (this.#taken === this.#shown.length) this.#forget()
    return value === undefined ? OVER : { done: false, value }
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    await this.#pages.return(undefined)
    return OVER
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** False at the end of the page. */
  async #showNext(): Promise<boolean> {
    if (this.#records.length === 0) return false
    await this.#pause()
    const record = this.#records.shift()
    this.#shown = record === undefined ? [] : await this.#show(record)
    this.#taken = 0
    return true
  }

  /** False where there is no other. */
  async #turnPage(): Promise<boolean> {
    const { done, value } = await this.#pages.next()
    this.#records = done === true ? [] : value.splice(0)
    this.#pause = scheduler.parts()
    return done !== true
  }

  #forget(): void {
    this.#shown = []
    this.#taken = 0
  }
}

/** Other elements in their place; none for undefined. */
export function mapped<T, U extends object>(
  elements: Elements<T>,
  map: (element: T) => U | undefined,
): Elements<U> {
  const next = async (): Promise<IteratorResult<U, undefined>> => {
    for (;;) {
      const { done, value } = await elements.next()
      if (done === true) return OVER
      const made = map(value)
      if (made !== undefined) return { done: false, value: made }
    }
  }
  const made: Elements<U> = {
    next,
    return: async () => {
      await elements.return()
      return OVER
    },
    [Symbol.asyncIterator]: () => made,
  }
  return made
}
