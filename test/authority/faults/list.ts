// Faults to plant in the product, each of which the model must find within the CI size.
import type { Edit } from '../../support/source-edit.ts'
import { ACROSS_NODES } from './across-nodes.ts'
import { SEEN } from './seen.ts'
import { RULED_OUT } from './ruled-out.ts'

export interface Fault {
  readonly id: string
  readonly what: string
  readonly edits: readonly Edit[]
  /** The store on which it shows; memory when absent. `late` is for races. */
  readonly store?: 'late'
  /** One whose search finds it early. */
  readonly seed?: number
  /** Drafts that find it, from hunt.ts. */
  readonly recipe?: readonly number[]
  /** The number of nodes that it takes; one when absent. */
  readonly nodes?: number
  /** The adversary of replay/ finds it, not the model of authority. */
  readonly replay?: boolean
}

/** Faults for the model: those that were seen, and what docs/authority.md rules out besides. */
export const FAULTS: readonly Fault[] = [...SEEN, ...RULED_OUT, ...ACROSS_NODES]
