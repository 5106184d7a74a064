// One episode: a fresh node, its people, and operations drawn one after the other. After each, what was answered, what is stored, what
// happened on the ledger and what people can really do is compared with the model.
import type { Dice } from './draw/dice.ts'
import { diceOf } from './draw/dice.ts'
import { draw } from './draw/draw.ts'
import type { Scene } from './draw/scene.ts'
import { checkLedger } from './driver/ledger-check.ts'
import { adopt, checkParty, checkUser } from './driver/observe.ts'
import type { Violation } from './driver/observe.ts'
import { perform } from './driver/perform.ts'
import { invisible, probe, probeUser } from './driver/probes.ts'
import type { Stage, StageOptions } from './driver/stage.ts'
import { openStage } from './driver/stage.ts'
import { twinFault } from './driver/twins.ts'
import { judge } from './model/judge.ts'
import type { Answer, Op, OpName } from './model/ops.ts'
import { callerOf } from './model/rules.ts'
import type { By } from './model/rules.ts'
import type { Effect, Verdict } from './model/verdict.ts'

export interface EpisodeOptions extends StageOptions {
  /** One number an operation. */
  readonly drafts: readonly number[]
  /** Everybody is tried for everything after so many steps, and at the end. */
  readonly matrixEvery: number
}

export interface Failure {
  /** From 0. */
  readonly step: number
  readonly op: Op
  readonly answer: Answer
  readonly violations: readonly Violation[]
}

export interface Outcome {
  readonly steps: number
  /** `register done`, `register refused`: how often. */
  readonly counts: ReadonlyMap<string, number>
  readonly failure: Failure | undefined
  readonly trail: readonly Op[]
}

/** Users that are tried after a step besides those it was about, and parties for each. */
const SAMPLE_USERS = 1
const SAMPLE_PARTIES = 3

interface Running {
  readonly stage: Stage
  focus: Scene['focus']
}

