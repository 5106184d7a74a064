// One episode: a fresh system, a fresh model, a list of drafts. Memory is bounded because a run of
// any length is many episodes.
import type { Failure, Outcome } from '../drive/search.ts'
import type { Draft } from './commands.ts'
import { resolve } from './commands.ts'
import { sameAnswer, sameBalances, sameContracts } from './compare.ts'
import { openSystem } from './driver/open.ts'
import type { System, SystemOptions } from './driver/open.ts'
import type { Memory } from './invariants.ts'
import { audit, judgeStep, newMemory } from './invariants.ts'
import type { Action } from './model/actions.ts'
import { apply } from './model/plan.ts'
import { predict } from './model/predict.ts'
import { adoptTimes, bootstrap } from './model/rounds.ts'
import type { Economy } from './model/state.ts'
import { newEconomy } from './model/state.ts'
import { PROFILE, START } from './profile.ts'
import type { Violation } from './world.ts'

export interface EpisodeOptions extends Omit<SystemOptions, 'config' | 'start'> {
  /** A full audit after so many steps, and at the end. */
  readonly auditEvery: number
}

interface Running {
  readonly system: System
  readonly economy: Economy
  readonly memory: Memory
  readonly counts: Map<string, number>
  readonly trail: string[]
}

/** Plays drafts until something is violated. The system is closed in any case. */
export async function playEpisode(
  drafts: readonly Draft[],
  options: EpisodeOptions,
): Promise<Outcome> {
  const system = await openSystem({ ...options, config: PROFILE, start: START })
  try {
    const economy = newEconomy(PROFILE, START)
    bootstrap(economy)
    const running = { system, economy, memory: newMemory(), counts: new Map(), trail: [] }
    const failure = await play(drafts, running, options)
    const { counts, trail } = running
    return { steps: trail.length, counts, trail, failure }
  } finally {
    await system.close()
  }
}

async function play(
  drafts: readonly Draft[],
  running: Running,
  { auditEvery }: EpisodeOptions,
): Promise<Failure | undefined> {
  for (const [index, draft] of drafts.entries()) {
    const violations = await takeStep(index, draft, running)
    const isLast = index === drafts.length - 1
    const isDue = violations.length > 0 || (index + 1) % auditEvery === 0 || isLast
    const found = isDue ? [...violations, ...(await fullAudit(running))] : violations
    if (found.length > 0)
      return {
        step: index,
        rules: found.map(({ invariant }) => String(invariant)),
        lines: found.map(({ invariant, what }) => `invariant ${invariant}: ${what}`),
      }
  }
  return undefined
}

async function takeStep(
  index: number,
  draft: Draft,
  { system, economy, memory, counts, trail }: Running,
): Promise<readonly Violation[]> {
  const { at, action } = resolve(economy, draft)
  trail.push(textOf(action))
  const [before, rounds] = [await system.parties(), await system.rounds()]
  economy.now = at
  const plan = predict(economy, action)
  const result = await system.perform({ action, at, plan, economy })
  if (plan.ok && result.ok) apply(economy, plan.change)
  if (action.kind === 'rounds') adoptTimes(economy, await system.rounds())
  const after = await system.parties()
  const name = `${action.kind} ${result.ok ? 'done' : result.reason}`
  counts.set(name, (counts.get(name) ?? 0) + 1)
  const step = { index, config: economy.config, action, at, result, before, after, rounds }
  return [...judgeStep(step, memory), ...sameAnswer(plan, result), ...sameBalances(economy, after)]
}

async function fullAudit({ system, economy, memory }: Running): Promise<readonly Violation[]> {
  const world = await system.world()
  return [...audit(world, memory), ...sameContracts(economy, world)]
}

function textOf(action: Action): string {
  return JSON.stringify(action, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
}
