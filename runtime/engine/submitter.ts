// One submission from beginning to end: interpreted, queued, and again when others were faster, at
// most a few times.
import { commandKeyOf, interpret, payerOf } from './interpret.ts'
import { inTime } from './limit.ts'
import type { CommandRecord } from '../store/store.ts'
import type { Verdict } from './commit-batch.ts'
import type { Committer } from './committer.ts'
import type { EngineCounts } from './counts.ts'
import type {
  Attempt,
  Interpreted,
  InterpretationOutcome,
  InterpreterContext,
} from './interpret.ts'
import type { Order } from './order.ts'
import type { Proposal } from './proposal.ts'
import type { Rejection, Rejected } from './rejection.ts'
import type { Committed, Staged, Submission } from './submission.ts'
import type { Transaction } from './transaction.ts'
import type { RecordClock } from './record-clock.ts'
import type { Passage, UnderWay } from './under-way.ts'

export interface Rehearsed<R> {
  readonly ok: true
  readonly transaction: Transaction
  readonly result: R
}

/** A submission whose last proposal is in the queue. */
interface Queued<R> {
  readonly interpreted: Interpreted<R>
  readonly verdict: Promise<Verdict>
  readonly attempts: number
}

/** An interpretation that came to something, after so many before it. */
interface Ended<R> {
  readonly interpreted: Interpreted<R>
  readonly attempts: number
}

/** Takes a proposal on, or names the contract that it has to wait for, or says why it may not. */
type Take = (proposal: Proposal) => string | Rejection | undefined

interface SubmitterInput {
  readonly shared: InterpreterContext
  readonly committer: Committer
  readonly order: Order
  readonly maxRetries: number
  readonly counts: EngineCounts
  readonly underWay: UnderWay
  /** The pause before the attempt after the given number of lost ones. */
  readonly pause: (lost: number) => Promise<void>
  /** Absent: any time is taken. */
  readonly watch: RecordClock | undefined
  /** The `measuredMicros` of `Engine`. */
  readonly measuredMicros: () => bigint
  /** How long a commit takes at most. */
  readonly limitMs: number
}

export class Submitter {
  readonly #workshop: InterpreterContext
  readonly #committer: Committer
  readonly #order: Order
  readonly #maxRetries: number
  readonly #counts: EngineCounts
  readonly #underWay: UnderWay
  readonly #pause: SubmitterInput['pause']
  readonly #watch: RecordClock | undefined
  readonly #measuredMicros: () => bigint
  readonly #limitMs: number

  constructor({
    shared,
    committer,
    order,
    maxRetries,
    counts,
    underWay,
    pause,
    watch,
    measuredMicros,
    limitMs,
  }: SubmitterInput) {
    this.#workshop = shared
    this.#committer = committer
    this.#order = order
    this.#maxRetries = maxRetries
    this.#counts = counts
    this.#underWay = underWay
    this.#pause = pause
    this.#watch = watch
    this.#measuredMicros = measuredMicros
    this.#limitMs = limitMs
  }

  async submit<R>(submission: Submission<R>): Promise<Committed<R> | Rejected> {
    const staged = await this.stage(submission)
    return staged.ok ? staged.committed : staged
  }

