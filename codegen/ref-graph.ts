// What names reach by their references, worked out once for all: names that reach each other are
// one group, so that a document in which everything leads to everything costs no more than one in
// which nothing does.

interface RefGraph {
  /** Names that reach each other, each group after all that it leads to. */
  readonly groups: readonly (readonly string[])[]
  /** Index of a name's group; undefined for a name that nobody defines. */
  groupOf(name: string): number | undefined
  /** True when the members of a group reach themselves. */
  isCircle(group: number): boolean
  /** A value for each group, from its members and the values of the groups that it leads to. */
  fold<T>(combine: (members: readonly string[], below: readonly T[]) => T): readonly T[]
}

type References = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The graph of direct references by name. References to names without an entry count for nothing.
 */
export function refGraph(direct: References): RefGraph {
  const groups = new Search(direct).run()
  const indexes = new Map(
    groups.flatMap((members, index) => members.map((name): [string, number] => [name, index])),
  )
  const leadsTo = (members: readonly string[], index: number): readonly number[] => {
    const found = members
      .flatMap((name) => [...(direct.get(name) ?? [])])
      .flatMap((name) => indexes.get(name) ?? [])
    return [...new Set(found)].filter((group) => group !== index)
  }
  const below = groups.map(leadsTo)
  const isCircle = (group: number): boolean => {
    const members = groups[group] ?? []
    return members.length > 1 || members.some((name) => direct.get(name)?.has(name) === true)
  }
  return {
    groups,
    groupOf: (name) => indexes.get(name),
    isCircle,
    fold: <T>(combine: (members: readonly string[], below: readonly T[]) => T) => {
      const done: T[] = []
      for (const [index, members] of groups.entries()) {
        done.push(
          combine(
            members,
            (below[index] ?? []).flatMap((group) => done.slice(group, group + 1)),
          ),
        )
      }
      return done
    },
  }
}

interface Visit {
  readonly name: string
  readonly next: Iterator<string, undefined>
}

/** Tarjan's algorithm with a stack of its own: documents nest deeper than calls may. */
class Search {
  readonly #direct: References
  readonly #order = new Map<string, number>()
  readonly #low = new Map<string, number>()
  readonly #open: string[] = []
  readonly #isOpen = new Set<string>()
  readonly #visits: Visit[] = []
  readonly #groups: (readonly string[])[] = []

  constructor(direct: References) {
    this.#direct = direct
  }

  run(): readonly (readonly string[])[] {
    for (const start of this.#direct.keys()) {
      if (this.#order.has(start)) continue
      this.#enter(start)
      for (let visit = this.#visits.at(-1); visit !== undefined; visit = this.#visits.at(-1))
        this.#step(visit)
    }
    return this.#groups
  }

  #step({ name, next }: Visit): void {
    const { value: to } = next.next()
    if (to === undefined) this.#leave(name)
    else if (!this.#order.has(to)) this.#enter(to)
    else if (this.#isOpen.has(to)) this.#lower(name, this.#order.get(to))
  }

  #enter(name: string): void {
    const references = this.#direct.get(name)
    if (references === undefined) return
    this.#visits.push({ name, next: references.values() })
    this.#low.set(name, this.#order.size)
    this.#order.set(name, this.#order.size)
    this.#open.push(name)
    this.#isOpen.add(name)
  }

  #leave(name: string): void {
    this.#visits.pop()
    const own = this.#low.get(name)
    this.#lower(this.#visits.at(-1)?.name ?? name, own)
    if (own !== this.#order.get(name)) return
    const members = this.#open.splice(this.#open.lastIndexOf(name))
    for (const member of members) this.#isOpen.delete(member)
    this.#groups.push(members)
  }

  #lower(name: string, by = 0): void {
    this.#low.set(name, Math.min(this.#low.get(name) ?? by, by))
  }
}
