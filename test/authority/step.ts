// One step: an operation, or two at once, done and compared with the model.
import type { Dice } from '../drive/dice.ts'
import type { Focus } from './draw/scene.ts'
import { FOCUS_SHARE } from './draw/scene.ts'
import type { Delta } from './driver/feed.ts'
import { checkLedger } from './driver/ledger-check.ts'
import { adopt, checkParty, checkUser } from './driver/observe.ts'
import type { Violation } from './driver/observe.ts'
import { perform } from './driver/perform.ts'
import { invisible, probe, probeUser } from './driver/probes.ts'
import type { Stage } from './driver/stage.ts'
import { twinFault } from './driver/twins.ts'
import { judge } from './model/judge.ts'
import type { Answer, Op } from './model/ops.ts'
import { callerOf } from './model/rules.ts'
import type { By } from './model/rules.ts'
import { copyWorld, partiesOfNode } from './model/state.ts'
import type { World } from './model/state.ts'
import { NOTHING, joined } from './model/verdict.ts'
import type { Effect, Verdict } from './model/verdict.ts'

/** Users that are tried after a step besides those it was about, and parties for each. */
const SAMPLE_USERS = 1
const SAMPLE_PARTIES = 3
/** Statuses of a lost race: somebody else was faster. */
const LOST = [409, 429]

export interface Taken {
  readonly answers: readonly Answer[]
  readonly violations: readonly Violation[]
  /** Focus of the last one. */
  readonly focus: Focus
}

/** Does one operation. */
export async function takeStep(stage: Stage, op: Op, dice: Dice): Promise<Taken> {
  const { world, feed } = stage
  const verdict = judge(world, op)
  const before = new Map(feed.coins)
  const answer = await perform(stage, op)
  const isDone = answer.status === 200
  const effect = isDone && verdict.kind !== 'refused' ? verdict.effect(answer) : undefined
  if (effect !== undefined) await adopt(stage, effect)
  const delta = await feed.next()
  const found: Violation[] = [
    ...answerFaults(verdict, answer, effect),
    ...checkLedger({ world, delta, before, after: feed.coins, effect }),
  ]
  if (op.op === 'read') found.push(...readFaults(stage, op, answer))
  if (found.length === 0) found.push(...(await twinFault(stage, op, verdict, answer)))
  if (found.length === 0) found.push(...(await look(stage, [op], { dice, answers: [answer] })))
  return { answers: [answer], violations: found, focus: focusOf(stage, op, answer) }
}

/**
 * Does two at once: what comes out is what one after the other brings about, in one of the two
 * orders.
 */
export async function takeRace(stage: Stage, ops: readonly [Op, Op], dice: Dice): Promise<Taken> {
  const before = new Map(stage.feed.coins)
  const start = stage.world
  const answers = await Promise.all([perform(stage, ops[0]), perform(stage, ops[1])])
  const delta = await stage.feed.next()
  const focus = focusOf(stage, ops[1], answers[1])
  const unexplained: Violation[] = []
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const found = await tryOrder(stage, { start, ops, answers, delta, before }, order)
    if (found.length === 0)
      return { answers, violations: await look(stage, ops, { dice, answers }), focus }
    unexplained.push(...found)
  }
  return { answers, violations: unexplained, focus }
}

interface Race {
  readonly start: World
  readonly ops: readonly [Op, Op]
  readonly answers: readonly [Answer, Answer]
  readonly delta: Delta
  readonly before: ReadonlyMap<string, bigint>
}

/**
 * The reason why the order does not explain the result; the stage's world is what the order leads
 * to.
 */
