// Modules of a package refer to each other, but in no circle. docs/ledger-rules.md, "Packages"
import type { Budget } from '../archive/message.ts'
import { BrokenRule } from '../program/malformed-definition.ts'
import type { Graph } from './references.ts'

/** Names that a refusal tells. */
const MAX_NAMES = 10

/**
 * Throws BrokenRule. `budget`: what the search may cost, a unit for each part of the graph and for
 * each reference.
 */
export function refuseCircles(graph: Graph, budget: Budget): void {
  const search = new Search(graph, budget)
  for (let module = 0; module < graph.modules.length; module += 1) search.from(module)
}

/**
 * Depth first, for groups of parts that all lead to each other; a module may be in one with entries
 * of tables alone. The path is a stack of its own, since archives come from outside.
 */
class Search {
  readonly #graph: Graph
  readonly #budget: Budget
  /** When each part was found; 0 before. */
  readonly #found: Int32Array
  readonly #isOver: Uint8Array
  #count = 0
  /** Parts from the start to where the search is, and how many references of each were followed. */
  readonly #path: number[] = []
  readonly #followed: number[] = []
  /** Parts that are found and not over. */
  readonly #open: number[] = []
  /** Of the open parts, the first of each group as far as it is known. */
  readonly #firsts: number[] = []

  constructor(graph: Graph, budget: Budget) {
    this.#graph = graph
    this.#budget = budget
    this.#found = new Int32Array(graph.size)
    this.#isOver = new Uint8Array(graph.size)
  }

  /** Searches everything that a part leads to. */
  from(start: number): void {
    if (this.#found[start] === 0) this.#enter(start)
    for (let part = this.#path.at(-1); part !== undefined; part = this.#path.at(-1)) {
      const at = this.#followed.pop() ?? 0
      this.#followed.push(at + 1)
      const next = this.#graph.target(part, at)
      this.#budget.spend()
      if (next === undefined) this.#leave(part)
      else if (next >= 0) this.#follow(next)
    }
  }

  #follow(next: number): void {
    const found = this.#found[next] ?? 0
    if (found === 0) this.#enter(next)
    else if (this.#isOver[next] === 0)
      while (this.#foundAt(this.#firsts.at(-1)) > found) this.#firsts.pop()
  }

  #foundAt(part = 0): number {
    return this.#found[part] ?? 0
  }

  #enter(part: number): void {
    this.#found[part] = this.#count += 1
    this.#path.push(part)
    this.#followed.push(0)
    this.#open.push(part)
    this.#firsts.push(part)
  }

  #leave(part: number): void {
    this.#path.pop()
    this.#followed.pop()
    if (this.#firsts.at(-1) !== part) return
    this.#firsts.pop()
    const group = this.#open.splice(this.#open.lastIndexOf(part))
    for (const each of group) this.#isOver[each] = 1
    const [module = '', ...others] = group.flatMap((each) => this.#graph.modules[each] ?? [])
    if (others.length > 0)
      throw new BrokenRule(
        { module, name: '' },
        'no cycles between modules',
        `It refers to itself by way of ${others.slice(0, MAX_NAMES).join(', ')}`,
      )
  }
}