  async stage<R>(submission: Submission<R>): Promise<Staged<R> | Rejected> {
    const commandKey = commandKeyOf(submission)
    const counts = this.#counts.of(submission.member)
    if (this.#underWay.has(commandKey))
      return counted(counts, { ok: false, kind: 'duplicate-in-flight' })
    const passage = this.#underWay.enter(commandKey)
    try {
      const trusted = this.#watch?.trusted()
      if (trusted !== undefined) await trusted
      const queued = await this.#queue(submission, commandKey, 0)
      if ('ok' in queued) {
        this.#underWay.leave(passage)
        return counted(counts, queued)
      }
      const end = this.#finish(submission, commandKey, queued)
      const committed = countedEnd(counts, end).finally(() => this.#underWay.leave(passage))
      // Whoever staged may not be interested; the error is still there for who is.
      committed.catch(() => undefined)
      const {
        proposal: { transaction },
        result,
      } = queued.interpreted
      return { ok: true, updateId: transaction.updateId, result, transaction, committed }
    } catch (error) {
      this.#underWay.leave(passage)
      counts.submitted('failed')
      throw error
    }
  }

  async rehearse<R>(submission: Submission<R>): Promise<Rehearsed<R> | Rejected> {
    await this.#watch?.trusted()
    const outcome = await this.#interpret(
      { submission, commandKey: '', isRetry: false },
      0,
      () => undefined,
    )
    if ('ok' in outcome) return outcome
    return {
      ok: true,
      transaction: outcome.interpreted.proposal.transaction,
      result: outcome.interpreted.result,
    }
  }

  /** Counts as under way until it settles. */
  async track<T>(work: Promise<T>): Promise<T> {
    const passage: Passage = this.#underWay.enter('')
    try {
      return await work
    } finally {
      this.#underWay.leave(passage)
    }
  }

  /** Finishes an attempt: repeats it until a verdict stands. */
  async #finish<R>(
    submission: Submission<R>,
    commandKey: string,
    first: Queued<R>,
  ): Promise<Committed<R> | Rejected> {
    let queued = first
    for (;;) {
      const verdict = await queued.verdict
      if (verdict.kind === 'refused') return { ok: false, ...verdict.rejection }
      if (verdict.kind === 'committed') return committedOf(queued.interpreted, verdict)
      for (const contractId of verdict.contractIds) this.#workshop.cache.forget(contractId)
      if (queued.attempts >= this.#maxRetries)
        return { ok: false, kind: 'contention', contractIds: verdict.contractIds }
      this.#counts.of(submission.member).retries += 1
      await this.#pause(queued.attempts + 1)
      const next = await this.#queue(submission, commandKey, queued.attempts + 1)
      if ('ok' in next) return next
      queued = next
    }
  }

  async #queue<R>(
    submission: Submission<R>,
    commandKey: string,
    attempts: number,
  ): Promise<Queued<R> | Rejected> {
    const { overlay } = this.#workshop
    let verdict: Promise<Verdict> | undefined
    // In one step: between the two, others would see the proposal and be queued before it.
    const take: Take = (proposal) => {
      const crowded = this.#committer.overFull(proposal)
      if (crowded !== undefined) return crowded
      const taken = overlay.claim(proposal)
      if (taken === undefined) verdict = this.#committer.add(proposal)
      return taken
    }
    const outcome = await this.#interpret(
      { submission, commandKey, isRetry: attempts > 0 },
      attempts,
      take,
    )
    if ('ok' in outcome) return this.#duplicateOr(outcome, commandKey)
    if (verdict === undefined) throw new Error('a proposal was not taken on')
    return { ...outcome, verdict }
  }

  /**
   * Waits for updates on their way that archive what this one uses; each wait counts as an attempt.
   */
  async #interpret<R>(
    attempt: Attempt<R>,
    attempts: number,
    take: Take,
  ): Promise<Ended<R> | Rejected> {
    for (let count = attempts; ; count += 1) {
      await this.#order.turn(payerOf(attempt.submission))
      const interpreted = await interpret(
        this.#workshop,
        count === 0 ? attempt : { ...attempt, isRetry: true },
      )
      const outcome = taken(interpreted, take)
      if (outcome.kind === 'proposal') return { interpreted: outcome, attempts: count }
      if (outcome.kind === 'refused') return { ok: false, ...outcome.rejection }
      const { contractId } = outcome
      if (count >= this.#maxRetries || !(await this.#cleared(contractId)))
        return { ok: false, kind: 'contention', contractIds: [contractId] }
      this.#counts.of(attempt.submission.member).retries += 1
    }
  }

  /**
   * False where it takes longer than the commit under way and the next one together: nothing of the
   * caller's is written.
   */
  async #cleared(contractId: string): Promise<boolean> {
    return (await inTime(2 * this.#limitMs, this.#workshop.overlay.cleared(contractId))) !== 'late'
  }

  /**
   * A command that was done before is no longer possible, as its inputs are gone: that it was done
   * is the answer.
   */
  async #duplicateOr(rejection: Rejected, commandKey: string): Promise<Rejected> {
    const command = commandKey === '' ? undefined : await this.#workshop.store.command(commandKey)
    return command === undefined || !this.#isKept(command) ? rejection : duplicate(command)
  }

  #isKept({ keptUntil }: CommandRecord): boolean {
    return keptUntil >= this.#measuredMicros()
  }
}

function counted<O extends Committed<unknown> | Rejected>(counts: EngineCounts, outcome: O): O {
  counts.submitted(outcome.ok ? 'ok' : outcome.kind)
  return outcome
}

async function countedEnd<R>(
  counts: EngineCounts,
  end: Promise<Committed<R> | Rejected>,
): Promise<Committed<R> | Rejected> {
  try {
    return counted(counts, await end)
  } catch (error) {
    counts.submitted('failed')
    throw error
  }
}

/** A proposal that cannot be taken on has to wait, or is refused. */
function taken<R>(outcome: InterpretationOutcome<R>, take: Take): InterpretationOutcome<R> {
  const obstacle = outcome.kind === 'proposal' ? take(outcome.proposal) : undefined
  if (obstacle === undefined) return outcome
  return typeof obstacle === 'string'
    ? { kind: 'contended', contractId: obstacle }
    : { kind: 'refused', rejection: obstacle }
}

function duplicate({ updateId, offset }: CommandRecord): Rejected {
  const rejection: Rejection = { kind: 'duplicate', updateId, offset }
  return { ok: false, ...rejection }
}

function committedOf<R>(
  { proposal: { transaction }, result }: Interpreted<R>,
  { updateId, offset, recordTime }: Extract<Verdict, { readonly kind: 'committed' }>,
): Committed<R> {
  return { ok: true, updateId, offset, recordTime, effectiveAt: transaction.effectiveAt, result }
}
