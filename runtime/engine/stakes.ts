// Which of those that wait change or use a contract. They may wait for long, and every batch has to
// know: so what each has at stake is noted once.

export class Stakes<W> {
  /** By contract. */
  readonly #changing = new Map<string, Set<W>>()
  readonly #using = new Map<string, Set<W>>()

  /** @param changed contracts that it makes or archives, @param used those that it looks at */
  add(waiting: W, changed: readonly string[], used: readonly string[]): void {
    for (const id of changed) note(this.#changing, id, waiting)
    for (const id of used) note(this.#using, id, waiting)
  }

  /** To be given the same contracts. */
  remove(waiting: W, changed: readonly string[], used: readonly string[]): void {
    for (const id of changed) forget(this.#changing, id, waiting)
    for (const id of used) forget(this.#using, id, waiting)
  }

  /** Whether what changes and uses these contracts has to stay behind one of `before`. */
  areIn(before: ReadonlySet<W>, changed: readonly string[], used: readonly string[]): boolean {
    const isOf = (waiting: ReadonlySet<W> | undefined): boolean =>
      waiting !== undefined && !waiting.isDisjointFrom(before)
    return (
      [...changed, ...used].some((id) => isOf(this.#changing.get(id))) ||
      changed.some((id) => isOf(this.#using.get(id)))
    )
  }
}

function note<W>(index: Map<string, Set<W>>, id: string, waiting: W): void {
  const known = index.get(id)
  if (known === undefined) index.set(id, new Set([waiting]))
  else known.add(waiting)
}

function forget<W>(index: Map<string, Set<W>>, id: string, waiting: W): void {
  const known = index.get(id)
  known?.delete(waiting)
  if (known?.size === 0) index.delete(id)
}
