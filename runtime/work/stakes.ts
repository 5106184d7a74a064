// Which of those that wait change or use a contract: nothing goes before one that it depends on.

/** In order of arrival. */
interface Waiting {
  readonly order: number
  /** Contracts that it makes or archives. */
  readonly changes: readonly string[]
  /** Those that it looks at. */
  readonly uses: readonly string[]
}

/** Those that wait with a contract at stake, in order. */
type Index = Map<string, Set<Waiting>>

export class Stakes {
  readonly #changing: Index = new Map()
  readonly #using: Index = new Map()

  add(waiting: Waiting): void {
    for (const id of waiting.changes) note(this.#changing, id, waiting)
    for (const id of waiting.uses) note(this.#using, id, waiting)
  }

  remove(waiting: Waiting): void {
    for (const id of waiting.changes) forget(this.#changing, id, waiting)
    for (const id of waiting.uses) forget(this.#using, id, waiting)
  }

  /** Whether one that came earlier has to go first. */
  isBehind({ order, changes, uses }: Waiting): boolean {
    const isFirst = (index: Index, id: string): boolean => {
      const [first] = index.get(id) ?? []
      return first === undefined || first.order >= order
    }
    return !(
      changes.every((id) => isFirst(this.#changing, id) && isFirst(this.#using, id)) &&
      uses.every((id) => isFirst(this.#changing, id))
    )
  }
}

function note(index: Index, id: string, waiting: Waiting): void {
  const known = index.get(id)
  if (known === undefined) index.set(id, new Set([waiting]))
  else known.add(waiting)
}

function forget(index: Index, id: string, waiting: Waiting): void {
  const known = index.get(id)
  known?.delete(waiting)
  if (known?.size === 0) index.delete(id)
}
