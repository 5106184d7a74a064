// Faults to plant in the product, each of which the model must find within the CI size.
import type { Edit } from './edit.ts'
import { ACROSS_NODES } from './across-nodes.ts'
import { KEEPING } from './kept.ts'
import { SEEN } from './seen.ts'
import { RULED_OUT } from './ruled-out.ts'

export interface Fault {
  readonly id: string
  readonly what: string
  readonly edits: readonly Edit[]
  /** Where it shows; in memory when absent. `late` is for races. */
  readonly store?: 'late'
  /** One that finds it early, where the usual one takes hundreds of operations. */
  readonly seed?: number
  /** How many it takes; one when absent. */
  readonly nodes?: number
  /** The adversary of replay/ finds it, not the model of authority. */
  readonly replay?: boolean
}

/** What was seen, and what docs/authority.md rules out besides. */
export const FAULTS: readonly Fault[] = [...SEEN, ...RULED_OUT, ...ACROSS_NODES, ...KEEPING]

/** The most nodes that one of them takes. */
export function nodesOf(faults: readonly Fault[]): number {
  return Math.max(...faults.map(({ nodes = 1 }) => nodes))
}

/** The fault of that id. Throws for an unknown one. */
export function faultOf(id: string): Fault {
  const found = FAULTS.find((fault) => fault.id === id)
  if (found === undefined) throw new RangeError(`there is no fault ${id}`)
  return found
}
