// Requests that run once for an id of the caller's choice. A digest of the request and its result
// are written in the commit of the effect: the same request gets the same answer, another request
// with the id 409. docs/idempotency.md
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Project } from '../../engine/submission.ts'
import { storedForm, whole } from '../../store/stored-form.ts'
import type { Store } from '../../store/store.ts'
import type { Economy } from '../economy.ts'
import { otherContent, PlainError } from '../errors.ts'
import { DAY_MICROS, HOUR_MICROS } from '../../engine/durations.ts'

/** The kind of permanent ids, whose status can be asked for. */
const KIND = 'wallet.request'
/** The others are kept by the day of their effect, so that a whole day can be forgotten. */
const kindOfDay = (day: bigint): string => `wallet.request/${day}`

const form = z.object({
  content: z.string(),
  /** When it took effect, in measured time. */
  at: whole,
  updateId: z.string(),
  /** JSON of what the choice answered that carried it out. */
  result: z.unknown(),
})

export type EarlierRequest = Readonly<z.output<typeof form>>

const stored = storedForm(form)

type Ledger = Pick<Economy, 'store' | 'engine'>

/** The id under which a request is done once. */
export interface RequestId {
  /** Made of the operation, the party and the caller's id: the ledger takes it once. */
  readonly commandId: string
  /** Digest of what is asked for, by `contentOf`. */
  readonly content: string
}

/**
 * The digest of a request's fields but its id, as values and not as they were written: "1.0" and
 * "1.0000000000" are the same. Digests outlive this program's versions: a field that is added later
 * must leave them as they are where it is absent.
 */
export function contentOf(...fields: readonly (string | bigint | null)[]): string {
  const values = fields.map((field) => (typeof field === 'bigint' ? String(field) : field))
  return hash('sha256', JSON.stringify(values))
}

/** The projector of a submission that keeps its request permanently. */
export function rememberRequest(asked: RequestId): Project {
  return remember(asked, KIND)
}

/**
 * What the submission that carries out a request keeps of it, for a day at least.
 *
 * @param measured now, as `Engine.measuredMicros` says
 */
export function rememberForADay(asked: RequestId, measured: bigint): Project {
  return remember(asked, kindOfDay(measured / DAY_MICROS), measured)
}

function remember({ commandId, content }: RequestId, kind: string, measured?: bigint): Project {
  return ({ updateId, effectiveAt, events: [root] }) => {
    if (root?.kind !== 'exercise') return { logs: [], facts: [] }
    const at = measured ?? effectiveAt
    const body = stored.write({ content, at, updateId, result: root.result })
    return { logs: [], facts: [{ kind, key: commandId, body }] }
  }
}

/**
 * What was carried out last under a command id that is kept for good; undefined where nothing was.
 */
export async function earlierRequest(
  store: Store,
  commandId: string,
): Promise<EarlierRequest | undefined> {
  return requestOf(store, KIND, commandId)
}

/**
 * What was carried out last under a command id that is kept for a day, or longer; undefined where
 * nothing is kept.
 */
export async function recentRequest(
  { store, engine }: Ledger,
  commandId: string,
): Promise<EarlierRequest | undefined> {
  const now = engine.measuredMicros()
  // Another server may have measured more.
  const days = new Set([now + HOUR_MICROS, now, now - DAY_MICROS].map((at) => at / DAY_MICROS))
  const kinds = [...Array.from(days, kindOfDay), KIND]
  const found = await Promise.all(kinds.map((kind) => requestOf(store, kind, commandId)))
  return found.find((request) => request !== undefined)
}

interface Forgetting {
  /** The time that servers have measured, microseconds. */
  readonly measured: bigint
  /** Whole days that are kept after the day of an effect. */
  readonly days: number
}

/**
 * Forgets what was kept for a day, once `days` more have passed.
 * docs/idempotency.md
 */
export async function forgetRequests(
  { contracts }: Store,
  { measured, days }: Forgetting,
): Promise<void> {
  const kept = measured / DAY_MICROS - BigInt(days)
  if (kept <= 0n) return
  // Of as many digits, so that the order of the texts is that of the days.
  const first = 10n ** BigInt(String(kept).length - 1)
  await contracts.forgetFacts(kindOfDay(first), kindOfDay(kept))
}

export function isSameRequest(
  { content }: EarlierRequest,
  asked: Pick<RequestId, 'content'>,
): boolean {
  return content === asked.content
}

interface OnceFor<T> {
  readonly asked: RequestId
  /** It may be a while until it can be carried out: a repetition is not to wait for that. */
  readonly mustWait: boolean
  /**
   * Carries the request out, by a submission that remembers it: the ledger sees to it that this
   * happens once for the id within a day.
   */
  make(): Promise<T | PlainError>
  /** The answer of one that was carried out, from the result of then. */
  answer(result: unknown): T
}

/**
 * Carries a request out, once for its id within a day. One that was carried out is answered as it
 * was, whatever has changed since, or with 409 where other content was asked for. Most requests are
 * new, so where nothing speaks against it, they are tried before anything is looked up: the ledger
 * refuses a repetition.
 */
export async function onceADay<T>(ledger: Ledger, once: OnceFor<T>): Promise<T | PlainError> {
  const {
    asked: { commandId },
    mustWait,
    make,
  } = once
  const before = mustWait ? await recentRequest(ledger, commandId) : undefined
  if (before !== undefined && isKept(before, ledger)) return answerOf(before, once)
  const made = await make()
  if (!(made instanceof PlainError)) return made
  const earlier = await recentRequest(ledger, commandId)
  return earlier !== undefined && isKept(earlier, ledger) ? answerOf(earlier, once) : made
}

function answerOf<T>(earlier: EarlierRequest, { asked, answer }: OnceFor<T>): T | PlainError {
  return isSameRequest(earlier, asked) ? answer(earlier.result) : otherContent()
}

/** Whether the ledger still keeps the command. */
function isKept({ at }: EarlierRequest, { engine }: Ledger): boolean {
  return at + DAY_MICROS >= engine.measuredMicros()
}

async function requestOf(
  { contracts }: Store,
  kind: string,
  commandId: string,
): Promise<EarlierRequest | undefined> {
  const fact = await contracts.fact(kind, commandId)
  return fact && stored.read(fact.body)
}
