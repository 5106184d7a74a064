// Which commands of a run came through and which were refused why: a property over commands that
// never succeed proves nothing.
import { search } from './search.ts'
import { PROFILE, START } from './profile.ts'
import type { SystemFactory } from './system.ts'

export interface Coverage {
  readonly succeeded: ReadonlyMap<string, number>
  /** By command and reason. */
  readonly refused: ReadonlyMap<string, number>
}

/** Plays `steps` and counts; throws where anything is violated. */
export async function coverageOf(
  open: SystemFactory,
  seed: number,
  steps: number,
  length: number,
): Promise<Coverage> {
  const [succeeded, refused] = [new Map<string, number>(), new Map<string, number>()]
  const add = (into: Map<string, number>, from: ReadonlyMap<string, number>) => {
    for (const [key, count] of from) into.set(key, (into.get(key) ?? 0) + count)
  }
  const found = await search({
    open,
    config: PROFILE,
    start: START,
    faults: new Set(),
    seed,
    steps,
    length,
    shrinks: 0,
    auditEvery: 50,
    onEpisode: (_, outcome) => {
      add(succeeded, outcome.succeeded)
      add(refused, outcome.refused)
    },
  })
  if (found !== undefined) throw new Error(JSON.stringify(found.failure.violations))
  return { succeeded, refused }
}
