// The invariants, by the numbers that reports give them: those of a snapshot, of a step, and of a
// step and all before it.
import type { Step, Violation, World } from './world.ts'
import { SNAPSHOT_INVARIANTS } from './invariants/snapshot.ts'
import { STEP_INVARIANTS } from './invariants/step.ts'
import type { Memory } from './invariants/memory.ts'
import { MEMORY_INVARIANTS, newMemory, remember } from './invariants/memory.ts'

export { newMemory }
export type { Memory }

/** Everything that holds at any time; costs time in proportion to the world. */
export function audit(world: World, memory: Memory): readonly Violation[] {
  return SNAPSHOT_INVARIANTS.flatMap(([invariant, find]) =>
    find(world, memory).map((what) => ({ invariant, what })),
  )
}

/** Everything that holds of a step; costs time in proportion to the step. Remembers it. */
export function judgeStep(step: Step, memory: Memory): readonly Violation[] {
  const found = [...STEP_INVARIANTS, ...MEMORY_INVARIANTS].flatMap(([invariant, find]) =>
    find(step, memory).map((what) => ({ invariant, what })),
  )
  remember(step, memory)
  return found
}
