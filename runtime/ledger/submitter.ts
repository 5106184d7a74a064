// One submission from beginning to end: interpreted, queued, and again when others were faster, at most a few times.
import { commandKeyOf, interpret } from './interpret.ts'
import type { CommandRecord } from '../store/store.ts'
import type { Verdict } from './commit-batch.ts'
import type { Committer } from './committer.ts'
import type { EngineCounts } from './counts.ts'
import type { Attempt, Interpreted, Workshop } from './interpret.ts'
import type { Pace } from './pace.ts'
import type { Committed, Refusal, Refused, Staged, Submission } from './submission.ts'
import type { Transaction } from './transaction.ts'

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

export interface SubmitterInput {
  readonly workshop: Workshop
  readonly committer: Committer
  readonly pace: Pace
  readonly maxRetries: number
  readonly counts: EngineCounts
}

export class Submitter {
  readonly #workshop: Workshop
  readonly #committer: Committer
  readonly #pace: Pace
  readonly #maxRetries: number
  readonly #counts: EngineCounts
  /** Command keys of this process that are under way. */
  readonly #commands = new Set<string>()
  #underWay = 0
  #idle: (() => void)[] = []

  constructor({ workshop, committer, pace, maxRetries, counts }: SubmitterInput) {
    this.#workshop = workshop
    this.#committer = committer
    this.#pace = pace
    this.#maxRetries = maxRetries
    this.#counts = counts
  }

  async submit<R>(submission: Submission<R>): Promise<Committed<R> | Refused> {
    const staged = await this.stage(submission)
    return staged.ok ? staged.committed : staged
  }

  async stage<R>(submission: Submission<R>): Promise<Staged<R> | Refused> {
    const commandKey = commandKeyOf(submission)
    if (this.#commands.has(commandKey)) return this.#counted({ ok: false, kind: 'duplicate-in-flight' })
    this.#enter(commandKey)
    try {
      const queued = await this.#queue(submission, commandKey, 0)
      if ('ok' in queued) {
        this.#leave(commandKey)
        return this.#counted(queued)
      }
      const committed = this.#countEnd(this.#finish(submission, commandKey, queued)).finally(() => this.#leave(commandKey))
      // Whoever staged may not be interested; the error is still there for who is.
      committed.catch(() => undefined)
      const { proposal: { transaction }, result } = queued.interpreted
      return { ok: true, updateId: transaction.updateId, result, transaction, committed }
    } catch (error) {
      this.#leave(commandKey)
      this.#counts.submitted('failed')
      throw error
    }
  }

  #counted<O extends Committed<unknown> | Refused>(outcome: O): O {
    this.#counts.submitted(outcome.ok ? 'ok' : outcome.kind)
    return outcome
  }

  async #countEnd<R>(end: Promise<Committed<R> | Refused>): Promise<Committed<R> | Refused> {
    try {
      return this.#counted(await end)
    } catch (error) {
      this.#counts.submitted('failed')
      throw error
    }
  }

  async rehearse<R>(submission: Submission<R>): Promise<Rehearsed<R> | Refused> {
    const outcome = await this.#interpret({ submission, commandKey: '', isRetry: false }, 0)
    if ('ok' in outcome) return outcome
    return { ok: true, transaction: outcome.interpreted.proposal.transaction, result: outcome.interpreted.result }
  }

  /** Counts as under way until it settles. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.#enter('')
    try {
      return await work
    } finally {
      this.#leave('')
    }
  }

  async drain(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>((resume) => this.#idle.push(resume))
  }

  /** Until there is a verdict that stands. */
  async #finish<R>(submission: Submission<R>, commandKey: string, first: Queued<R>): Promise<Committed<R> | Refused> {
    let queued = first
    for (;;) {
      const verdict = await queued.verdict
      if (verdict.kind === 'refused') return { ok: false, ...verdict.refusal }
      if (verdict.kind === 'committed') return committedOf(queued.interpreted, verdict)
      for (const contractId of verdict.contractIds) this.#workshop.cache.forget(contractId)
      if (queued.attempts >= this.#maxRetries) return { ok: false, kind: 'contention', contractIds: verdict.contractIds }
      this.#counts.retries += 1
      const next = await this.#queue(submission, commandKey, queued.attempts + 1)
      if ('ok' in next) return next
      queued = next
    }
  }

  async #queue<R>(submission: Submission<R>, commandKey: string, attempts: number): Promise<Queued<R> | Refused> {
    const outcome = await this.#interpret({ submission, commandKey, isRetry: attempts > 0 }, attempts)
    if ('ok' in outcome) return this.#duplicateOr(outcome, commandKey)
    const { proposal } = outcome.interpreted
    this.#workshop.overlay.add(proposal)
    return { ...outcome, verdict: this.#committer.add(proposal) }
  }

  /** Waits for updates on their way that archive what this one uses; each wait counts as an attempt. */
  async #interpret<R>(
    attempt: Attempt<R>,
    attempts: number,
  ): Promise<{ readonly interpreted: Interpreted<R>; readonly attempts: number } | Refused> {
    const { overlay } = this.#workshop
    for (let count = attempts; ; count += 1) {
      await this.#pace.enter()
      const outcome = await interpret(this.#workshop, count === 0 ? attempt : { ...attempt, isRetry: true })
      if (outcome.kind === 'proposal') return { interpreted: outcome, attempts: count }
      if (outcome.kind === 'refused') return { ok: false, ...outcome.refusal }
      if (count >= this.#maxRetries) return { ok: false, kind: 'contention', contractIds: [outcome.contractId] }
      this.#counts.retries += 1
      await overlay.cleared(outcome.contractId)
    }
  }

  /** A command that was done before is no longer possible, as its inputs are gone: that it was done is the answer. */
  async #duplicateOr(refusal: Refused, commandKey: string): Promise<Refused> {
    const command = commandKey === '' ? undefined : await this.#workshop.store.command(commandKey)
    return command === undefined || !this.#isKept(command) ? refusal : duplicate(command)
  }

  #isKept({ keptUntil }: CommandRecord): boolean {
    const { clock, lastRecordTime } = this.#workshop
    return keptUntil > lastRecordTime && keptUntil >= clock.nowMicros()
  }

  #enter(commandKey: string): void {
    this.#underWay += 1
    if (commandKey !== '') this.#commands.add(commandKey)
  }

  #leave(commandKey: string): void {
    this.#underWay -= 1
    this.#commands.delete(commandKey)
    if (this.#underWay > 0) return
    const resumed = this.#idle
    this.#idle = []
    for (const resume of resumed) resume()
  }
}

function duplicate({ updateId, offset }: CommandRecord): Refused {
  const refusal: Refusal = { kind: 'duplicate', updateId, offset }
  return { ok: false, ...refusal }
}

function committedOf<R>(
  { proposal: { transaction }, result }: Interpreted<R>,
  { updateId, offset, recordTime }: Extract<Verdict, { readonly kind: 'committed' }>,
): Committed<R> {
  return { ok: true, updateId, offset, recordTime, effectiveAt: transaction.effectiveAt, result }
}
