// Modules of a package refer to each other, but in no circle. docs/ledger-rules.md, "Packages"
import type { Budget } from '../archive/message.ts'
import { BrokenRule } from '../program/malformed-definition.ts'
import type { References } from './references.ts'

/** Names that a refusal tells. */
const MAX_NAMES = 10

/** Throws BrokenRule. `budget`: what the search may cost. */
export function refuseCircles(modules: References['modules'], budget: Budget): void {
  const left = new Map(modules)
  const next = (name: string) =>
    left
      .get(name)
      ?.values()
      .find((one) => left.has(one))
  // What refers to nothing that is left is in no circle.
  for (let before = -1; before !== left.size;) {
    before = left.size
    for (const [name, used] of left) {
      budget.spend(used.size + 1)
      if (next(name) === undefined) left.delete(name)
    }
  }
  // From any that is left, the way ends in a circle.
  const way = new Set<string>()
  let [at] = left.keys()
  for (; at !== undefined && !way.has(at); at = next(at)) way.add(at)
  if (at === undefined) return
  const circle = [...way].slice([...way].indexOf(at) + 1)
  throw new BrokenRule(
    { module: at, name: '' },
    'no cycles between modules',
    `It refers to itself by way of ${circle.slice(0, MAX_NAMES).join(', ')}`,
  )
}
