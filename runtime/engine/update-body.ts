// A stored update as JSON text. What is JSON already is spliced; whole numbers and times are texts
// in it, and what is said more than once stands in a table. docs/decisions/0023-a-transfer.md
import { eventText, readEvent } from './update-events.ts'
import { TextTable, textReader } from './update-texts.ts'
import type { LedgerEvent, Reassignment, StoredTransaction, Transaction } from './transaction.ts'
import type { StoredEvent } from './update-events.ts'
import type { Pause } from './order.ts'

export type StoredUpdate =
  | { readonly kind: 'transaction'; readonly transaction: StoredTransaction }
  | { readonly kind: 'reassignment'; readonly reassignment: Omit<Reassignment, 'recordTime'> }

/** Times in microseconds, as they are stored. */
interface StoredTimes {
  readonly effectiveAt: string
  readonly notBefore: string | null
  readonly before: string | null
}

type References = 'actAs' | 'consumed' | 'used'
type StoredHead = Omit<StoredTransaction, keyof StoredTimes | References | 'events' | 'bytes'> &
  StoredTimes &
  Readonly<Record<References, readonly number[]>>

/** Of the form, for versions to come. */
const VERSION = 1

/** What an event costs on top: with the names of its fields. */
const BYTES_OF_NAMES = 200

interface StoredForm {
  readonly kind: 'transaction'
  readonly version: typeof VERSION
  readonly head: StoredHead
  readonly events: readonly StoredEvent[]
  readonly texts: readonly string[]
  readonly bytes: string
}

type AnyForm =
  | StoredForm
  | { readonly kind: 'reassignment'; readonly reassignment: Omit<Reassignment, 'recordTime'> }

interface EncodingInput {
  readonly maxBytes: number
  /** Absent: made in one go. */
  readonly pause?: Pause | undefined
}

interface EncodedTransaction {
  readonly body: string
  /**
   * What it costs: the body as if every text and name stood wherever it is meant, and the inputs.
   * So a shorter form in the store makes nothing cheaper, and nothing slip past a limit.
   */
  readonly bytes: bigint
}

/**
 * The text of a transaction; undefined where it costs more than `maxBytes` without the inputs, as
 * soon as that is known.
 */
export async function encodeTransaction(
  transaction: Omit<Transaction, 'bytes'>,
  inputBytes: number,
  { maxBytes, pause }: EncodingInput,
): Promise<EncodedTransaction | undefined> {
  const texts = new TextTable()
  const head = headText(transaction, texts)
  const limit = maxBytes - head.length
  const events = await eventTexts(transaction.events, texts, limit, pause)
  if (events === undefined) return undefined
  const open = `{"kind":"transaction","version":${VERSION},"head":${head},"events":[${events.join(',')}],"texts":${texts.json()}`
  const ownBytes = Buffer.byteLength(open) + texts.repeatedBytes() + events.length * BYTES_OF_NAMES
  if (ownBytes > maxBytes) return undefined
  const bytes = BigInt(ownBytes + inputBytes)
  return { body: `${open},"bytes":"${bytes}"}`, bytes }
}

function headText(
  { events: _, effectiveAt, notBefore, before, ...plain }: Omit<Transaction, 'bytes'>,
  texts: TextTable,
): string {
  const head: StoredHead = {
    ...plain,
    actAs: texts.places(plain.actAs),
    consumed: texts.places(plain.consumed.map(({ contractId }) => contractId)),
    used: texts.places(plain.used),
    effectiveAt: effectiveAt.toString(),
    notBefore: notBefore?.toString() ?? null,
    before: before?.toString() ?? null,
  }
  return JSON.stringify(head)
}

/** Undefined where they cost more than so many characters. */
async function eventTexts(
  events: readonly LedgerEvent[],
  texts: TextTable,
  maxLength: number,
  pause: Pause | undefined,
): Promise<readonly string[] | undefined> {
  const written: string[] = []
  let length = 0
  for (const event of events) {
    const text = eventText(event, texts)
    length += text.length + BYTES_OF_NAMES
    if (length + texts.repeatedLength > maxLength) return undefined
    written.push(text)
    const rest = pause?.()
    if (rest !== undefined) await rest
  }
  return written
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

/** Reads what the two functions above write; nobody else writes updates. */
export function decodeUpdate(body: string): StoredUpdate {
  const form: AnyForm = JSON.parse(body)
  if (form.kind === 'reassignment') return form
  const { kind, head, events, texts, bytes } = form
  const text = textReader(texts)
  const transaction = {
    ...head,
    effectiveAt: BigInt(head.effectiveAt),
    notBefore: microsOf(head.notBefore),
    before: microsOf(head.before),
    actAs: head.actAs.map(text),
    consumed: head.consumed.map(text),
    used: head.used.map(text),
    bytes: BigInt(bytes),
    events: events.map((event, node) => readEvent(event, node, text)),
  }
  return { kind, transaction }
}

function microsOf(text: string | null): bigint | undefined {
  return text === null ? undefined : BigInt(text)
}
