// A stored update as JSON text. Texts are spliced, since payloads are JSON already; whole numbers
// and times are texts in it.
import type { ContractRecord } from '../store/store.ts'
import type { Stretches } from '../loop/stretches.ts'
import type { Json } from './template.ts'
import type {
  CreateEvent,
  ExerciseEvent,
  LedgerEvent,
  Reassignment,
  Transaction,
} from './transaction.ts'

/**
 * A transaction as it is read again. Content of what it archived stands in the contracts; its
 * stakeholders with the exercise.
 */
export interface StoredTransaction extends Omit<Transaction, 'consumed'> {
  readonly consumed: readonly string[]
}

export type StoredUpdate =
  | { readonly kind: 'transaction'; readonly transaction: StoredTransaction }
  | { readonly kind: 'reassignment'; readonly reassignment: Omit<Reassignment, 'recordTime'> }

type StoredContract = Omit<ContractRecord, 'payload' | 'createdAt' | 'rank'> & {
  readonly payload: Json
  readonly createdAt: string
  readonly rank: string
}
type StoredEvent =
  ExerciseEvent | (Omit<CreateEvent, 'contract'> & { readonly contract: StoredContract })
type Times = 'effectiveAt' | 'notBefore' | 'before' | 'bytes'
type StoredForm =
  | (Omit<StoredTransaction, Times | 'events'> & {
      readonly kind: 'transaction'
      readonly effectiveAt: string
      readonly notBefore: string | null
      readonly before: string | null
      readonly bytes: string
      readonly events: readonly StoredEvent[]
    })
  | { readonly kind: 'reassignment'; readonly reassignment: Omit<Reassignment, 'recordTime'> }

interface EncodingInput {
  readonly maxBytes: number
  /** Absent: made in one go. */
  readonly stretches?: Stretches | undefined
}

interface EncodedTransaction {
  readonly body: string
  /** With the inputs, which is what it costs. */
  readonly bytes: bigint
}

/**
 * The text of a transaction; undefined where it has more than `maxBytes`, as soon as that is known.
 */
export async function encodeTransaction(
  transaction: Omit<Transaction, 'bytes'>,
  inputBytes: number,
  { maxBytes, stretches }: EncodingInput,
): Promise<EncodedTransaction | undefined> {
  const { events, consumed, effectiveAt, notBefore, before, ...plain } = transaction
  const head = JSON.stringify({
    kind: 'transaction',
    ...plain,
    consumed: consumed.map(({ contractId }) => contractId),
    effectiveAt: effectiveAt.toString(),
    notBefore: notBefore?.toString() ?? null,
    before: before?.toString() ?? null,
  })
  const texts = await eventTexts(events, maxBytes - head.length, stretches)
  if (texts === undefined) return undefined
  const open = `${head.slice(0, -1)},"events":[${texts.join(',')}]`
  const ownBytes = Buffer.byteLength(open)
  if (ownBytes > maxBytes) return undefined
  const bytes = BigInt(ownBytes + inputBytes)
  return { body: `${open},"bytes":"${bytes}"}`, bytes }
}

/** Undefined where they have more than so many characters. */
async function eventTexts(
  events: readonly LedgerEvent[],
  maxLength: number,
  stretches: Stretches | undefined,
): Promise<readonly string[] | undefined> {
  const texts: string[] = []
  let length = 0
  for (const event of events) {
    const text = eventText(event)
    length += text.length
    if (length > maxLength) return undefined
    texts.push(text)
    const rest = stretches?.pause()
    if (rest !== undefined) await rest
  }
  return texts
}

/** The text of a reassignment. */
export function encodeReassignment(reassignment: Omit<Reassignment, 'recordTime'>): string {
  return JSON.stringify({ kind: 'reassignment', reassignment })
}

/**
 * Who sees anything of a transaction or of what became of its command: for whom the store finds it
 * again.
 */
export function seersOf({
  actAs,
  events,
}: Pick<Transaction, 'actAs' | 'events'>): ReadonlySet<string> {
  const seers = new Set(actAs)
  for (const event of events) {
    const stakeholders =
      event.kind === 'exercise'
        ? event.stakeholders
        : [...event.contract.signatories, ...event.contract.observers]
    for (const party of stakeholders) seers.add(party)
    for (const party of event.witnesses) seers.add(party)
  }
  return seers
}

/** Reads what the two functions above wrote; nobody else writes updates. */
export function decodeUpdate(body: string): StoredUpdate {
  const form: StoredForm = JSON.parse(body)
  if (form.kind === 'reassignment') return form
  const { kind, effectiveAt, notBefore, before, bytes, events, ...plain } = form
  const transaction = {
    ...plain,
    effectiveAt: BigInt(effectiveAt),
    notBefore: notBefore === null ? undefined : BigInt(notBefore),
    before: before === null ? undefined : BigInt(before),
    bytes: BigInt(bytes),
    events: events.map(readEvent),
  }
  return { kind, transaction }
}

function eventText(event: LedgerEvent): string {
  if (event.kind === 'exercise') return JSON.stringify(event)
  const { node, contract, witnesses } = event
  return `{"kind":"create","node":${node},"contract":${contractText(contract)},"witnesses":${JSON.stringify(witnesses)}}`
}

function contractText({ payload, createdAt, rank, ...plain }: ContractRecord): string {
  return `${JSON.stringify(plain).slice(0, -1)},"createdAt":"${createdAt}","rank":"${rank}","payload":${payload}}`
}

function readEvent(event: StoredEvent): LedgerEvent {
  if (event.kind === 'exercise') return event
  const { payload, createdAt, rank, ...plain } = event.contract
  const contract = {
    ...plain,
    payload: JSON.stringify(payload),
    createdAt: BigInt(createdAt),
    rank: BigInt(rank),
  }
  return { ...event, contract }
}
