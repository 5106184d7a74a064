// Updates as they were stored until texts came to stand in a table: every event in full.
import type { ContractRecord } from '../store/store.ts'
import type { Json } from './template.ts'
import type {
  CreateEvent,
  ExerciseEvent,
  LedgerEvent,
  StoredTransaction,
  Transaction,
} from './transaction.ts'

type StoredContract = Omit<ContractRecord, 'payload' | 'createdAt' | 'rank'> & {
  readonly payload: Json
  readonly createdAt: string
  readonly rank: string
}
type EarlierEvent =
  ExerciseEvent | (Omit<CreateEvent, 'contract'> & { readonly contract: StoredContract })
type Times = 'effectiveAt' | 'notBefore' | 'before'

/** Times in microseconds, as they are stored. */
export interface StoredTimes {
  readonly effectiveAt: string
  readonly notBefore: string | null
  readonly before: string | null
}

/** A transaction as JSON text had it. */
export type EarlierForm = Omit<StoredTransaction, Times | 'bytes' | 'events'> &
  StoredTimes & {
    readonly kind: 'transaction'
    readonly bytes: string
    readonly events: readonly EarlierEvent[]
  }

/** The transaction that it says. */
export function readEarlier({ kind: _, bytes, events, ...plain }: EarlierForm): StoredTransaction {
  return { ...plain, ...timesOf(plain), bytes: BigInt(bytes), events: events.map(readEvent) }
}

/** Times as numbers. */
export function timesOf({ effectiveAt, notBefore, before }: StoredTimes): Pick<Transaction, Times> {
  return {
    effectiveAt: BigInt(effectiveAt),
    notBefore: notBefore === null ? undefined : BigInt(notBefore),
    before: before === null ? undefined : BigInt(before),
  }
}

function readEvent(event: EarlierEvent): LedgerEvent {
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
