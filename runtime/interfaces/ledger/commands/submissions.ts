// What becomes of submissions besides their updates: which are under way and under which id, and
// which were refused. Of this server alone, since a refusal leaves nothing on the ledger.
// docs/ledger-rules.md, "Commands"
import type { ErrorReply, LedgerError } from '../../../errors/errors.ts'
import { ledgerError } from '../../../errors/errors.ts'

/** A submission as its completion names it. */
export interface SubmissionName {
  readonly userId: string
  readonly actAs: readonly string[]
  readonly commandId: string
  readonly submissionId: string
}

/** A submission that came to nothing. */
export interface Refusal extends SubmissionName {
  /** End of the ledger when it was refused. */
  readonly offset: bigint
  /** Microseconds. */
  readonly at: bigint
  readonly body: ErrorReply['body']
}

/** An update whose completion is told once more, to who asked for it after it was told. */
export interface Repeat {
  readonly userId: string
  readonly updateId: string
  /** End of the ledger when it was asked for again. */
  readonly offset: bigint
}

type Told = Refusal | Repeat

/** Rises with everything that is told. */
interface Numbered {
  readonly number: number
  readonly told: Told
}

/** Newest are kept, so that nobody's flood takes the place of another user's. */
const MAX_OF_USER = 100
/** Users whose last fates are kept. */
const MAX_USERS = 1_000
/** Milliseconds for which the same transaction is sent to its first execution's completion. */
const LINGER_MS = 5_000

interface UnderWay {
  readonly submissionId: string
  updateId: string | undefined
}

type Run<T> = (entry: UnderWay) => Promise<T | LedgerError>

export class Submissions {
  /** Fates by user, whoever was told last behind; of a user oldest first. */
  readonly #told = new Map<string, Numbered[]>()
  readonly #listeners = new Set<(userId: string) => void>()
  #number = 0
  /** Submissions under way, by what is submitted. */
  readonly #underWay = new Map<string, UnderWay>()

  /**
   * Runs a submission. SUBMISSION_ALREADY_IN_FLIGHT, with the id of the other one, where the same
   * is under way.
   */
  async once<T>(content: string, submissionId: string, run: Run<T>): Promise<T | LedgerError> {
    const earlier = this.#underWay.get(content)
    if (earlier !== undefined) return inFlight(earlier)
    const entry = { submissionId, updateId: undefined }
    this.#underWay.set(content, entry)
    try {
      return await run(entry)
    } finally {
      if (entry.updateId === undefined) this.#underWay.delete(content)
      // Whoever hands in the same a moment later is sent to what became of this.
      else setTimeout(() => this.#underWay.delete(content), LINGER_MS).unref()
    }
  }

  /** The update that is to become of what is under way; undefined where that is not known. */
  updateOf(content: string): string | undefined {
    return this.#underWay.get(content)?.updateId
  }

  /** Tells the user, wherever that one reads completions here. */
  tell(told: Told): void {
    const { userId } = told
    const kept = this.#told.get(userId) ?? []
    this.#told.delete(userId)
    this.#told.set(userId, [...kept.slice(1 - MAX_OF_USER), { number: ++this.#number, told }])
    const [longestAgo] = this.#told.size > MAX_USERS ? this.#told.keys() : []
    if (longestAgo !== undefined) this.#told.delete(longestAgo)
    for (const listener of this.#listeners) listener(userId)
  }

  /**
   * What the user was told after the number, and when the ledger ended at `offset` or beyond;
   * oldest first.
   */
  toldTo(userId: string, number: number, offset: bigint): readonly Numbered[] {
    const kept = this.#told.get(userId) ?? []
    return kept.filter((one) => one.number > number && one.told.offset >= offset)
  }

  /** Calls whenever the user is told something; answers how to stop that. */
  onTold(userId: string, call: () => void): () => void {
    const listener = (told: string): void => {
      if (told === userId) call()
    }
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

function inFlight({ submissionId }: UnderWay): LedgerError {
  const context = { existingSubmissionId: submissionId }
  return ledgerError('SUBMISSION_ALREADY_IN_FLIGHT', {}, { context })
}
