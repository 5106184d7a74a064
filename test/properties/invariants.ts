// The invariants of domain/behaviour.md §17 by number: those of a snapshot, those of a step, and
// the memory that steps need.
import type { Step, Violation, World } from './world.ts'
import { SNAPSHOT_INVARIANTS } from './invariants/snapshot.ts'
import { STEP_INVARIANTS } from './invariants/step.ts'
import type { Memory } from './invariants/memory.ts'
import { MEMORY_INVARIANTS, newMemory, remember } from './invariants/memory.ts'

export { newMemory }
export type { Memory }

/** Everything that holds at any time; costs time in proportion to the world. */
export function audit(world: World, memory: Memory): readonly Violation[] {
  return SNAPSHOT_INVARIANTS.flatMap(({ number, find }) =>
    find(world, memory).map((what) => ({ invariant: number, what })),
  )
}

/** Everything that holds of a step; costs time in proportion to the step. Remembers it. */
export function judgeStep(step: Step, memory: Memory): readonly Violation[] {
  const ofStep = STEP_INVARIANTS.flatMap(({ number, find }) =>
    find(step).map((what) => ({ invariant: number, what })),
  )
  const ofMemory = MEMORY_INVARIANTS.flatMap(({ number, find }) =>
    find(step, memory).map((what) => ({ invariant: number, what })),
  )
  remember(step, memory)
  return [...ofStep, ...ofMemory]
}

/** Numbers that are checked here, for the tests' report. */
export const CHECKED: readonly number[] = [
  ...new Set(
    [...SNAPSHOT_INVARIANTS, ...STEP_INVARIANTS, ...MEMORY_INVARIANTS].map(({ number }) => number),
  ),
].toSorted((a, b) => a - b)
