// One episode: a fresh node, its people, and operations drawn one after the other. After each, what
// was answered, what is stored, what happened on the ledger and what people can really do is
// compared with the model.
import { diceOf } from './draw/dice.ts'
import { draw, drawRace } from './draw/draw.ts'
import { shuffled } from './draw/plots.ts'
import type { Plot } from './draw/plots.ts'
import type { Turn } from './draw/turns.ts'
import { FOCUS_SHARE } from './draw/scene.ts'
import type { Focus, Scene } from './draw/scene.ts'
import { checkUser } from './driver/observe.ts'
import type { Violation } from './driver/observe.ts'
import { probe, probeUser } from './driver/probes.ts'
import type { Stage, StageOptions } from './driver/stage.ts'
import { openStage } from './driver/stage.ts'
import { restarted } from './model/judge-start.ts'
import type { Answer, Op } from './model/ops.ts'
import { takeRace, takeStep } from './step.ts'
import type { Taken } from './step.ts'

export interface EpisodeOptions extends StageOptions {
  /** One number an operation. */
  readonly drafts: readonly number[]
  /** Everybody is tried for everything after so many steps, and at the end. */
  readonly matrixEvery: number
  /** Data outlives the process: the node starts again now and then. */
  readonly isDurable: boolean
}

/** What was done at a step. */
export type Deeds = readonly Op[] | 'restart'

export interface Failure {
  /** From 0. */
  readonly step: number
  readonly deeds: Deeds
  readonly answers: readonly Answer[]
  readonly violations: readonly Violation[]
}

export interface Outcome {
  readonly steps: number
  /** `register done`, `register refused`: how often. */
  readonly counts: ReadonlyMap<string, number>
  readonly failure: Failure | undefined
  /** What was done so far. */
  readonly trail: readonly Deeds[]
}

const RACES = 0.03
/** How often a plot begins where none is going on. */
const PLOTS = 0.6
const RESTARTS = 0.03

interface Running {
  readonly stage: Stage
  focus: Focus
  /** What is tried next, and the plots after that. */
  plan: readonly Turn[]
  plots: readonly Plot[]
}

/** Plays the drafts until something is violated. */
export async function playEpisode({
  drafts,
  matrixEvery,
  isDurable,
  ...options
}: EpisodeOptions): Promise<Outcome> {
  const stage = await openStage(options)
  const running: Running = {
    stage,
    focus: { user: '', party: '', share: FOCUS_SHARE },
    plan: [],
    plots: [],
  }
  const counts = new Map<string, number>()
  const trail: Deeds[] = []
  try {
    for (const [step, draft] of drafts.entries()) {
      const { deeds, taken } = await play(running, draft, isDurable)
      trail.push(deeds)
      countAll(counts, deeds, taken)
      const isDue =
        taken.violations.length === 0 &&
        ((step + 1) % matrixEvery === 0 || step === drafts.length - 1)
      const violations = isDue ? await matrix(stage) : taken.violations
      if (violations.length > 0) {
        return {
          steps: step + 1,
          counts,
          trail,
          failure: { step, deeds, answers: taken.answers, violations },
        }
      }
    }
    return { steps: drafts.length, counts, trail, failure: undefined }
  } finally {
    await stage.close()
  }
}

async function play(
  running: Running,
  draft: number,
  isDurable: boolean,
): Promise<{ readonly deeds: Deeds; readonly taken: Taken }> {
  const { stage, focus } = running
  const dice = diceOf(draft)
  const scene: Scene = { world: stage.world, dice, coins: stage.feed.coins, focus }
  const turn = dice.weighted([
    [RACES, 'race'],
    [isDurable ? RESTARTS : 0, 'restart'],
    [1 - RACES - RESTARTS, 'one'],
  ])
  if (turn === 'restart') return { deeds: 'restart', taken: await restart(running) }
  if (turn === 'race') {
    const ops = drawRace(scene)
    return { deeds: ops, taken: await keepFocus(running, takeRace(stage, ops, dice)) }
  }
  const deeds = next(running, scene)
  const [one, other] = deeds
  if (one === undefined) throw new RangeError('nothing was drawn')
  const taking =
    other === undefined ? takeStep(stage, one, dice) : takeRace(stage, [one, other], dice)
  return { deeds, taken: await keepFocus(running, taking) }
}

/** The next turn of a plot, or something else. */
function next(running: Running, scene: Scene): readonly Op[] {
  if (running.plan.length === 0 && scene.dice.chance(PLOTS)) {
    const [plot, ...later] = running.plots.length > 0 ? running.plots : shuffled(scene.dice)
    running.plan = plot?.(scene) ?? []
    running.plots = later
  }
  const [turn, ...rest] = running.plan
  running.plan = rest
  const drawn = turn === undefined ? draw(scene) : turn(scene)
  return 'op' in drawn ? [drawn] : drawn
}

/** What cannot go on is a finding, too. */
async function keepFocus(running: Running, taking: Promise<Taken>): Promise<Taken> {
  const taken = await taking.catch((error: unknown): Taken => ({
    answers: [],
    violations: [{ rule: 'the node goes on', detail: String(error) }],
    focus: running.focus,
  }))
  const { user, party, share } = taken.focus
  running.focus = { user: user || running.focus.user, party: party || running.focus.party, share }
  return taken
}

/** R8 */
async function restart({ stage, focus }: Running): Promise<Taken> {
  const isStarting = restarted(stage.world)
  if (isStarting) await stage.restart()
  return {
    answers: [],
    violations: isStarting ? await checkUser(stage, stage.world.setting.operator) : [],
    focus,
  }
}

function countAll(counts: Map<string, number>, deeds: Deeds, { answers }: Taken): void {
  const names =
    deeds === 'restart'
      ? ['restart']
      : deeds.map(
          ({ op }, index) =>
            `${deeds.length > 1 ? 'race: ' : ''}${op} ${answers[index]?.status === 200 ? 'done' : 'refused'}`,
        )
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Everybody for everything. */
async function matrix(stage: Stage): Promise<readonly Violation[]> {
  const { world } = stage
  const parties = [...world.parties.keys(), ...world.setting.network]
  const found: Violation[] = []
  for (const user of world.users.values()) {
    found.push(...(await checkUser(stage, user.id)), ...(await probeUser(stage, user, parties)))
    const party = world.parties.get(user.primaryParty)
    for (const key of party?.keys ?? []) {
      found.push(
        ...(await probe(stage, { kind: 'party', party: user.primaryParty, key, sub: user.id }, [
          user.primaryParty,
        ])),
      )
    }
    if (found.length > 0) break
  }
  await stage.feed.next()
  return found
}
