// One episode: a fresh system, a fresh model, a list of drafts. Memory is bounded because a run of
// any length is many episodes.
import type { Draft } from './commands.ts'
import { resolve } from './commands.ts'
import { sameAnswer, sameBalances, sameContracts, sameWorld } from './compare.ts'
import type { Memory } from './invariants.ts'
import { audit, judgeStep, newMemory } from './invariants.ts'
import type { Action } from './model/actions.ts'
import { apply } from './model/plan.ts'
import { predict } from './model/predict.ts'
import { adoptTimes, bootstrap } from './model/rounds.ts'
import type { Config, Economy } from './model/state.ts'
import { newEconomy } from './model/state.ts'
import type { System, SystemFactory } from './system.ts'
import type { Violation } from './world.ts'

export interface EpisodeOptions {
  readonly open: SystemFactory
  readonly config: Config
  readonly start: bigint
  readonly seed: number
  readonly faults: ReadonlySet<string>
  /** A full audit after so many steps, and at the end. */
  readonly auditEvery: number
}

/** What went wrong, and when. */
export interface Failure {
  /** From 0. */
  readonly step: number
  readonly action: Action | undefined
  readonly violations: readonly Violation[]
}

/**
 * How an episode went: what succeeded of each kind of command, what was refused, and the first
 * failure.
 */
export interface Outcome {
  readonly steps: number
  readonly succeeded: ReadonlyMap<string, number>
  readonly refused: ReadonlyMap<string, number>
  readonly failure: Failure | undefined
}

interface Running {
  readonly system: System
  readonly economy: Economy
  readonly memory: Memory
  readonly succeeded: Map<string, number>
  readonly refused: Map<string, number>
}

/** Plays drafts until something is violated. The system is closed in any case. */
export async function playEpisode(
  drafts: readonly Draft[],
  options: EpisodeOptions,
): Promise<Outcome> {
  const system = await options.open(options)
  try {
    const economy = newEconomy(options.config, options.start)
    bootstrap(economy)
    const running = {
      system,
      economy,
      memory: newMemory(),
      succeeded: new Map(),
      refused: new Map(),
    }
    const failure = await play(drafts, running, options)
    return {
      steps: failure?.step ?? drafts.length,
      succeeded: running.succeeded,
      refused: running.refused,
      failure,
    }
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
    const { action, violations } = await takeStep(index, draft, running)
    const isLast = index === drafts.length - 1
    const isDue = violations.length > 0 || (index + 1) % auditEvery === 0 || isLast
    const found = isDue ? [...violations, ...(await fullAudit(running, isLast))] : violations
    if (found.length > 0) return { step: index, action, violations: found }
  }
  return undefined
}

async function takeStep(
  index: number,
  draft: Draft,
  running: Running,
): Promise<{ action: Action; violations: readonly Violation[] }> {
  const { system, economy, memory } = running
  const { at, action } = resolve(economy, draft)
  const [before, rounds] = [await system.parties(), await system.rounds()]
  economy.now = at
  const plan = predict(economy, action)
  const result = await system.perform({ action, at, plan, economy })
  if (plan.ok && result.ok) apply(economy, plan.change)
  if (action.kind === 'rounds') adoptTimes(economy, await system.rounds())
  const after = await system.parties()
  count(
    result.ok ? running.succeeded : running.refused,
    result.ok ? action.kind : `${action.kind} ${result.reason}`,
  )
  const step = { index, config: economy.config, action, at, result, before, after, rounds }
  return {
    action,
    violations: [
      ...judgeStep(step, memory),
      ...sameAnswer(plan, result),
      ...sameBalances(economy, after),
    ],
  }
}

async function fullAudit(
  { system, economy, memory }: Running,
  isLast: boolean,
): Promise<readonly Violation[]> {
  const world = await system.world()
  const found = [...audit(world, memory), ...sameContracts(economy, world)]
  return isLast && found.length === 0 ? sameWorld(world, await system.replayed()) : found
}

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1)
}
