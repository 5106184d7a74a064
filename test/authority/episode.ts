// One episode: fresh nodes, their people, and operations drawn one after the other. After each,
// what was answered, what is stored, what happened on the ledger and what people can really do is
// compared with the model.
import { diceOf } from '../drive/dice.ts'
import type { Dice } from '../drive/dice.ts'
import type { Outcome } from '../drive/search.ts'
import { draw, drawRace } from './draw/draw.ts'
import { shuffled } from './draw/plots.ts'
import type { Plot } from './draw/plots.ts'
import type { Turn } from './draw/turns.ts'
import { FOCUS_SHARE } from './draw/scene.ts'
import type { Focus, Scene } from './draw/scene.ts'
import { checkUser } from './driver/observe.ts'
import type { Violation } from './driver/observe.ts'
import { checkShown, probe, probeUser } from './driver/probes.ts'
import type { Stage, StageOptions, Stages } from './driver/stage.ts'
import { openStages, spread } from './driver/stage.ts'
import { mayStart, restarted } from './model/judge-start.ts'
import type { Op } from './model/ops.ts'
import { tokenOf } from './model/rules.ts'
import type { World } from './model/state.ts'
import { describe, shortened } from './describe.ts'
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

const RACES = 0.03
/** The share of steps that begin a plot where none is going on. */
const PLOTS = 0.6
const RESTARTS = 0.03
/** Shares of steps that are about any of several nodes, or are somebody else's. */
const OTHER_NODE = 0.3
const FOREIGN = 0.15
/** Parties of other nodes that everybody is tried for. */
const MOST_ELSEWHERE = 2

/** Deeds of a step. */
type Deeds = readonly Op[] | 'restart'

interface Running {
  readonly stages: Stages
  /** Focus of all nodes: the same name at another one is somebody else. */
  focus: Focus
  /** The node that the last step was about. */
  at: Playing
  readonly nodes: readonly Playing[]
}

/** One node. */
interface Playing {
  readonly stage: Stage
  /** Turns to try next, and the plots after that. */
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
  const stages = await openStages(options)
  const nodes = stages.all.map((stage): Playing => ({ stage, plan: [], plots: [] }))
  const [at] = nodes
  if (at === undefined) throw new RangeError('an episode has a node')
  const running = { stages, focus: { user: '', party: '', share: FOCUS_SHARE }, at, nodes }
  const counts = new Map<string, number>()
  const trail: string[] = []
  try {
    for (const [step, draft] of drafts.entries()) {
      const { deeds, taken } = await play(running, draft, isDurable)
      trail.push(
        deeds === 'restart'
          ? 'the node starts again'
          : deeds.map(describe).join('\n     at the same time '),
      )
      countAll(counts, deeds, taken)
      const isDue =
        taken.violations.length === 0 &&
        ((step + 1) % matrixEvery === 0 || step === drafts.length - 1)
      const violations = isDue ? await matrixOf(stages.all) : taken.violations
      if (violations.length > 0) {
        const rules = violations.map(({ rule }) => rule)
        const lines = [
          ...taken.answers.map(({ status, text }) => `answered ${status} ${text.slice(0, 300)}`),
          ...violations.map(({ rule, detail }) => `${rule}: ${detail}`),
        ].map(shortened)
        return { steps: step + 1, counts, trail, failure: { step, rules, lines } }
      }
    }
    return { steps: drafts.length, counts, trail, failure: undefined }
  } finally {
    await stages.close()
  }
}

async function play(
  running: Running,
  draft: number,
  isDurable: boolean,
): Promise<{ readonly deeds: Deeds; readonly taken: Taken }> {
  const dice = diceOf(draft)
  if (running.nodes.length > 1) {
    if (dice.chance(OTHER_NODE)) running.at = dice.pick(running.nodes)
    if (dice.chance(FOREIGN)) return attack(running, dice)
  }
  const { stage } = running.at
  const scene = sceneOf(running, stage, dice)
  const turn = dice.weighted([
    [RACES, 'race'],
    [isDurable ? RESTARTS : 0, 'restart'],
    [1 - RACES - RESTARTS, 'one'],
  ])
  if (turn === 'restart') return { deeds: 'restart', taken: await restart(running) }
  if (turn === 'race') {
    const ops = drawRace(scene)
    return { deeds: ops, taken: await finish(running, takeRace(stage, ops, dice)) }
  }
  const deeds = next(running.at, scene)
  const [one, other] = deeds
  if (one === undefined) throw new RangeError('nothing was drawn')
  const taking =
    other === undefined ? takeStep(stage, one, dice) : takeRace(stage, [one, other], dice)
  return { deeds, taken: await finish(running, taking) }
}