async function tryOrder(
  stage: Stage,
  { start, ops, answers, delta, before }: Race,
  order: readonly (0 | 1)[],
): Promise<readonly Violation[]> {
  const world = copyWorld(start)
  stage.world = world
  const effects: Effect[] = []
  // The second of two that ask for the same thing may be told what the first one was.
  const isSame = JSON.stringify(ops[0], bigints) === JSON.stringify(ops[1], bigints)
  for (const [at, index] of order.entries()) {
    const [op, answer] = [ops[index], answers[index]]
    const verdict = judge(world, op)
    const effect =
      answer.status === 200 && verdict.kind !== 'refused' ? verdict.effect(answer) : undefined
    const isLost = verdict.kind !== 'refused' && LOST.includes(answer.status)
    const found =
      isLost || (isSame && at === 1) ? [] : answerFaults(withoutStatuses(verdict), answer, effect)
    if (found.length > 0) return found
    effects.push(effect ?? NOTHING)
  }
  const effect = effects.reduce(joined)
  await adopt(stage, effect)
  const found: Violation[] = [
    ...checkLedger({ world, delta, before, after: stage.feed.coins, effect }),
  ]
  for (const id of peopleOf(stage, ops)) found.push(...(await checkUser(stage, id)))
  return found
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function broken(status: number, text: string): Violation {
  return { rule: 'a request does not break the service', detail: `${status} ${text}` }
}

/** The verdict without statuses: which refusal it is depends on how far the other one was. */
function withoutStatuses(verdict: Verdict): Verdict {
  return verdict.kind === 'refused' ? { kind: 'refused', rule: verdict.rule } : verdict
}

function answerFaults(
  verdict: Verdict,
  { status, text }: Answer,
  effect: Effect | undefined,
): readonly Violation[] {
  if (status >= 500) return [broken(status, text)]
  if (effect?.fault !== undefined) return [{ rule: verdict.rule, detail: effect.fault }]
  const said = `${status} ${text.slice(0, 300)}`
  if (verdict.kind === 'refused') {
    if (status < 400) return [{ rule: verdict.rule, detail: `done instead of refused: ${said}` }]
    return verdict.statuses === undefined || verdict.statuses.includes(status)
      ? []
      : [
          {
            rule: verdict.rule,
            detail: `refused by another status than ${verdict.statuses.join()}: ${said}`,
          },
        ]
  }
  return verdict.kind === 'done' && status !== 200
    ? [{ rule: verdict.rule, detail: `refused instead of done: ${said}` }]
    : []
}

function readFaults(
  stage: Stage,
  { parties, any, how }: Extract<Op, { readonly op: 'read' }>,
  { status, text }: Answer,
): readonly Violation[] {
  // A tree shows what its reader exercised, too, on contracts that it need not see.
  return how === 'completions' || how === 'tree'
    ? []
    : invisible(
        stage,
        { status, text, json: undefined },
        any ? partiesOfNode(stage.world) : parties,
      )
}

/** Users whose state the operations are about, the one that is named last. */
function peopleOf(stage: Stage, ops: readonly Op[]): readonly string[] {
  return [...new Set(ops.flatMap((op) => touchedBy(stage, op)))].filter(
    (id) => !stage.world.watchers.has(id),
  )
}

function touchedBy({ world }: Stage, op: Op): readonly string[] {
  const caller = subjectOf(op.by)
  const named =
    'id' in op &&
    op.op !== 'create-provider' &&
    op.op !== 'patch-provider' &&
    op.op !== 'delete-provider'
      ? [op.id]
      : []
  const others =
    op.op === 'create-user'
      ? [op.user.id]
      : op.op === 'onboard' || op.op === 'offboard'
        ? [world.setting.operator, op.name]
        : []
  const given =
    (op.op === 'allocate' || op.op === 'allocate-external') && op.userId !== '' ? [op.userId] : []
  const operator = op.op === 'register' || op.op === 'host' ? [world.setting.operator] : []
  return [...operator, ...(caller === '' ? [] : [caller]), ...named, ...others, ...given]
}

function subjectOf(by: By): string {
  return by.kind === 'nobody' ? '' : by.sub
}

function focusOf(stage: Stage, op: Op, answer: Answer): Focus {
  return {
    user: peopleOf(stage, [op]).at(-1) ?? '',
    party: partyOf(op, answer),
    share: FOCUS_SHARE,
  }
}

/** The party that the operation was about. */
function partyOf(op: Op, { named }: Answer): string {
  if (named.includes('::')) return named
  if (op.op === 'create-user') return op.user.primaryParty
  if (
    op.op === 'onboard' ||
    op.op === 'propose-setup' ||
    op.op === 'accept-setup' ||
    op.op === 'order'
  )
    return op.party
  return op.op === 'submit' || op.op === 'sign' ? op.deed.party : ''
}

/** Parties that the operation is to bring about. */
function newParties({ world: { setting } }: Stage, op: Op): readonly string[] {
  if (op.op === 'allocate') return [`${op.hint}::${setting.namespace}`]
  if (op.op === 'allocate-external')
    return [`${op.hint}::${setting.fingerprints[op.keys[0] ?? ''] ?? ''}`]
  if (op.op === 'host') return [`${op.hint}::${setting.fingerprints[op.key] ?? ''}`]
  return op.op === 'onboard' && op.party !== '' ? [op.party] : []
}

interface Looking {
  readonly dice: Dice
  readonly answers: readonly Answer[]
}

/** Looks at what is stored of whom the step was about, and at what they and some others can do. */
async function look(
  stage: Stage,
  ops: readonly Op[],
  { dice, answers }: Looking,
): Promise<readonly Violation[]> {
  const { world } = stage
  const found: Violation[] = []
  const people = peopleOf(stage, ops)
  for (const id of people) found.push(...(await checkUser(stage, id)))
  for (const party of new Set(ops.flatMap((op) => newParties(stage, op))))
    found.push(...(await checkParty(stage, party)))
  const others = [...world.users.keys()].filter((id) => !people.includes(id))
  const about = ops.flatMap(
    (op, index) => partyOf(op, answers[index] ?? { status: 0, named: '', text: '' }) || [],
  )
  const changed = answers.some(({ status }) => status === 200) ? people : people.slice(-1)
  for (const id of [...changed, ...dice.some(others, SAMPLE_USERS)]) {
    const user = world.users.get(id)
    const parties = new Set([...about, ...dice.some([...world.parties.keys()], SAMPLE_PARTIES)])
    if (user !== undefined && found.length === 0)
      found.push(...(await probeUser(stage, user, [...parties])))
  }
  // The very token that was used.
  const odd = ops.filter(({ by }) => by.kind !== 'nobody' && callerOf(world, by).kind !== 'user')
  for (const { by } of odd) if (found.length === 0) found.push(...(await probe(stage, by, [])))
  await stage.feed.next()
  return found
}