/** Plays the drafts until something is violated. */
export async function playEpisode({ drafts, matrixEvery, ...options }: EpisodeOptions): Promise<Outcome> {
  const stage = await openStage(options)
  const running: Running = { stage, focus: { user: '', party: '' } }
  const counts = new Map<string, number>()
  const trail: Op[] = []
  try {
    for (const [step, draft] of drafts.entries()) {
      const dice = diceOf(draft)
      const op = draw({ world: stage.world, dice, coins: stage.feed.coins, focus: running.focus })
      trail.push(op)
      const { answer, violations, kind } = await takeStep(running, op, dice)
      count(counts, `${op.op} ${kind}`)
      const isDue = violations.length === 0 && ((step + 1) % matrixEvery === 0 || step === drafts.length - 1)
      const found = isDue ? await matrix(stage) : violations
      if (found.length > 0) return { steps: step + 1, counts, trail, failure: { step, op, answer, violations: found } }
    }
    return { steps: drafts.length, counts, trail, failure: undefined }
  } finally {
    await stage.close()
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

interface Taken {
  readonly answer: Answer
  readonly violations: readonly Violation[]
  readonly kind: 'done' | 'refused'
}

async function takeStep(running: Running, op: Op, dice: Dice): Promise<Taken> {
  const { stage } = running
  const { world, feed } = stage
  const people = touchedBy(stage, op)
  const verdict = judge(world, op)
  const before = new Map(feed.coins)
  const answer = await perform(stage, op)
  const isDone = answer.status === 200
  const effect = isDone && verdict.kind !== 'refused' ? verdict.effect(answer) : undefined
  if (effect !== undefined) await adopt(stage, effect)
  const delta = await feed.next()
  const found: Violation[] = [...answerFaults(verdict, answer, effect), ...checkLedger({ world, delta, before, after: feed.coins, effect })]
  if (op.op === 'read') found.push(...readFaults(stage, op, answer))
  if (found.length === 0) found.push(...await twinFault(stage, op, verdict, answer))
  if (found.length === 0) found.push(...await look(running, op, { people, dice, answer, isDone }))
  running.focus = { user: people.at(-1) ?? running.focus.user, party: partyOf(op, answer) || running.focus.party }
  return { answer, violations: found, kind: isDone ? 'done' : 'refused' }
}

function answerFaults(verdict: Verdict, { status, text }: Answer, effect: Effect | undefined): readonly Violation[] {
  if (status >= 500) return [{ rule: 'a request does not break the service', detail: `${status} ${text}` }]
  if (effect?.fault !== undefined) return [{ rule: verdict.rule, detail: effect.fault }]
  const said = `${status} ${text.slice(0, 300)}`
  if (verdict.kind === 'refused') {
    if (status < 400) return [{ rule: verdict.rule, detail: `done instead of refused: ${said}` }]
    return verdict.statuses === undefined || verdict.statuses.includes(status)
      ? []
      : [{ rule: verdict.rule, detail: `refused by another status than ${verdict.statuses.join()}: ${said}` }]
  }
  return verdict.kind === 'done' && status !== 200 ? [{ rule: verdict.rule, detail: `refused instead of done: ${said}` }] : []
}

function readFaults(stage: Stage, { parties, any, how }: Extract<Op, { readonly op: 'read' }>, { status, text }: Answer): readonly Violation[] {
  // A tree shows what its reader exercised, too, on contracts that it need not see.
  return any || how === 'completions' || how === 'tree' ? [] : invisible(stage, { status, text, json: undefined }, parties)
}

/** Users whose state the operation is about, the one it names last. */
function touchedBy({ world }: Stage, op: Op): readonly string[] {
  const caller = subjectOf(op.by)
  const named = 'id' in op && op.op !== 'create-provider' && op.op !== 'patch-provider' && op.op !== 'delete-provider' ? [op.id] : []
  const others = op.op === 'create-user' ? [op.user.id] : op.op === 'onboard' || op.op === 'offboard' ? [world.setting.operator, op.name] : []
  const given = (op.op === 'allocate' || op.op === 'allocate-external') && op.userId !== '' ? [op.userId] : []
  const operator = op.op === 'register' || op.op === 'host' ? [world.setting.operator] : []
  return [...new Set([...operator, ...caller === '' ? [] : [caller], ...named, ...others, ...given])].filter((id) => !world.watchers.has(id))
}

function subjectOf(by: By): string {
  return by.kind === 'nobody' ? '' : by.sub
}

/** The party that the operation was about. */
function partyOf(op: Op, { named }: Answer): string {
  if (named.includes('::')) return named
  if (op.op === 'create-user') return op.user.primaryParty
  if (op.op === 'onboard' || op.op === 'propose-setup' || op.op === 'accept-setup' || op.op === 'order') return op.party
  return op.op === 'submit' || op.op === 'sign' ? op.deed.party : ''
}

/** Parties that the operation is to bring about. */
function newParties({ world: { setting } }: Stage, op: Op): readonly string[] {
  if (op.op === 'allocate') return [`${op.hint}::${setting.namespace}`]
  if (op.op === 'allocate-external' || op.op === 'host') return [`${op.hint}::${setting.fingerprints[op.key] ?? ''}`]
  return op.op === 'onboard' && op.party !== '' ? [op.party] : []
}

interface Looking {
  readonly people: readonly string[]
  readonly dice: Dice
  readonly answer: Answer
  readonly isDone: boolean
}

/** What is stored of whom the step was about, and what they and some others can do. */
async function look({ stage }: Running, op: Op, { people, dice, answer, isDone }: Looking): Promise<readonly Violation[]> {
  const { world } = stage
  const found: Violation[] = []
  for (const id of people) found.push(...await checkUser(stage, id))
  for (const party of newParties(stage, op)) found.push(...await checkParty(stage, party))
  const others = [...world.users.keys()].filter((id) => !people.includes(id))
  const about = partyOf(op, answer)
  const changed = isDone ? people : people.slice(-1)
  for (const id of [...changed, ...dice.some(others, SAMPLE_USERS)]) {
    const user = world.users.get(id)
    const parties = new Set([...about === '' ? [] : [about], ...dice.some([...world.parties.keys()], SAMPLE_PARTIES)])
    if (user !== undefined && found.length === 0) found.push(...await probeUser(stage, user, [...parties]))
  }
  // The very token that was used.
  if (found.length === 0 && op.by.kind !== 'nobody' && callerOf(world, op.by).kind !== 'user') found.push(...await probe(stage, op.by, []))
  await stage.feed.next()
  return found
}

/** Everybody for everything. */
async function matrix(stage: Stage): Promise<readonly Violation[]> {
  const { world } = stage
  const parties = [...world.parties.keys(), ...world.setting.network]
  const found: Violation[] = []
  for (const user of world.users.values()) {
    found.push(...await checkUser(stage, user.id), ...await probeUser(stage, user, parties))
    for (const { id, key } of world.parties.values()) {
      if (key !== undefined && user.primaryParty === id) found.push(...await probe(stage, { kind: 'party', party: id, key, sub: user.id }, [id]))
    }
    if (found.length > 0) break
  }
  await stage.feed.next()
  return found
}

export type { OpName }