function sceneOf({ focus }: Running, { world, feed }: Stage, dice: Dice): Scene {
  return { world, dice, coins: feed.coins, focus }
}

/**
 * What one node's people would ask of it is asked of another; or somebody of another node asks what
 * a node's own people would, mostly whoever has the name there.
 */
async function attack(
  running: Running,
  dice: Dice,
): Promise<{ readonly deeds: Deeds; readonly taken: Taken }> {
  const { at, nodes } = running
  const { stage: other } = dice.pick(nodes.filter((node) => node !== at))
  const drawn = dice.chance(0.4)
    ? draw(sceneOf(running, other, dice))
    : asForeigner(draw(sceneOf(running, at.stage, dice)), other, dice)
  return { deeds: [drawn], taken: await finish(running, takeStep(at.stage, drawn, dice)) }
}

function asForeigner(op: Op, { world }: Stage, dice: Dice): Op {
  const namesake = op.by.kind === 'nobody' ? undefined : world.users.get(op.by.sub)
  const somebody = dice.pick([...world.users.values()])
  return { ...op, by: tokenOf(world, dice.chance(0.7) ? (namesake ?? somebody) : somebody) }
}

/** The next turn of a plot, or something else. */
function next(playing: Playing, scene: Scene): readonly Op[] {
  if (playing.plan.length === 0 && scene.dice.chance(PLOTS)) {
    const [plot, ...later] = playing.plots.length > 0 ? playing.plots : shuffled(scene.dice)
    playing.plan = plot?.(scene) ?? []
    playing.plots = later
  }
  const [turn, ...rest] = playing.plan
  playing.plan = rest
  const drawn = turn === undefined ? draw(scene) : turn(scene)
  return 'op' in drawn ? [drawn] : drawn
}

/**
 * Ends a step: what cannot go on is a finding, too, and so is what it does to users of other nodes.
 */
async function finish(running: Running, taking: Promise<Taken>): Promise<Taken> {
  const taken = await taking.catch((error: unknown): Taken => ({
    answers: [],
    violations: [{ rule: 'the node goes on', detail: String(error) }],
    focus: running.focus,
  }))
  const { user, party, share } = taken.focus
  running.focus = { user: user || running.focus.user, party: party || running.focus.party, share }
  const { stages, at } = running
  spread(stages.all, at.stage)
  if (taken.violations.length > 0) return taken
  const others = stages.all.filter((stage) => stage !== at.stage)
  const found: Violation[] = []
  for (const stage of others) found.push(...(await checkUser(stage, running.focus.user)))
  return { ...taken, violations: found }
}

/** R8 */
async function restart({ stages, focus }: Running): Promise<Taken> {
  const isStarting = stages.all.every(({ world }) => mayStart(world))
  if (isStarting) {
    for (const { world } of stages.all) restarted(world)
    await stages.restart()
  }
  const violations: Violation[] = []
  for (const stage of isStarting ? stages.all : [])
    violations.push(...(await checkUser(stage, stage.world.setting.operator)))
  return { answers: [], violations, focus }
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

/** Tries everybody at every node, and looks at what each node has shown of the ledger so far. */
async function matrixOf(stages: readonly Stage[]): Promise<readonly Violation[]> {
  const found: Violation[] = []
  for (const stage of stages) if (found.length === 0) found.push(...(await matrix(stage)))
  return found.length > 0 ? found : checkShown(stages)
}

/** Everybody for everything. */
async function matrix(stage: Stage): Promise<readonly Violation[]> {
  const { world } = stage
  const parties = [...world.parties.keys(), ...world.setting.network, ...someElsewhere(world)]
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

/** The last ones: what comes later is what operations were about. */
function someElsewhere({ elsewhere, setting }: World): readonly string[] {
  return [...elsewhere.keys()]
    .filter((party) => !setting.network.includes(party))
    .slice(-MOST_ELSEWHERE)
}
