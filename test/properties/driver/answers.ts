// What the engine, the treasury and the services answer, in the model's words.
import type { Rejected } from '../../../runtime/engine/index.ts'
import type { TreasuryRejected } from '../../../runtime/economy/treasury/index.ts'
import type { Reason } from '../model/plan.ts'

export type Answer =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: Reason | 'busy'; readonly text: string }

export const DONE: Answer = { ok: true }

export function refuse(reason: Reason | 'busy', text: string): Answer {
  return { ok: false, reason, text }
}

const FAULTS: ReadonlyMap<string, Reason> = new Map([
  ['insufficient-funds', 'insufficient-funds'],
  ['maximum-inputs-exceeded', 'too-many-inputs'],
  ['unknown-synchronizer', 'unknown-synchronizer'],
  ['insufficient-topup-amount', 'insufficient-topup'],
])

/** The engine's answer: a contract of another template counts as none. */
export function engineAnswer(outcome: { readonly ok: true } | Rejected): Answer {
  if (outcome.ok) return DONE
  const text = JSON.stringify(outcome, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  switch (outcome.kind) {
    case 'contract-not-found':
    case 'contract-in-flight':
      return refuse('not-found', text)
    case 'aborted':
      return refuse(FAULTS.get(outcome.reason.id) ?? 'requirement', text)
    case 'invalid':
      return refuse(outcome.reason.includes('is of the template') ? 'not-found' : 'invalid', text)
    case 'contention':
      return refuse('busy', text)
    case 'duplicate-in-flight':
    case 'duplicate':
    case 'done-before':
      return refuse('duplicate', text)
    case 'no-traffic':
    case 'over-quota':
    case 'unreadable':
    case 'unvetted':
    case 'time-in-doubt':
    case 'too-large':
      return refuse('requirement', text)
    case 'unauthorised':
    case 'too-early':
    case 'too-late':
      return refuse(outcome.kind, text)
  }
}

/** The treasury's answer. */
export function treasuryAnswer(outcome: { readonly ok: true } | TreasuryRejected): Answer {
  if (outcome.ok) return DONE
  switch (outcome.kind) {
    case 'refused':
      return engineAnswer({ ok: false, ...outcome.rejection })
    case 'paid-before':
      return refuse('requirement', `${outcome.contractId} was paid before`)
    case 'target-gone':
      return refuse('not-found', outcome.contractId)
    case 'no-wallet':
      return refuse('invalid', outcome.party)
    case 'no-round':
      return refuse('no-round', '')
    case 'other-content':
      return refuse('duplicate', 'other content')
    case 'queue-full':
      return refuse('busy', '')
    case 'invalid-transfer':
      return refuse(TRANSFER[outcome.reason.tag], outcome.reason.tag)
  }
}

const TRANSFER = {
  ITR_InsufficientFunds: 'insufficient-funds',
  ITR_UnknownSynchronizer: 'unknown-synchronizer',
  ITR_InsufficientTopupAmount: 'insufficient-topup',
  ITR_Other: 'requirement',
} as const satisfies Record<string, Reason>

/** Sentences of services, by status. */
const SENTENCES: readonly (readonly [status: number, pattern: RegExp, reason: Reason | 'busy'])[] =
  [
    [400, /out of funds|nsufficient funds/, 'insufficient-funds'],
    [400, /has no transfer preapproval/, 'not-found'],
    [409, /before$/, 'duplicate'],
    [409, /Others use/, 'busy'],
    [409, /too early/, 'too-early'],
    [409, /deadline/, 'too-late'],
    [409, /is not active/, 'not-found'],
  ]
const STATUSES: ReadonlyMap<number, Reason | 'busy'> = new Map([
  [400, 'invalid'],
  [403, 'unauthorised'],
  [404, 'not-found'],
  [409, 'requirement'],
  [429, 'busy'],
  [503, 'no-round'],
])

/** A handler's answer. */
export function handlerAnswer(reply: { readonly status: number; readonly body?: unknown }): Answer {
  if (reply.status === 200) return DONE
  const text = JSON.stringify(reply.body)
  const sentence =
    typeof reply.body === 'object' && reply.body !== null && 'error' in reply.body
      ? String(reply.body.error)
      : ''
  const found = SENTENCES.find(
    ([status, pattern]) => status === reply.status && pattern.test(sentence),
  )
  return refuse(found?.[2] ?? STATUSES.get(reply.status) ?? 'invalid', text)
}
